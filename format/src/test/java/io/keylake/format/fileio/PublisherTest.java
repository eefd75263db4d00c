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

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.FileIO.Publication;
import io.keylake.format.fileio.MemoryFileSystem.Creation;
import io.keylake.format.fileio.MemoryFileSystem.Trouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublisherTest {
  private static final byte[] OURS = "ours".getBytes(UTF_8);
  private static final byte[] THEIRS = "theirs".getBytes(UTF_8);

  @TempDir Path folder;

  private final MemoryFileSystem store = new MemoryFileSystem(Creation.CONDITIONAL);
  private final MemoryFileSystem hdfs = new MemoryFileSystem(Creation.PLAIN);

  private Location file(String scheme) {
    return new Location(scheme + "://store/t/snapshot/snapshot-1");
  }

  private FileIO onStore() {
    return HadoopFileIO.of(store.mountedAs("store"));
  }

  private FileIO onHdfs() {
    return HadoopFileIO.of(hdfs.mountedAs("hdfs"));
  }

  private HardLinkPublisher linkingWith(HardLinkPublisher.Linker linker) {
    return new HardLinkPublisher(new TemporaryNames(Ids.random()), linker);
  }

  private org.apache.hadoop.fs.Path target() {
    return new org.apache.hadoop.fs.Path("file", null, folder + "/snapshot/snapshot-1");
  }

  private static void link(Path link, Path existing) throws IOException {
    Files.createLink(link, existing);
  }

  @Test
  void lostReplyOfConditionalCreationIsReadBack() {
    store.nextAttempt(Trouble.REPLY_IS_LOST);
    assertThat(onStore().publish(file("store"), OURS)).isEqualTo(Publication.PUBLISHED);
    assertThat(onStore().read(file("store"))).isEqualTo(OURS);
  }

  @Test
  void failedConditionalCreationIsTriedAgain() {
    store.nextAttempt(Trouble.FAILS);
    assertThat(onStore().publish(file("store"), OURS)).isEqualTo(Publication.PUBLISHED);
    assertThat(onStore().read(file("store"))).isEqualTo(OURS);
  }

  @Test
  void conditionalCreationThatCannotBeReadBackIsUnknown() {
    FileIO fileIO = onStore();
    store.nextAttempt(Trouble.REPLY_IS_LOST);
    store.failReads();
    assertThatThrownBy(() -> fileIO.publish(file("store"), OURS))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("store://store/t/snapshot/snapshot-1")
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_COMMIT_OUTCOME_UNKNOWN);
  }

  @Test
  void lostReplyOfRenameIsDecidedByTheTemporaryFile() {
    hdfs.nextAttempt(Trouble.REPLY_IS_LOST);
    assertThat(onHdfs().publish(file("hdfs"), OURS)).isEqualTo(Publication.PUBLISHED);
    assertThat(onHdfs().read(file("hdfs"))).isEqualTo(OURS);
    assertThat(onHdfs().list(file("hdfs").parent())).hasSize(1);
  }

  @Test
  void renameThatDidNotHappenFailsAndLeavesNothing() {
    hdfs.nextAttempt(Trouble.FAILS);
    assertThatThrownBy(() -> onHdfs().publish(file("hdfs"), OURS))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("before the effect");
    assertThat(onHdfs().list(file("hdfs").parent())).isEmpty();
  }

  @Test
  void unknownSchemeIsRefusedUnlessOneWriterIsPromised() {
    MemoryFileSystem unknown = new MemoryFileSystem(Creation.PLAIN);
    Configuration configuration = unknown.mountedAs("odd");
    FileIO refusing = HadoopFileIO.of(configuration);
    assertThatThrownBy(() -> refusing.publish(file("odd"), OURS))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("'odd'")
        .hasMessageContaining("keylake.storage.single-writer=true")
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_UNSAFE_STORAGE);
    assertThat(refusing.exists(file("odd"))).isFalse();

    configuration.setBoolean("keylake.storage.single-writer", true);
    FileIO accepting = HadoopFileIO.of(configuration);
    assertThat(accepting.publish(file("odd"), OURS)).isEqualTo(Publication.PUBLISHED);
    assertThat(accepting.publish(file("odd"), THEIRS)).isEqualTo(Publication.LOST);
    accepting.overwrite(file("odd"), THEIRS);
    assertThat(accepting.read(file("odd"))).isEqualTo(THEIRS);
  }

  @Test
  void viewfsIsPublishedAsTheMountedFileSystemDoes() {
    Configuration configuration = new Configuration(false);
    configuration.set("fs.viewfs.mounttable.cluster.link./wh", folder.toUri().toString());
    FileIO fileIO = HadoopFileIO.of(configuration);
    Location file = new Location("viewfs://cluster/wh/t/snapshot/snapshot-1");
    assertThat(fileIO.publish(file, OURS)).isEqualTo(Publication.PUBLISHED);
    assertThat(fileIO.publish(file, THEIRS)).isEqualTo(Publication.LOST);
    assertThat(fileIO.read(file)).isEqualTo(OURS);
    assertThat(folder.resolve("t/snapshot/snapshot-1")).hasBinaryContent(OURS);
  }

  @Test
  void lostReplyOfLinkIsDecidedByTheFilesIdentity() throws IOException {
    HardLinkPublisher publisher =
        linkingWith(
            (link, existing) -> {
              link(link, existing);
              throw new IOException("reply lost");
            });
    assertThat(publisher.publish(target(), OURS)).isEqualTo(Publication.PUBLISHED);
  }

  @Test
  void linkThatAnotherMadeMeanwhileIsLost() throws IOException {
    HardLinkPublisher publisher =
        linkingWith(
            (link, existing) -> {
              Files.write(link, THEIRS);
              throw new FileAlreadyExistsException(link.toString());
            });
    assertThat(publisher.publish(target(), OURS)).isEqualTo(Publication.LOST);
    assertThat(folder.resolve("snapshot/snapshot-1")).hasBinaryContent(THEIRS);
  }

  @Test
  void withoutLinksALockGuardsCheckAndRename() throws IOException {
    HardLinkPublisher publisher =
        linkingWith(
            (link, existing) -> {
              throw new UnsupportedOperationException("no links here");
            });
    assertThat(publisher.publish(target(), OURS)).isEqualTo(Publication.PUBLISHED);
    assertThat(publisher.publish(target(), THEIRS)).isEqualTo(Publication.LOST);
    assertThat(folder.resolve("snapshot/snapshot-1")).hasBinaryContent(OURS);
    assertThat(folder.resolve("snapshot").toFile().list()).containsExactly("snapshot-1");
  }
}
