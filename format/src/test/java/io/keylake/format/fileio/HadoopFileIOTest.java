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

import io.keylake.format.fileio.MemoryFileSystem.Creation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HadoopFileIOTest {
  @Nested
  class OnLocalFiles extends FileIOContract {
    @TempDir Path folder;

    private final HadoopFileIO fileIO = HadoopFileIO.of(new Configuration(false));

    @Override
    protected FileIO fileIO() {
      return fileIO;
    }

    @Override
    protected Location folder() {
      return new Location("file:" + folder);
    }

    @Test
    void staleChecksumsOfOtherWritersDoNoHarm() throws IOException {
      Location file = folder().child("snapshot/snapshot-1");
      org.apache.hadoop.fs.Path path = fileIO.path(file);
      try (FSDataOutputStream out = fileIO.fileSystem(file).create(path)) {
        out.write("theirs".getBytes(UTF_8));
      }
      Files.delete(folder.resolve("snapshot/snapshot-1"));
      assertThat(folder.resolve("snapshot/.snapshot-1.crc")).exists();

      fileIO.publish(file, "ours".getBytes(UTF_8));

      try (var in = fileIO.fileSystem(file).open(path)) {
        assertThat(in.readAllBytes()).asString().isEqualTo("ours");
      }
      assertThat(fileIO.read(file)).asString().isEqualTo("ours");
    }

    @Test
    void checksumFilesAreNeitherListedNorLeftBehind() throws IOException {
      Location file = folder().child("bucket-0/data");
      try (FSDataOutputStream out = fileIO.fileSystem(file).create(fileIO.path(file))) {
        out.write(1);
      }
      assertThat(fileIO.list(file.parent())).hasSize(1);
      fileIO.delete(file);
      assertThat(folder.resolve("bucket-0").toFile().list()).isEmpty();
    }

    @Test
    void pathAndLocationSayTheSame() {
      Location file = folder().child("k=a%3Ab c/data#1");
      assertThat(fileIO.location(fileIO.path(file))).isEqualTo(file);
      assertThat(fileIO.path(file).toUri().getPath()).endsWith("/k=a%3Ab c/data#1");
    }
  }

  @Nested
  class OnHdfs extends FileIOContract {
    private final FileIO fileIO =
        HadoopFileIO.of(new MemoryFileSystem(Creation.PLAIN).mountedAs("hdfs"));

    @Override
    protected FileIO fileIO() {
      return fileIO;
    }

    @Override
    protected Location folder() {
      Location folder = new Location("hdfs://store/folder");
      fileIO.createFolder(folder);
      return folder;
    }
  }

  @Nested
  class OnObjectStore extends FileIOContract {
    private final FileIO fileIO =
        HadoopFileIO.of(new MemoryFileSystem(Creation.CONDITIONAL).mountedAs("bucket"));

    @Override
    protected FileIO fileIO() {
      return fileIO;
    }

    @Override
    protected Location folder() {
      Location folder = new Location("bucket://store/folder");
      fileIO.createFolder(folder);
      return folder;
    }
  }

  @Nested
  class OnStoreWithoutFolders extends FileIOContract {
    private final FileIO fileIO = HadoopFileIO.of(new Configuration(false));
    private final ObjectStore store = ObjectStore.empty("contract");

    @Override
    protected FileIO fileIO() {
      return fileIO;
    }

    @Override
    protected Location folder() {
      Location folder = new Location("objstore://contract/folder");
      fileIO.createFolder(folder);
      return folder;
    }

    @Test
    void foldersAreMovedWithoutRename() {
      fileIO.create(folder().child("t/schema/schema-0"), "s".getBytes(UTF_8));
      fileIO.create(folder().child("t/data"), "d".getBytes(UTF_8));
      fileIO.renameFolder(folder().child("t"), folder().child("u"), "schema");
      assertThat(store.renames()).isZero();
      assertThat(store.keys())
          .contains("/folder/u/schema/schema-0", "/folder/u/data")
          .noneMatch(key -> key.startsWith("/folder/t"));
    }

    @Test
    void moveThatFailsChangesNothing() {
      Location data = folder().child("t/data");
      fileIO.create(folder().child("t/schema/schema-0"), "s".getBytes(UTF_8));
      fileIO.create(data, "d".getBytes(UTF_8));
      List<String> before = store.keys();
      store.beforePuts(
          key -> {
            if (key.endsWith("/u/data")) {
              store.put("/folder/t/snapshot/snapshot-1", new byte[] {1});
            }
          });
      assertThatThrownBy(
              () -> fileIO.renameFolder(folder().child("t"), folder().child("u"), "schema"))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("written meanwhile");
      assertThat(store.keys())
          .containsAll(before)
          .contains("/folder/t/snapshot/snapshot-1")
          .noneMatch(key -> key.startsWith("/folder/u"));
    }
  }

  @Nested
  class CountingFaultyFileIO extends FileIOContract {
    @TempDir Path folder;

    private final FileIO fileIO = FaultyFileIO.counting(HadoopFileIO.of(new Configuration(false)));

    @Override
    protected FileIO fileIO() {
      return fileIO;
    }

    @Override
    protected Location folder() {
      return new Location("file:" + folder);
    }
  }
}
