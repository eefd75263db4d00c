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

import static io.keylake.table.commit.CommitFixture.added;
import static io.keylake.table.commit.CommitFixture.changes;
import static io.keylake.table.commit.CommitFixture.compacted;
import static io.keylake.table.commit.CommitFixture.file;
import static io.keylake.table.commit.CommitFixture.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.bucket.BucketStates;
import io.keylake.table.commit.CommitResult.Compaction;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves of staged rows into buckets, beside other commits. */
final class StagedMoveCommitTest {
  private static final DataFile STAGED = file("staged", 1, 3, -1);
  private static final DataFile MOVED = file("moved", 1, 3, 0);

  @TempDir Path folder;
  private CommitFixture table;
  private int users;

  @BeforeEach
  void stage() {
    table = CommitFixture.postpone(folder);
    commit(staging(STAGED));
  }

  private CommitResult commit(BucketChange... changes) {
    return commit(null, changes);
  }

  private CommitResult commit(Snapshot base, BucketChange... changes) {
    for (BucketChange change : changes) {
      table.store(change);
    }
    return table
        .committer()
        .commit(CommitRequest.batch("u" + users++, List.of(changes)).basedOn(base));
  }

  private static BucketChange staging(DataFile... files) {
    return new BucketChange(
        partition("a"), -2, -2, FileChanges.added(List.of(files)), FileChanges.NONE);
  }

  private static BucketChange taking(DataFile... files) {
    return new BucketChange(
        partition("a"), -2, -2, FileChanges.NONE, changes(List.of(), List.of(files)));
  }

  private static BucketChange moved(int bucket, DataFile... files) {
    return compacted(bucket, changes(List.of(files), List.of()));
  }

  @Test
  void moveIsOneSnapshotThatTakesExactlyWhatWasStaged() {
    Snapshot base = table.latest();
    commit(staging(file("later", 2, 2, -1)));
    CommitResult result = commit(base, moved(0, MOVED), taking(STAGED));
    assertThat(result.compaction()).isEqualTo(Compaction.COMMITTED);
    assertThat(table.latest().commitKind()).isEqualTo(CommitKind.COMPACT);
    assertThat(table.liveNames()).containsExactly("later@0", "moved@0");
  }

  @Test
  void secondMoveOfTheSameRowsIsDroppedAsAWhole() {
    Snapshot base = table.latest();
    commit(base, moved(0, MOVED), taking(STAGED));
    BucketChange other = moved(1, file("again", 1, 3, 0));
    CommitResult result = commit(base, other, taking(STAGED));
    assertThat(result.compaction()).isEqualTo(Compaction.DROPPED);
    assertThat(result.dropped()).containsExactly(other, taking(STAGED));
    assertThat(table.liveNames()).containsExactly("moved@0");
  }

  @Test
  void moveThatOthersHaveOvertakenIsDropped() {
    Snapshot base = table.latest();
    commit(base, added("a", file("theirs", 3, 9, 0)));
    CommitResult result = commit(base, moved(0, MOVED), taking(STAGED));
    assertThat(result.compaction()).isEqualTo(Compaction.DROPPED);
    assertThat(table.liveNames()).containsExactly("staged@0", "theirs@0");
    assertThat(
            commit(table.latest(), moved(0, file("higher", 1, 3, 7)), taking(STAGED)).compaction())
        .isEqualTo(Compaction.COMMITTED);
  }

  @Test
  void otherKeysAreNotInTheWayOfAMove() {
    Snapshot base = table.latest();
    commit(base, added("a", file("theirs", 5, 9, 0)));
    assertThat(commit(base, moved(0, MOVED), taking(STAGED)).compaction())
        .isEqualTo(Compaction.COMMITTED);
  }

  @Test
  void partitionsAreNeverGivenTwoNumbersOfBuckets() {
    Snapshot base = table.latest();
    BucketChange four =
        new BucketChange(
            partition("a"),
            3,
            4,
            FileChanges.added(List.of(file("four", 20, 29, 0))),
            FileChanges.NONE);
    commit(base, four);
    assertThat(commit(base, moved(0, MOVED), taking(STAGED)).compaction())
        .isEqualTo(Compaction.DROPPED);
    assertThatThrownBy(() -> commit(base, added("a", file("two", 40, 49, 0))))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("has 4 buckets, but rows were written for 2");
    assertThat(table.liveNames()).containsExactly("four@0", "staged@0");
  }

  @Test
  void stagedRowsAreCounted() {
    BucketStates states = new BucketStates(table.storage(), table.latest());
    assertThat(states.stagedRows(partition("a"))).isEqualTo(3);
    assertThat(states.stagedRows(partition("b"))).isZero();
    assertThat(states.totalBuckets(partition("a"))).isEmpty();
    commit(table.latest(), moved(0, MOVED), taking(STAGED));
    BucketStates after = new BucketStates(table.storage(), table.latest());
    assertThat(after.stagedRows(partition("a"))).isZero();
    assertThat(after.totalBuckets(partition("a"))).hasValue(2);
    assertThat(after.firstSequenceNumber(partition("a"), 0)).isEqualTo(3);
  }
}
