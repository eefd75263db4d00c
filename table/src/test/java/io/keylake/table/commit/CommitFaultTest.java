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
import static io.keylake.table.commit.CommitFixture.change;
import static io.keylake.table.commit.CommitFixture.changes;
import static io.keylake.table.commit.CommitFixture.file;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.FaultyFileIO;
import io.keylake.format.fileio.FaultyFileIO.Moment;
import io.keylake.format.fileio.FaultyFileIO.ProcessDied;
import io.keylake.format.snapshot.Snapshot;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every call to storage of a commit goes wrong once, before or after its effect. */
final class CommitFaultTest {
  private static final DataFile OLD = file("old", 1, 3, 0);
  private static final DataFile MINE = file("mine", 7, 8, 3);
  private static final DataFile MERGED = file("merged", 1, 8, 0).withLevel(5);

  @TempDir Path folder;
  private int tables;

  /** A table with one commit and a request that appends and compacts. */
  private CommitFixture newTable() {
    CommitFixture table = CommitFixture.keyed(folder.resolve("t" + tables++), Map.of());
    table.committer().commit(CommitRequest.batch("before", List.of(added("a", OLD))));
    table.store(request().changes().get(0));
    STORAGE.create(table.location("a", OLD), new byte[1]);
    return table;
  }

  private static CommitRequest request() {
    return CommitRequest.streaming(
        "me",
        5,
        List.of(
            change(
                "a",
                FileChanges.added(List.of(MINE)),
                changes(List.of(MERGED), List.of(OLD, MINE)))));
  }

  private int callsOfACommit() {
    CommitFixture table = newTable();
    FaultyFileIO counting = FaultyFileIO.counting(STORAGE);
    table.committer(counting, null).commit(request());
    return counting.calls().size();
  }

  private interface Check {
    void check(CommitFixture table, FaultyFileIO io, TableCommitter committer);
  }

  private void forEveryCall(BiFunction<Integer, Moment, FaultyFileIO> fault, Check check) {
    int calls = callsOfACommit();
    assertThat(calls).isGreaterThan(15);
    for (Moment moment : Moment.values()) {
      for (int call = 1; call <= calls; call++) {
        CommitFixture table = newTable();
        FaultyFileIO io = fault.apply(call, moment);
        TableCommitter committer = table.committer(io, null);
        check.check(table, io, committer);
        assertThat(io.hasFaulted()).isTrue();
      }
    }
  }

  private static boolean succeeds(TableCommitter committer) {
    try {
      committer.commit(request());
      return true;
    } catch (TableException | UncheckedIOException | ProcessDied e) {
      return false;
    }
  }

  /** The snapshots of the request, by kind; reads every manifest that they name. */
  private static List<String> own(CommitFixture table) {
    List<String> kinds = new ArrayList<>();
    for (Snapshot snapshot : table.storage().snapshots().all()) {
      table.live(snapshot);
      if (snapshot.commitUser().equals("me")) {
        kinds.add(snapshot.commitKind().name());
      }
    }
    return kinds;
  }

  private static void assertFilesExist(CommitFixture table) {
    table
        .live(table.latest())
        .forEach(
            entry ->
                assertThat(STORAGE.exists(table.location("a", entry.file())))
                    .as(entry.file().name())
                    .isTrue());
  }

  @Test
  void repeatingAFailedCommitAppliesItOnce() {
    forEveryCall(
        (call, moment) -> FaultyFileIO.failing(STORAGE, call, moment),
        (table, io, committer) -> {
          boolean done = succeeds(committer);
          assertThat(done ? "APPEND" : "").isIn("", own(table).isEmpty() ? "" : own(table).get(0));
          table.committer().commit(request());
          assertThat(own(table)).startsWith("APPEND").hasSizeLessThanOrEqualTo(2);
          assertThat(table.live(table.latest()).stream().mapToLong(e -> e.file().rowCount()).sum())
              .isIn(5L, 8L);
          assertFilesExist(table);
        });
  }

  @Test
  void repeatingTheCommitOfADeadProcessAppliesItOnce() {
    forEveryCall(
        (call, moment) -> FaultyFileIO.dying(STORAGE, call, moment),
        (table, io, committer) -> {
          boolean done = succeeds(committer);
          assertThat(done).isFalse();
          table.committer().commit(request());
          assertThat(own(table)).containsExactly("APPEND", "COMPACT");
          assertThat(table.liveNames()).containsExactly("merged@5");
          assertFilesExist(table);
        });
  }

  @Test
  void abortAfterAFailureKeepsWhatASnapshotNames() {
    forEveryCall(
        (call, moment) -> FaultyFileIO.failing(STORAGE, call, moment),
        (table, io, committer) -> {
          if (!succeeds(committer)) {
            committer.abort(request());
            assertThat(STORAGE.exists(table.location("a", OLD))).isTrue();
            assertThat(own(table).isEmpty())
                .as("files of a commit that did not happen are deleted")
                .isEqualTo(!STORAGE.exists(table.location("a", MINE)));
          }
          assertFilesExist(table);
        });
  }

  @Test
  void failedTriesLeaveNoMetadataFileButWhereTheOutcomeWasUnknown() {
    forEveryCall(
        (call, moment) -> FaultyFileIO.failing(STORAGE, call, moment),
        (table, io, committer) -> {
          int before = table.manifestFiles().size();
          boolean done = succeeds(committer);
          if (!done && own(table).isEmpty() && deletesWork(io)) {
            assertThat(table.manifestFiles()).hasSize(before);
          }
        });
  }

  private static boolean deletesWork(FaultyFileIO io) {
    return io.calls().stream().noneMatch(call -> call.startsWith("publish"));
  }
}
