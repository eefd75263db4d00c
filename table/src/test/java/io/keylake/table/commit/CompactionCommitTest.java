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
import static io.keylake.table.commit.CommitFixture.compacted;
import static io.keylake.table.commit.CommitFixture.file;
import static io.keylake.table.commit.CommitFixture.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.fileio.FaultyFileIO;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.commit.CommitResult.Compaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compactions beside other commits. */
final class CompactionCommitTest {
  private static final DataFile OLD = file("old", 1, 3, 0);
  private static final DataFile MERGED = file("merged", 1, 3, 0).withLevel(5);

  @TempDir Path folder;
  private int users;

  private CommitResult commit(CommitFixture table, BucketChange... changes) {
    return commit(table, STORAGE, changes);
  }

  private CommitResult commit(CommitFixture table, FileIO io, BucketChange... changes) {
    return table.committer(io, null).commit(CommitRequest.batch("u" + users++, List.of(changes)));
  }

  /** A table that holds {@link #OLD} in bucket 0 of partition a. */
  private CommitFixture keyed() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    commit(table, added("a", OLD));
    return table;
  }

  private static BucketChange compaction(DataFile output, DataFile... inputs) {
    return compacted(0, changes(List.of(output), List.of(inputs)));
  }

  private static FileChanges files(
      List<DataFile> added,
      List<DataFile> removed,
      List<IndexFile> addedIndexes,
      List<IndexFile> removedIndexes) {
    return new FileChanges(added, removed, List.of(), addedIndexes, removedIndexes);
  }

  private static IndexFile vectors(String name, DeletionVectorRef... refs) {
    return new IndexFile(
        IndexFile.DELETION_VECTORS, name, 33, refs.length, List.of(refs), null, null);
  }

  private static DeletionVectorRef vector(String dataFile) {
    return new DeletionVectorRef(dataFile, 1, 24, 2L);
  }

  private static boolean exists(CommitFixture table, DataFile file) {
    return STORAGE.exists(table.location("a", file));
  }

  private static boolean exists(CommitFixture table, IndexFile file) {
    Location location = table.table(STORAGE).addresses().indexFile(partition("a"), 0, file);
    return STORAGE.exists(location);
  }

  private static List<String> indexNames(CommitFixture table) {
    return table.storage().indexEntries(table.latest()).stream()
        .map(IndexEntry::file)
        .map(IndexFile::name)
        .toList();
  }

  private static void assertDropped(CommitResult result, BucketChange... changes) {
    assertThat(result.compaction()).isEqualTo(Compaction.DROPPED);
    assertThat(result.dropped()).containsExactly(changes);
  }

  @Test
  void secondCompactionOfABucketIsDroppedButTheRowsThatCameWithItStay() {
    CommitFixture table = keyed();
    Snapshot base = table.latest();
    commit(table, compaction(file("theirs", 1, 3, 0).withLevel(5), OLD));
    DataFile mine = file("mine", 7, 8, 3);
    DataFile merged = file("merged", 1, 8, 0).withLevel(5);
    BucketChange change =
        change("a", FileChanges.added(List.of(mine)), changes(List.of(merged), List.of(OLD, mine)));
    table.store(change);
    CommitResult result =
        table.committer().commit(CommitRequest.batch("me", List.of(change)).basedOn(base));
    assertDropped(result, change);
    assertThat(result.newest()).map(Snapshot::commitKind).contains(CommitKind.APPEND);
    assertThat(table.liveNames()).containsExactly("mine@0", "theirs@5");
    assertThat(table.latest().totalRecordCount()).isEqualTo(5);
    assertThat(exists(table, mine)).isTrue();
    assertThat(exists(table, merged)).isFalse();
  }

  @Test
  void compactionAloneThatDoesNotFitMakesNoSnapshotAndLeavesNoFile() {
    CommitFixture table = keyed();
    commit(table, compaction(file("theirs", 1, 3, 0).withLevel(5), OLD));
    long before = table.latest().id();
    int manifests = table.manifestFiles().size();
    BucketChange change = compaction(MERGED, OLD);
    table.store(change);
    CommitResult result = commit(table, change);
    assertDropped(result, change);
    assertThat(result.snapshots()).isEmpty();
    assertThat(table.latest().id()).isEqualTo(before);
    assertThat(table.manifestFiles()).hasSize(manifests);
    assertThat(exists(table, MERGED)).isFalse();
  }

  @Test
  void compactionOfAnEmptyTableIsDropped() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    BucketChange change = compaction(MERGED, OLD);
    assertDropped(commit(table, change), change);
    assertThat(table.storage().snapshots().latest()).isEmpty();
  }

  @Test
  void onlyTheBucketsThatDoNotFitAreDropped() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    DataFile one = file("one", 1, 4, 0);
    BucketChange inBucketOne =
        new BucketChange(partition("a"), 1, 2, FileChanges.added(List.of(one)), FileChanges.NONE);
    commit(table, added("a", OLD), inBucketOne);
    commit(table, compaction(file("theirs", 1, 3, 0).withLevel(5), OLD));
    BucketChange late = compaction(MERGED, OLD);
    DataFile output = file("output", 1, 4, 0).withLevel(5);
    BucketChange fits = compacted(1, changes(List.of(output), List.of(one)));
    table.store(late);
    table.store(fits);
    CommitResult result = commit(table, late, fits);
    assertThat(result.compaction()).isEqualTo(Compaction.COMMITTED);
    assertThat(result.dropped()).containsExactly(late);
    assertThat(result.snapshots()).hasSize(1);
    assertThat(table.latest().commitKind()).isEqualTo(CommitKind.COMPACT);
    assertThat(table.latest().deltaRecordCount()).isZero();
    assertThat(table.latest().totalRecordCount()).isEqualTo(7);
    assertThat(table.liveNames()).containsExactly("output@5", "theirs@5");
    assertThat(exists(table, MERGED)).isFalse();
    assertThat(STORAGE.exists(table.table(STORAGE).addresses().dataFile(partition("a"), 1, output)))
        .isTrue();
  }

  @Test
  void rowsAppendedMeanwhileAreInNobodysWay() {
    CommitFixture table = keyed();
    commit(table, added("a", file("later", 2, 9, 3)));
    CommitResult result = commit(table, compaction(MERGED, OLD));
    assertThat(result.compaction()).isEqualTo(Compaction.COMMITTED);
    assertThat(result.dropped()).isEmpty();
    assertThat(table.liveNames()).containsExactly("later@0", "merged@5");
    assertThat(table.latest().totalRecordCount()).isEqualTo(11);
  }

  @Test
  void compactionOfOverwrittenOrDroppedPartitionsIsDropped() {
    for (OverwriteScope scope :
        List.of(
            new OverwriteScope.WholeTable(), OverwriteScope.partitions(List.of(partition("a"))))) {
      CommitFixture table = CommitFixture.keyed(folder.resolve("t" + users), Map.of());
      commit(table, added("a", OLD));
      table.committer().commit(CommitRequest.batch("o", List.of()).overwriting(scope));
      BucketChange change = compaction(MERGED, OLD);
      table.store(change);
      assertDropped(commit(table, change), change);
      assertThat(table.liveNames()).isEmpty();
      assertThat(exists(table, MERGED)).isFalse();
    }
  }

  @Test
  void fileThatIsOnlyMovedIsNotDeleted() {
    CommitFixture table = keyed();
    BucketChange move = compaction(OLD.withLevel(5), OLD);
    STORAGE.create(table.location("a", OLD), new byte[1]);
    commit(table, move);
    assertThat(table.liveNames()).containsExactly("old@5");
    assertDropped(commit(table, move), move);
    assertThat(exists(table, OLD)).isTrue();
  }

  @Test
  void outputMayNotOverlapWhatAnotherCompactionPutOnItsLevel() {
    CommitFixture table = keyed();
    DataFile more = file("more", 3, 9, 3);
    commit(table, added("a", more));
    commit(table, compaction(file("theirs", 3, 9, 3).withLevel(5), more));
    BucketChange change = compaction(MERGED, OLD);
    assertDropped(commit(table, change), change);
    BucketChange lower = compaction(MERGED.withLevel(4), OLD);
    assertThat(commit(table, lower).compaction()).isEqualTo(Compaction.COMMITTED);
    assertThat(table.liveNames()).containsExactly("merged@4", "theirs@5");
  }

  @Test
  void twoChangesOfABucketStandOrFallTogether() {
    CommitFixture table = keyed();
    DataFile more = file("more", 7, 9, 3);
    commit(table, added("a", more));
    commit(table, compaction(file("theirs", 1, 3, 0).withLevel(5), OLD));
    BucketChange first = compaction(file("c1", 7, 9, 3).withLevel(5), more);
    BucketChange second = compaction(MERGED, OLD);
    assertDropped(commit(table, first, second), first, second);
  }

  @Test
  void changesOfAnAppendTableStandAlone() {
    CommitFixture table = CommitFixture.append(folder, Map.of());
    DataFile f1 = file("f1", 1, 3, 0);
    DataFile f2 = file("f2", 1, 4, 0);
    commit(table, unaware(FileChanges.added(List.of(f1, f2)), FileChanges.NONE));
    commit(table, unaware(FileChanges.NONE, changes(List.of(file("o", 1, 3, 0)), List.of(f1))));
    BucketChange late =
        unaware(FileChanges.NONE, changes(List.of(file("late", 1, 3, 0)), List.of(f1)));
    BucketChange fits =
        unaware(FileChanges.NONE, changes(List.of(file("fits", 1, 4, 0)), List.of(f2)));
    BucketChange again =
        unaware(FileChanges.NONE, changes(List.of(file("again", 1, 4, 0)), List.of(f2)));
    CommitResult result = commit(table, late, fits, again);
    assertThat(result.dropped()).containsExactly(late, again);
    assertThat(table.liveNames()).containsExactly("fits@0", "o@0");
  }

  private static BucketChange unaware(FileChanges written, FileChanges compacted) {
    return new BucketChange(partition("a"), 0, -1, written, compacted);
  }

  @Test
  void vectorChangedMeanwhileIsInTheWay() {
    CommitFixture table = keyed();
    IndexFile first = vectors("index-1", vector("old"));
    commit(table, compacted(0, files(List.of(), List.of(), List.of(first), List.of())));
    IndexFile second = vectors("index-2", vector("old"));
    commit(table, compacted(0, files(List.of(), List.of(), List.of(second), List.of(first))));
    BucketChange stale =
        compacted(0, files(List.of(MERGED), List.of(OLD), List.of(), List.of(first)));
    BucketChange blind = compaction(MERGED, OLD);
    table.store(stale);
    assertDropped(commit(table, stale), stale);
    assertThat(exists(table, MERGED)).isFalse();
    assertDropped(commit(table, blind), blind);
    BucketChange right =
        compacted(0, files(List.of(MERGED), List.of(OLD), List.of(), List.of(second)));
    assertThat(commit(table, right).compaction()).isEqualTo(Compaction.COMMITTED);
    assertThat(table.latest().indexManifest()).isNull();
  }

  @Test
  void vectorFileOfTheBucketMustBeTheOneThatIsReplaced() {
    CommitFixture table = keyed();
    DataFile top = file("top", 1, 9, 0).withLevel(5);
    commit(table, compaction(top));
    IndexFile theirs = vectors("index-1", vector("top"));
    commit(table, compacted(0, files(List.of(), List.of(), List.of(theirs), List.of())));
    DataFile up = OLD.withLevel(4);
    IndexFile mine = vectors("index-2", vector("top"));
    BucketChange blind = compacted(0, files(List.of(up), List.of(OLD), List.of(mine), List.of()));
    table.store(blind);
    STORAGE.create(table.location("a", OLD), new byte[1]);
    assertDropped(commit(table, blind), blind);
    assertThat(exists(table, mine)).isFalse();
    assertThat(exists(table, OLD)).as("only moved").isTrue();
    assertThat(indexNames(table)).containsExactly("index-1");
    BucketChange right =
        compacted(0, files(List.of(up), List.of(OLD), List.of(mine), List.of(theirs)));
    assertThat(commit(table, right).compaction()).isEqualTo(Compaction.COMMITTED);
    assertThat(indexNames(table)).containsExactly("index-2");
  }

  @Test
  void fileThatMovesKeepsWhateverVectorItHas() {
    CommitFixture table = keyed();
    DataFile up = OLD.withLevel(4);
    commit(table, compaction(up, OLD));
    IndexFile theirs = vectors("index-1", vector("old"));
    commit(table, compacted(0, files(List.of(), List.of(), List.of(theirs), List.of())));
    CommitResult result = commit(table, compaction(OLD.withLevel(5), up));
    assertThat(result.compaction()).isEqualTo(Compaction.COMMITTED);
    assertThat(indexNames(table)).containsExactly("index-1");
  }

  @Test
  void marksOfAFileThatAnotherCompactionRewroteAreInTheWay() {
    CommitFixture table = keyed();
    DataFile top = file("top", 1, 9, 0).withLevel(5);
    commit(table, compaction(top));
    commit(table, compaction(file("rewritten", 1, 9, 0).withLevel(5), top));
    BucketChange marks =
        compacted(
            0,
            files(
                List.of(OLD.withLevel(4)),
                List.of(OLD),
                List.of(vectors("index-1", vector("top"))),
                List.of()));
    assertDropped(commit(table, marks), marks);
    assertThat(table.liveNames()).containsExactly("old@0", "rewritten@5");
  }

  @Test
  void deletionFromAnAppendFileIsInTheWayOfItsCompaction() {
    CommitFixture table = CommitFixture.append(folder, Map.of());
    DataFile f1 = file("f1", 1, 3, 0);
    DataFile f2 = file("f2", 1, 4, 0);
    commit(table, unaware(FileChanges.added(List.of(f1, f2)), FileChanges.NONE));
    IndexFile deleted = vectors("index-1", vector("f1"));
    commit(
        table, unaware(files(List.of(), List.of(), List.of(deleted), List.of()), FileChanges.NONE));
    BucketChange blind =
        unaware(FileChanges.NONE, changes(List.of(file("late", 1, 3, 0)), List.of(f1)));
    BucketChange other =
        unaware(FileChanges.NONE, changes(List.of(file("fits", 1, 4, 0)), List.of(f2)));
    CommitResult result = commit(table, blind, other);
    assertThat(result.dropped()).containsExactly(blind);
    BucketChange right =
        unaware(
            FileChanges.NONE,
            files(List.of(file("c", 1, 1, 0)), List.of(f1), List.of(), List.of(deleted)));
    assertThat(commit(table, right).dropped()).isEmpty();
    assertThat(table.liveNames()).containsExactly("c@0", "fits@0");
    assertThat(table.latest().indexManifest()).isNull();
  }

  @Test
  void overwriteThatComesBetweenTheTriesDropsTheCompaction() {
    CommitFixture table = keyed();
    BucketChange change = compaction(MERGED, OLD);
    table.store(change);
    List<String> once = new ArrayList<>();
    PublishingFileIO late =
        PublishingFileIO.after(
            () -> {
              if (once.isEmpty()) {
                once.add("done");
                table
                    .committer()
                    .commit(
                        CommitRequest.batch("o", List.of(added("a", file("new", 1, 2, 0))))
                            .overwriting(new OverwriteScope.WrittenPartitions()));
              }
            });
    assertDropped(commit(table, late, change), change);
    assertThat(table.liveNames()).containsExactly("new@5");
    assertThat(exists(table, MERGED)).isFalse();
    assertThat(table.manifestFiles()).as("no file of a lost try").hasSize(6);
  }

  @Test
  void overwriteWithACompactionOfItsOwnPutsNothingOnTheTopLevel() {
    CommitFixture table = keyed();
    DataFile small = file("small", 1, 3, 0);
    DataFile big = file("big", 1, 3, 0).withLevel(5);
    CommitResult result =
        table
            .committer()
            .commit(
                CommitRequest.batch(
                        "o",
                        List.of(
                            change(
                                "a",
                                FileChanges.added(List.of(small)),
                                changes(List.of(big), List.of(small)))))
                    .overwriting(new OverwriteScope.WholeTable()));
    assertThat(result.compaction()).isEqualTo(Compaction.COMMITTED);
    assertThat(result.snapshots())
        .extracting(Snapshot::commitKind)
        .containsExactly(CommitKind.OVERWRITE, CommitKind.COMPACT);
    assertThat(table.liveNames()).containsExactly("big@5");
  }

  @Test
  void repeatedRequestIsFoundWithTheBucketsThatItLeftOut() {
    CommitFixture table = keyed();
    DataFile one = file("one", 1, 4, 0);
    commit(
        table,
        new BucketChange(partition("a"), 1, 2, FileChanges.added(List.of(one)), FileChanges.NONE));
    commit(table, compaction(file("theirs", 1, 3, 0).withLevel(5), OLD));
    BucketChange late = compaction(MERGED, OLD);
    BucketChange fits =
        compacted(1, changes(List.of(file("output", 1, 4, 0).withLevel(5)), List.of(one)));
    CommitRequest request = CommitRequest.streaming("me", 7, List.of(late, fits));
    CommitResult first = table.committer().commit(request);
    CommitResult again = table.committer().commit(request);
    assertThat(again).isEqualTo(first);
    assertThat(again.dropped()).containsExactly(late);
    assertThat(table.storage().snapshots().all())
        .filteredOn(snapshot -> snapshot.commitUser().equals("me"))
        .hasSize(1);
  }

  @Test
  void nothingIsDeletedWhenItIsUnknownWhetherTheCompactionHappened() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of("commit.max-retries", "1"));
    commit(table, added("a", OLD));
    DataFile mine = file("mine", 7, 8, 3);
    DataFile merged = file("merged", 1, 8, 0).withLevel(5);
    BucketChange change =
        change("a", FileChanges.added(List.of(mine)), changes(List.of(merged), List.of(OLD, mine)));
    table.store(change);
    List<Runnable> delayed = new ArrayList<>();
    PublishingFileIO io =
        new PublishingFileIO(
            (file, content) -> {
              if (file.name().equals("snapshot-2")) {
                return STORAGE.publish(file, content);
              }
              delayed.add(() -> STORAGE.publish(file, content));
              throw new UncheckedIOException(new IOException("no reply"));
            });
    CommitResult result = commit(table, io, change);
    assertThat(result.compaction()).isEqualTo(Compaction.UNKNOWN);
    assertThat(result.dropped()).isEmpty();
    assertThat(exists(table, merged)).isTrue();
    delayed.get(0).run();
    assertThat(table.liveNames()).containsExactly("merged@5");
  }

  @Test
  void storageThatFailsAfterTheRowsWereCommittedCostsTheCompactionOnly() {
    CommitFixture table = keyed();
    DataFile mine = file("mine", 7, 8, 3);
    DataFile merged = file("merged", 1, 8, 0).withLevel(5);
    BucketChange change =
        change("a", FileChanges.added(List.of(mine)), changes(List.of(merged), List.of(OLD, mine)));
    table.store(change);
    FaultyFileIO counting = FaultyFileIO.counting(STORAGE);
    CommitFixture other = CommitFixture.keyed(folder.resolve("other"), Map.of());
    commit(other, added("a", OLD));
    commit(other, counting, change);
    int published =
        IntStream.range(0, counting.calls().size())
            .filter(i -> counting.calls().get(i).startsWith("publish"))
            .skip(1)
            .findFirst()
            .orElseThrow();
    FaultyFileIO failing =
        FaultyFileIO.failing(STORAGE, published, FaultyFileIO.Moment.BEFORE_EFFECT);
    CommitResult result = commit(table, failing, change);
    assertThat(failing.hasFaulted()).isTrue();
    assertDropped(result, change);
    assertThat(table.liveNames()).containsExactly("mine@0", "old@0");
    assertThat(exists(table, mine)).isTrue();
    CommitResult again =
        table.committer().commit(CommitRequest.batch("u" + (users - 1), List.of(change)));
    assertThat(again.compaction()).as("the request, repeated").isEqualTo(Compaction.COMMITTED);
    assertThat(table.liveNames()).containsExactly("merged@5");
    assertThat(exists(table, merged)).isTrue();
  }

  @Test
  void strictModeRefusesACompactionAfterAnothers() {
    CommitFixture table =
        CommitFixture.keyed(folder, Map.of("commit.strict-mode.last-safe-snapshot", "1"));
    commit(table, added("a", OLD), added("b", file("b", 1, 2, 0)));
    commit(table, compaction(file("theirs", 1, 3, 0).withLevel(5), OLD));
    BucketChange elsewhere =
        change(
            "b",
            FileChanges.NONE,
            changes(List.of(file("c", 1, 2, 0).withLevel(5)), List.of(file("b", 1, 2, 0))));
    assertThatThrownBy(() -> commit(table, elsewhere))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContainingAll("Snapshot 2", "strict mode");
  }

  @Test
  void onlyManifestsOfTheCompactedBucketsAreRead() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    commit(table, added("a", OLD));
    commit(
        table,
        new BucketChange(
            partition("a"),
            1,
            2,
            FileChanges.added(List.of(file("one", 1, 4, 0))),
            FileChanges.NONE));
    commit(table, added("b", file("b", 1, 2, 0)));
    FaultyFileIO counting = FaultyFileIO.counting(STORAGE);
    commit(table, counting, compaction(MERGED, OLD));
    assertThat(counting.calls())
        .filteredOn(call -> call.startsWith("read") && call.matches(".*/manifest-id[^/]*"))
        .hasSize(1);
  }

  @Test
  void aRewriteFailsWhereACompactionMarkedRowsOfItsInputsMeanwhile() {
    CommitFixture table = keyed();
    DataFile small = file("small", 1, 1, 5);
    commit(table, added("a", small));
    IndexFile marks = vectors("marks", vector("old"));
    commit(table, compacted(0, files(List.of(), List.of(small), List.of(marks), List.of())));
    FileChanges rewritten = files(List.of(MERGED), List.of(OLD), List.of(), List.of());
    assertThatThrownBy(() -> commit(table, change("a", rewritten, FileChanges.NONE)))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("Another commit deleted rows of data file old");
    FileChanges onMarks = files(List.of(MERGED), List.of(OLD), List.of(), List.of(marks));
    commit(table, change("a", onMarks, FileChanges.NONE));
    assertThat(table.liveNames()).containsExactly("merged@5");
    assertThat(indexNames(table)).isEmpty();
  }
}
