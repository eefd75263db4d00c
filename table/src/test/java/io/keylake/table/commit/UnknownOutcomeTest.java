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

package io.keylake.table.commit;

import static io.keylake.table.commit.CommitFixture.STORAGE;
import static io.keylake.table.commit.CommitFixture.added;
import static io.keylake.table.commit.CommitFixture.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storage does not say whether a snapshot was published. */
final class UnknownOutcomeTest {
  private static final DataFile MINE = file("mine", 1, 3, 0);

  @TempDir Path folder;

  private static CommitRequest request() {
    return CommitRequest.batch("me", List.of(added("a", MINE)));
  }

  private static CommitConflictException unknown() {
    return new CommitConflictException(Condition.KEYLAKE_COMMIT_OUTCOME_UNKNOWN, "no reply");
  }

  private CommitFixture table() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of("commit.max-retries", "2"));
    table.store(request().changes().get(0));
    return table;
  }

  @Test
  void snapshotThatAppearsLateCountsOnce() {
    CommitFixture table = table();
    Deque<Runnable> delayed = new ArrayDeque<>();
    PublishingFileIO io =
        new PublishingFileIO(
            (file, content) -> {
              if (delayed.isEmpty()) {
                delayed.add(() -> STORAGE.publish(file, content));
                throw unknown();
              }
              delayed.getFirst().run();
              return STORAGE.publish(file, content);
            });
    CommitResult result = table.committer(io, null).commit(request());
    assertThat(table.storage().snapshots().all()).hasSize(1);
    assertThat(result.newest()).contains(table.latest());
    assertThat(table.liveNames()).containsExactly("mine@0");
  }

  @Test
  void commitOfAnotherRunOfTheJobIsFound() {
    CommitFixture table = table();
    PublishingFileIO io =
        new PublishingFileIO(
            (file, content) -> {
              table.committer().commit(request());
              throw unknown();
            });
    CommitResult result = table.committer(io, null).commit(request());
    assertThat(result.newest()).map(Snapshot::commitUser).contains("me");
    assertThat(table.storage().snapshots().all()).hasSize(1);
  }

  @Test
  void nothingIsDeletedWhenTheOutcomeStaysUnknown() {
    CommitFixture table = table();
    Deque<Runnable> delayed = new ArrayDeque<>();
    PublishingFileIO io =
        new PublishingFileIO(
            (file, content) -> {
              delayed.add(() -> STORAGE.publish(file, content));
              throw unknown();
            });
    TableCommitter committer = table.committer(io, null);
    assertThatThrownBy(() -> committer.commit(request()))
        .hasMessageContainingAll("snapshot 1", "db.t", "me")
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_COMMIT_OUTCOME_UNKNOWN);
    committer.abort(request());
    assertThat(delayed).hasSize(3);
    delayed.forEach(Runnable::run);
    assertThat(table.liveNames()).containsExactly("mine@0");
    assertThat(STORAGE.exists(table.location("a", MINE))).isTrue();
  }

  @Test
  void storageThatCannotPublishLeavesNothingBehind() {
    CommitFixture table = table();
    PublishingFileIO io =
        new PublishingFileIO(
            (Location file, byte[] content) -> {
              throw new UnsupportedTableException(Condition.KEYLAKE_UNSAFE_STORAGE, "unsafe");
            });
    assertThatThrownBy(() -> table.committer(io, null).commit(request()))
        .isInstanceOf(UnsupportedTableException.class);
    assertThat(table.manifestFiles()).isEmpty();
    table.committer().abort(request());
    assertThat(STORAGE.exists(table.location("a", MINE))).isFalse();
  }
}
