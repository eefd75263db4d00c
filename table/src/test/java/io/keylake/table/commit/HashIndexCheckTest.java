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
import static io.keylake.table.commit.CommitFixture.file;
import static io.keylake.table.commit.CommitFixture.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.scan.HashIndexFiles;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that give keys dynamic buckets from one snapshot, at the same time. */
class HashIndexCheckTest {
  @TempDir Path folder;
  private CommitFixture table;
  private HashIndexFiles indexes;
  private final AtomicInteger number = new AtomicInteger();

  @BeforeEach
  void create() {
    table = CommitFixture.dynamic(folder);
    indexes =
        new HashIndexFiles(
            STORAGE, table.table(STORAGE).addresses(), () -> "job" + number.incrementAndGet());
  }

  /** New rows in a bucket; {@code hashes} are all of its index, none = it has no new ones. */
  private BucketChange wrote(String partition, int bucket, int... hashes) {
    int n = number.incrementAndGet();
    DataFile data = file("data-" + n + ".parquet", 10 * n, 10 * n + 1, 10L * n);
    List<IndexFile> added = new ArrayList<>();
    if (hashes.length > 0) {
      IndexEntry index = indexes.create(partition(partition), bucket, hashes);
      indexes.write(index, hashes);
      added.add(index.file());
    }
    FileChanges written = new FileChanges(List.of(data), List.of(), List.of(), added, List.of());
    return new BucketChange(partition(partition), bucket, -1, written, FileChanges.NONE);
  }

  private Snapshot commit(@Nullable Snapshot base, BucketChange... changes) {
    CommitRequest request =
        CommitRequest.batch("user" + number.incrementAndGet(), List.of(changes)).basedOn(base);
    return table.committer().commit(request).newest().orElseThrow();
  }

  /** The hashes of each bucket of a partition, ascending. */
  private Map<Integer, List<Integer>> live(String partition) {
    Map<Integer, List<Integer>> live = new TreeMap<>();
    for (IndexEntry index : table.storage().indexEntries(table.latest())) {
      if (index.partition().equals(partition(partition))) {
        live.put(index.bucket(), Arrays.stream(indexes.read(index)).sorted().boxed().toList());
      }
    }
    return live;
  }

  private int indexFiles() {
    return STORAGE.list(table.layout().indexFolder()).size();
  }

  private static void assertConflict(ThrowingCallable commit, String... parts) {
    assertThatThrownBy(commit)
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContainingAll(parts)
        .hasMessageContaining("run the statement again")
        .satisfies(
            e ->
                assertThat(((CommitConflictException) e).condition())
                    .isEqualTo(Condition.KEYLAKE_CONCURRENT_MODIFICATION));
  }

  @Test
  void laterJobReplacesTheIndexOfABucket() {
    Snapshot first = commit(null, wrote("a", 0, 1, 2));
    commit(first, wrote("a", 0, 1, 2, 3), wrote("a", 1, 4));
    assertThat(live("a")).isEqualTo(Map.of(0, List.of(1, 2, 3), 1, List.of(4)));
  }

  @Test
  void newKeysOfBothJobsInOneBucketAreUnited() {
    Snapshot base = commit(null, wrote("a", 0, 1));
    BucketChange ours = wrote("a", 0, 1, 2, 5);
    commit(base, wrote("a", 0, 1, 3, 5));
    int before = indexFiles();
    commit(base, ours);
    assertThat(live("a")).isEqualTo(Map.of(0, List.of(1, 2, 3, 5)));
    assertThat(indexFiles()).as("our own file gave way to the union").isEqualTo(before);
    assertThat(STORAGE.exists(location(ours))).isFalse();
  }

  private Location location(BucketChange change) {
    return indexes.location(
        new IndexEntry(
            change.partition(), change.bucket(), change.written().addedIndexes().get(0)));
  }

  @Test
  void jobsThatStartFromAnEmptyTableAreCheckedAgainstEachOther() {
    BucketChange ours = wrote("a", 0, 2, 3);
    BucketChange same = wrote("a", 0, 3, 4);
    BucketChange other = wrote("a", 1, 2);
    commit(null, wrote("a", 0, 1, 2));
    commit(null, ours);
    commit(null, same);
    assertThat(live("a")).isEqualTo(Map.of(0, List.of(1, 2, 3, 4)));
    assertConflict(() -> commit(null, other), "bucket 0 instead of 1", "p=a");
    assertThat(live("a")).isEqualTo(Map.of(0, List.of(1, 2, 3, 4)));
  }

  @Test
  void newKeyInTwoBucketsIsAConflictAndLeavesNoFile() {
    Snapshot base = commit(null, wrote("a", 0, 1));
    BucketChange united = wrote("a", 0, 1, 8);
    BucketChange ours = wrote("a", 4, 7);
    Snapshot theirs = commit(base, wrote("a", 0, 1, 7));
    int before = indexFiles();
    assertConflict(() -> commit(base, united, ours), "bucket 0 instead of 4", "p=a");
    assertThat(indexFiles()).as("aborting is up to the job").isEqualTo(before);
    assertThat(table.latest()).isEqualTo(theirs);
  }

  @Test
  void differentNewKeysInDifferentBucketsDoNotConflict() {
    Snapshot base = commit(null, wrote("a", 0, 1));
    commit(base, wrote("a", 0, 1, 2), wrote("a", 1, 3));
    commit(base, wrote("a", 2, 4), wrote("a", 1, 5), wrote("b", 0, 2));
    assertThat(live("a")).isEqualTo(Map.of(0, List.of(1, 2), 1, List.of(3, 5), 2, List.of(4)));
    assertThat(live("b")).isEqualTo(Map.of(0, List.of(2)));
  }

