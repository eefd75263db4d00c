/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.keylake.format.fileio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.fileio.FileIO.Publication;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link FileIO} does, whatever the storage. */
public abstract class FileIOContract {
  /** The storage under test. */
  protected abstract FileIO fileIO();

  /** An existing, empty folder in it. */
  protected abstract Location folder();

  private static byte[] text(String content) {
    return content.getBytes(UTF_8);
  }

  private String stored(Location file) {
    return new String(fileIO().read(file), UTF_8);
  }

  @Test
  void createdFileIsReadBack() {
    Location file = folder().child("a/b/file");
    fileIO().create(file, text("content"));
    assertThat(stored(file)).isEqualTo("content");
    assertThat(fileIO().readIfExists(file)).contains(text("content"));
    assertThat(fileIO().exists(file)).isTrue();
    assertThat(fileIO().status(file))
        .get()
        .satisfies(
            status -> {
              assertThat(status.location()).isEqualTo(file);
              assertThat(status.length()).isEqualTo(7);
              assertThat(status.isDirectory()).isFalse();
            });
  }

  @Test
  void createRefusesExistingFile() {
    Location file = folder().child("file");
    fileIO().create(file, text("first"));
    assertThatThrownBy(() -> fileIO().create(file, text("second")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("create")
        .hasMessageContaining(file.path());
    assertThat(stored(file)).isEqualTo("first");
  }

  @Test
  void missingFileHasFileNotFoundAsCause() {
    Location file = folder().child("missing");
    assertThatThrownBy(() -> fileIO().read(file))
        .isInstanceOf(UncheckedIOException.class)
        .hasCauseInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("Cannot read " + file.path());
    assertThat(fileIO().readIfExists(file)).isEmpty();
    assertThat(fileIO().exists(file)).isFalse();
    assertThat(fileIO().status(file)).isEmpty();
  }

  @Test
  void listingGivesDirectChildrenOnly() {
    fileIO().create(folder().child("x/file"), text("12"));
    fileIO().create(folder().child("x/y/deeper"), text("3"));
    List<FileStatus> children = fileIO().list(folder().child("x"));
    assertThat(children)
        .extracting(FileStatus::location, FileStatus::length, FileStatus::isDirectory)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(folder().child("x/file"), 2L, false),
            org.assertj.core.groups.Tuple.tuple(folder().child("x/y"), 0L, true));
    assertThat(fileIO().list(folder().child("missing"))).isEmpty();
  }

  @Test
  void overwriteReplacesAndCreates() {
    Location file = folder().child("hint");
    fileIO().overwrite(file, text("a longer first text"));
    fileIO().overwrite(file, text("2"));
    assertThat(stored(file)).isEqualTo("2");
    assertThat(fileIO().list(folder())).hasSize(1);
  }

  @Test
  void publishSucceedsOnceAndLeavesNothingElse() {
    Location file = folder().child("snapshot/snapshot-1");
    assertThat(fileIO().publish(file, text("ours"))).isEqualTo(Publication.PUBLISHED);
    assertThat(fileIO().publish(file, text("theirs"))).isEqualTo(Publication.LOST);
    assertThat(stored(file)).isEqualTo("ours");
    assertThat(fileIO().list(folder().child("snapshot"))).hasSize(1);
  }

  @Test
  void oneOfSeveralThreadsPublishes() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 25; round++) {
        Location file = folder().child("race-" + round);
        List<Callable<Publication>> writers =
            IntStream.range(0, 4)
                .mapToObj(
                    writer ->
                        (Callable<Publication>)
                            () -> fileIO().publish(file, text("writer " + writer)))
                .toList();
        int published = 0;
        int winner = -1;
        List<Future<Publication>> outcomes = threads.invokeAll(writers);
        for (int writer = 0; writer < outcomes.size(); writer++) {
          if (outcomes.get(writer).get() == Publication.PUBLISHED) {
            published++;
            winner = writer;
          }
        }
        assertThat(published).isEqualTo(1);
        assertThat(stored(file)).isEqualTo("writer " + winner);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void namesWithSpecialCharactersSurvive() {
    for (String name :
        List.of("a b", "c%3Ad", "100%", "e:f", "g=h", "#i", "j?k", "[l]", "\u00e9\u4e2d", "m+n")) {
      Location file = folder().child("k=" + name + "/" + name);
      fileIO().create(file, text(name));
      assertThat(stored(file)).isEqualTo(name);
      assertThat(fileIO().list(folder().child("k=" + name)))
          .extracting(FileStatus::location)
          .containsExactly(file);
      Location published = folder().child("p=" + name + "/" + name);
      assertThat(fileIO().publish(published, text("1"))).isEqualTo(Publication.PUBLISHED);
      assertThat(fileIO().exists(published)).isTrue();
    }
  }

  @Test
  void deletedFilesAndFoldersAreGone() {
    Location file = folder().child("d/e/file");
    fileIO().create(file, text("1"));
    fileIO().delete(file);
    assertThat(fileIO().exists(file)).isFalse();
    fileIO().delete(file);

    fileIO().create(file, text("1"));
    fileIO().deleteFolder(folder().child("d"));
    assertThat(fileIO().exists(folder().child("d"))).isFalse();
    fileIO().deleteFolder(folder().child("d"));
  }

  @Test
  void folderMovesWithItsContentToNewNameOnly() {
    fileIO().create(folder().child("from/x/file"), text("1"));
    fileIO().createFolder(folder().child("taken"));
    assertThatThrownBy(
            () -> fileIO().renameFolder(folder().child("from"), folder().child("taken"), "x"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("taken");
    fileIO().renameFolder(folder().child("from"), folder().child("other/to"), "x");
    assertThat(stored(folder().child("other/to/x/file"))).isEqualTo("1");
    assertThat(fileIO().exists(folder().child("from"))).isFalse();
  }
}