  @Test
  void updateOfKnownKeysPassesWhenOthersOnlyAdded() {
    Snapshot base = commit(null, wrote("a", 0, 1, 2));
    commit(base, wrote("a", 0, 1, 2, 3));
    commit(base, wrote("a", 0));
    assertThat(live("a")).isEqualTo(Map.of(0, List.of(1, 2, 3)));
  }

  @Test
  void keysWhoseBucketWasOverwrittenAreAConflict() {
    Snapshot base = commit(null, wrote("a", 0, 1, 2), wrote("b", 0, 9));
    table
        .committer()
        .commit(
            CommitRequest.batch("overwriter", List.of(wrote("a", 0, 2, 3)))
                .overwriting(new OverwriteScope.WrittenPartitions())
                .basedOn(base));
    assertConflict(() -> commit(base, wrote("a", 0)), "removed keys from bucket 0", "p=a");
    assertConflict(() -> commit(base, wrote("a", 0, 1, 2, 4)), "removed keys from bucket 0");
    commit(base, wrote("b", 0, 9, 10));
    assertThat(live("a")).isEqualTo(Map.of(0, List.of(2, 3)));
    assertThat(live("b")).isEqualTo(Map.of(0, List.of(9, 10)));
  }

  @Test
  void overwriteTakesTheIndexesOfItsPartitionsAway() {
    Snapshot base = commit(null, wrote("a", 0, 1), wrote("a", 1, 2), wrote("b", 0, 3));
    table
        .committer()
        .commit(
            CommitRequest.batch("overwriter", List.of(wrote("a", 2, 2)))
                .overwriting(new OverwriteScope.WrittenPartitions())
                .basedOn(base));
    assertThat(live("a")).isEqualTo(Map.of(2, List.of(2)));
    assertThat(live("b")).isEqualTo(Map.of(0, List.of(3)));
  }

  @Test
  void keysThatARollbackRemovedAreAConflict() {
    Snapshot first = commit(null, wrote("a", 0, 1));
    Snapshot base = commit(first, wrote("a", 0, 1, 2));
    BucketChange ours = wrote("a", 0, 1, 2, 3);
    rollBack(base, first);
    assertConflict(() -> commit(base, ours), "removed keys from bucket 0");
    commit(first, wrote("a", 1, 2));
    assertConflict(() -> commit(base, wrote("a", 0)), "removed keys from bucket 0");
  }

  @Test
  void rollbackToNothingIsAConflict() {
    Snapshot base = commit(null, wrote("a", 0, 1));
    STORAGE.delete(table.layout().snapshot(base.id()));
    STORAGE.delete(table.layout().snapshotFolder().child("LATEST"));
    assertConflict(() -> commit(base, wrote("a", 0)), "removed keys from bucket 0");
  }

  @Test
  void rollbackOfAnUpdateIsNone() {
    Snapshot first = commit(null, wrote("a", 0, 1));
    Snapshot base = commit(first, wrote("a", 0));
    rollBack(base, first);
    commit(base, wrote("a", 0, 1, 2));
    assertThat(live("a")).isEqualTo(Map.of(0, List.of(1, 2)));
  }

  private void rollBack(Snapshot from, Snapshot to) {
    for (long id = from.id(); id > to.id(); id--) {
      STORAGE.delete(table.layout().snapshot(id));
    }
    table.storage().snapshots().writeLatestHint(to.id());
  }

  @Test
  void indexThatIsGoneCannotBeReliedOn() {
    BucketChange first = wrote("a", 0, 1);
    Snapshot base = commit(null, first);
    commit(base, wrote("a", 0, 1, 2));
    STORAGE.delete(location(first));
    assertConflict(() -> commit(base, wrote("a", 0)), "removed keys from bucket 0");
  }

  /** Storage on which others come first, one at each try. */
  private static PublishingFileIO racing(Runnable... others) {
    Deque<Runnable> waiting = new ArrayDeque<>(List.of(others));
    return PublishingFileIO.after(
        () -> {
          if (!waiting.isEmpty()) {
            waiting.poll().run();
          }
        });
  }

  @Test
  void lostRaceUnitesAgainAndCleansUp() {
    Snapshot base = commit(null, wrote("a", 0, 1));
    BucketChange ours = wrote("a", 0, 1, 2);
    commit(base, wrote("a", 0, 1, 3));
    int before = indexFiles();
    PublishingFileIO racing =
        racing(
            () -> commit(table.latest(), wrote("a", 0, 1, 3, 4)),
            () -> commit(table.latest(), wrote("a", 1, 5)));
    table.committer(racing, null).commit(CommitRequest.batch("racer", List.of(ours)).basedOn(base));
    assertThat(live("a")).isEqualTo(Map.of(0, List.of(1, 2, 3, 4), 1, List.of(5)));
    assertThat(indexFiles()).as("two of others, the union for ours").isEqualTo(before + 2);
  }

  @Test
  void unionIsDeletedWhenALaterTryFails() {
    Snapshot base = commit(null, wrote("a", 0, 1));
    BucketChange ours = wrote("a", 0, 1, 2);
    commit(base, wrote("a", 0, 1, 3));
    List<String> before = new ArrayList<>(names());
    PublishingFileIO racing = racing(() -> commit(table.latest(), wrote("a", 1, 2)));
    assertConflict(
        () ->
            table
                .committer(racing, null)
                .commit(CommitRequest.batch("racer", List.of(ours)).basedOn(base)),
        "bucket 1 instead of 0");
    assertThat(names()).hasSize(before.size() + 1).containsAll(before);
  }

  private List<String> names() {
    return STORAGE.list(table.layout().indexFolder()).stream()
        .map(FileStatus::location)
        .map(Location::name)
        .toList();
  }
}
