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
import static io.keylake.table.commit.CommitFixture.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.FaultyFileIO;
import io.keylake.format.index.IndexFile;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Statistics;
import io.keylake.table.commit.CommitResult.Compaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TableCommitterTest {
  @TempDir Path folder;

  private static Condition condition(Throwable failure) {
    return ((TableException) failure).condition();
  }

  @Test
  void appendMakesOneSnapshot() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    CommitResult result =
        table
            .committer()
            .commit(
                CommitRequest.batch("user", List.of(added("a", file("f1", 1, 5, 0))))
                    .withProperties(Map.of("job", "7"))
                    .withWatermark(99));
    Snapshot snapshot = table.latest();
    assertThat(result.newest()).contains(snapshot);
    assertThat(snapshot.id()).isEqualTo(1);
    assertThat(snapshot.commitKind()).isEqualTo(CommitKind.APPEND);
    assertThat(snapshot.commitUser()).isEqualTo("user");
    assertThat(snapshot.commitIdentifier()).isEqualTo(Long.MAX_VALUE);
    assertThat(snapshot.timeMillis()).isEqualTo(CommitFixture.NOW);
    assertThat(snapshot.totalRecordCount()).isEqualTo(5);
    assertThat(snapshot.deltaRecordCount()).isEqualTo(5);
    assertThat(snapshot.watermark()).isEqualTo(99);
    assertThat(snapshot.properties()).containsEntry("job", "7");
    assertThat(snapshot.indexManifest()).isNull();
    assertThat(table.liveNames()).containsExactly("f1@0");
    assertThat(
            new String(
                STORAGE.read(table.layout().snapshotFolder().child("LATEST")),
                StandardCharsets.UTF_8))
        .isEqualTo("1");
  }

  @Test
  void timesRiseThoughTheClockStandsStillAndTheWatermarkDoesNotFall() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    table
        .committer()
        .commit(
            CommitRequest.batch("u1", List.of(added("a", file("f1", 1, 1, 0)))).withWatermark(50));
    table
        .committer()
        .commit(
            CommitRequest.batch("u2", List.of(added("b", file("f2", 1, 1, 0)))).withWatermark(40));
    table.committer().commit(CommitRequest.batch("u3", List.of(added("c", file("f3", 1, 1, 0)))));
    List<Snapshot> all = table.storage().snapshots().all();
    assertThat(all)
        .extracting(Snapshot::timeMillis)
        .containsExactly(CommitFixture.NOW, CommitFixture.NOW + 1, CommitFixture.NOW + 2);
    assertThat(all).extracting(Snapshot::watermark).containsExactly(50L, 50L, 50L);
    assertThat(all).extracting(Snapshot::totalRecordCount).containsExactly(1L, 2L, 3L);
  }

  @Test
  void emptyBatchWriteMakesNoSnapshot() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    CommitResult result = table.committer().commit(CommitRequest.batch("user", List.of()));
    assertThat(result.snapshots()).isEmpty();
    assertThat(table.storage().snapshots().latest()).isEmpty();
    assertThat(table.manifestFiles()).isEmpty();
  }

  @Test
  void emptyStreamingStepIsRecorded() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    table.committer().commit(CommitRequest.streaming("stream", 1, List.of()));
    table.committer().commit(CommitRequest.streaming("stream", 2, List.of()));
    assertThat(table.latest().id()).isEqualTo(2);
    assertThat(table.latest().deltaRecordCount()).isZero();
    assertThat(table.committer().newestIdentifier("stream")).hasValue(2);
    assertThat(table.committer().newestIdentifier("other")).isEmpty();
  }

  @Test
  void optionDecidesAboutEmptyWrites() {
    CommitFixture table =
        CommitFixture.keyed(folder, Map.of("snapshot.ignore-empty-commit", "false"));
    table.committer().commit(CommitRequest.batch("user", List.of()));
    assertThat(table.latest().id()).isEqualTo(1);
  }

  @Test
  void repeatedCommitIsAppliedOnce() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    CommitRequest first = CommitRequest.streaming("s", 1, List.of(added("a", file("f1", 1, 2, 0))));
    CommitRequest second =
        CommitRequest.streaming("s", 2, List.of(added("a", file("f2", 1, 2, 2))));
    table.committer().commit(first);
    table.committer().commit(second);
    CommitResult again = table.committer().commit(second.basedOn(table.latest()));
    assertThat(again.newest()).contains(table.latest());
    assertThat(table.latest().id()).isEqualTo(2);
    CommitRequest batch = CommitRequest.batch("b", List.of(added("a", file("f3", 1, 2, 4))));
    table.committer().commit(batch);
    table.committer().commit(batch);
    assertThat(table.latest().id()).isEqualTo(3);
  }

  @Test
  void writtenPartComesBeforeTheCompactedPart() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    DataFile small = file("f1", 1, 3, 0);
    DataFile big = file("c1", 1, 3, 0).withLevel(5);
    CommitResult result =
        table
            .committer()
            .commit(
                CommitRequest.batch(
                    "user",
                    List.of(
                        change(
                            "a",
                            FileChanges.added(List.of(small)),
                            changes(List.of(big), List.of(small))))));
    assertThat(result.compaction()).isEqualTo(Compaction.COMMITTED);
    assertThat(result.snapshots())
        .extracting(Snapshot::commitKind)
        .containsExactly(CommitKind.APPEND, CommitKind.COMPACT);
    assertThat(table.latest().deltaRecordCount()).isZero();
    assertThat(table.liveNames()).containsExactly("c1@5");
  }

  @Test
  void partitionKeepsItsNumberOfBuckets() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    table.committer().commit(CommitRequest.batch("u1", List.of(added("a", file("f1", 1, 2, 0)))));
    Snapshot base = table.latest();
    BucketChange other =
        new BucketChange(
            partition("a"),
            0,
            4,
            FileChanges.added(List.of(file("f2", 1, 2, 2))),
            FileChanges.NONE);
    assertThatThrownBy(() -> table.committer().commit(CommitRequest.batch("u2", List.of(other))))
        .hasMessageContainingAll("p=a", "2 buckets", "4", "run the statement again");
    table
        .committer()
        .commit(
            CommitRequest.batch("u3", List.of(other))
                .basedOn(base)
                .overwriting(new OverwriteScope.WrittenPartitions()));
    assertThat(table.liveNames()).containsExactly("f2@5");
    assertThatThrownBy(
            () ->
                table
                    .committer()
                    .commit(
                        CommitRequest.batch("u4", List.of(added("a", file("f3", 1, 2, 9))))
                            .basedOn(base)))
        .hasMessageContainingAll("p=a", "4 buckets");
  }

  @Test
  void laterCommitOfTheSameKeysGetsHigherNumbers() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    table.committer().commit(CommitRequest.batch("u0", List.of(added("a", file("f0", 1, 9, 0)))));
    Snapshot base = table.latest();
    table
        .committer()
        .commit(
            CommitRequest.batch("u1", List.of(added("a", file("theirs", 3, 5, 9)))).basedOn(base));
    DataFile mine = file("mine", 5, 6, 9);
    DataFile merged = file("merged", 1, 9, 0).withLevel(5);
    BucketChange change =
        change(
            "a",
            FileChanges.added(List.of(mine)),
            changes(List.of(merged), List.of(file("f0", 1, 9, 0), mine)));
    table.store(change);
    DataFile again = file("again", 5, 6, 12);
    List<Long> numbers = new ArrayList<>();
    CommitResult result =
        table
            .committer(
                STORAGE,
                (asked, first) -> {
                  numbers.add(first);
                  BucketChange rewritten = added("a", again);
                  table.store(rewritten);
                  return rewritten;
                })
            .commit(CommitRequest.batch("u2", List.of(change)).basedOn(base));
    assertThat(numbers).containsExactly(12L);
    assertThat(result.compaction()).isEqualTo(Compaction.DROPPED);
    assertThat(result.dropped()).containsExactly(change);
    assertThat(table.liveNames()).containsExactly("again@0", "f0@0", "theirs@0");
    assertThat(STORAGE.exists(table.location("a", mine))).isFalse();
    assertThat(STORAGE.exists(table.location("a", merged))).isFalse();
    assertThat(STORAGE.exists(table.location("a", again))).isTrue();
  }

  @Test
  void otherKeysOrPartitionsNeedNoNewNumbers() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    table.committer().commit(CommitRequest.batch("u0", List.of(added("a", file("f0", 1, 9, 0)))));
    Snapshot base = table.latest();
    table
        .committer()
        .commit(CommitRequest.batch("u1", List.of(added("a", file("f1", 3, 5, 9)))).basedOn(base));
    table
        .committer()
        .commit(
            CommitRequest.batch(
                    "u2", List.of(added("a", file("f2", 6, 7, 9)), added("b", file("f3", 3, 5, 9))))
                .basedOn(base));
    assertThat(table.liveNames()).containsExactly("f0@0", "f1@0", "f2@0", "f3@0");
  }

  @Test
  void sameKeysWithoutRebaseAreAConflict() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    table.committer().commit(CommitRequest.batch("u1", List.of(added("a", file("f1", 3, 5, 0)))));
    assertThatThrownBy(
            () ->
                table
                    .committer()
                    .commit(CommitRequest.batch("u2", List.of(added("a", file("f2", 5, 6, 0))))))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContainingAll("same keys", "bucket 0", "p=a");
  }

  @Test
  void statisticsStayUntilTheSchemaChanges() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    table.committer().commit(CommitRequest.batch("u1", List.of(added("a", file("f1", 1, 1, 0)))));
    table.storage().statistics().create("stat-x-0", new Statistics(1, 0, 1L, 1L, Map.of()));
    Snapshot before = table.latest();
    table.storage().snapshots().publish(withStatistics(before, "stat-x-0"));
    table.committer().commit(CommitRequest.batch("u2", List.of(added("b", file("f2", 1, 1, 0)))));
    assertThat(table.latest().id()).isEqualTo(3);
    assertThat(table.latest().statistics()).isEqualTo("stat-x-0");
    var schema = table.schema;
    new SchemaStore(STORAGE, table.layout())
        .publish(
            new TableSchema(
                schema.version(),
                1,
                schema.fields(),
                schema.highestFieldId(),
                schema.partitionKeys(),
                schema.primaryKeys(),
                schema.options(),
                "comment",
                CommitFixture.NOW,
                schema.unknown()));
    table.committer().commit(CommitRequest.batch("u3", List.of(added("c", file("f3", 1, 1, 0)))));
    assertThat(table.latest().schemaId()).isEqualTo(1);
    assertThat(table.latest().statistics()).isNull();
  }

  private static Snapshot withStatistics(Snapshot s, String name) {
    return new Snapshot(
        s.version(),
        s.id() + 1,
        s.schemaId(),
        s.baseManifestList(),
        s.baseManifestListSize(),
        s.deltaManifestList(),
        s.deltaManifestListSize(),
        null,
        null,
        null,
        "analyze",
        Snapshot.BATCH_IDENTIFIER,
        CommitKind.ANALYZE,
        s.timeMillis() + 1,
        s.totalRecordCount(),
        0,
        null,
        null,
        name,
        Map.of(),
        0L,
        s.unknown());
  }

  @Test
  void indexFilesOfTheSnapshotAreCarriedAlong() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    IndexFile hash = new IndexFile(IndexFile.HASH, "index-1", 4, 1, null, null, null);
    FileChanges files =
        new FileChanges(
            List.of(file("f1", 1, 1, 0)), List.of(), List.of(), List.of(hash), List.of());
    table
        .committer()
        .commit(CommitRequest.batch("u1", List.of(change("a", files, FileChanges.NONE))));
    String manifest = table.latest().indexManifest();
    assertThat(manifest).isNotNull();
    assertThat(table.latest().commitKind()).isEqualTo(CommitKind.APPEND);
    table.committer().commit(CommitRequest.batch("u2", List.of(added("b", file("f2", 1, 1, 0)))));
    assertThat(table.latest().indexManifest()).isEqualTo(manifest);
    assertThat(table.storage().manifests().indexes(manifest)).hasSize(1);
    table
        .committer()
        .commit(
            CommitRequest.batch("u3", List.of())
                .overwriting(OverwriteScope.partitions(List.of(partition("a")))));
    assertThat(table.latest().indexManifest()).isNull();
  }

  @Test
  void changelogFilesAreListedApart() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    FileChanges files =
        new FileChanges(
            List.of(file("f1", 1, 2, 0)),
            List.of(),
            List.of(file("changelog-1", 1, 2, 0)),
            List.of(),
            List.of());
    table
        .committer()
        .commit(CommitRequest.batch("u1", List.of(change("a", files, FileChanges.NONE))));
    assertThat(table.latest().changelogRecordCount()).isEqualTo(2);
    assertThat(table.latest().totalRecordCount()).isEqualTo(2);
    assertThat(table.latest().changelogManifestList()).isNotNull();
    assertThat(table.liveNames()).containsExactly("f1@0");
  }

  @Test
  void abortDeletesTheFilesOfTheJobAndNoOthers() {
    CommitFixture table = CommitFixture.keyed(folder, Map.of());
    DataFile old = file("old", 1, 3, 0);
    BucketChange before = added("a", old);
    table.store(before);
    table.committer().commit(CommitRequest.batch("u1", List.of(before)));
    DataFile mine = file("mine", 1, 3, 3);
    BucketChange change =
        change(
            "a",
            FileChanges.added(List.of(mine)),
            changes(List.of(old.withLevel(5)), List.of(old)));
    table.store(added("a", mine));
    table.committer().abort(CommitRequest.batch("u2", List.of(change)));
    assertThat(STORAGE.exists(table.location("a", mine))).isFalse();
    assertThat(STORAGE.exists(table.location("a", old))).isTrue();
    table.committer().abort(CommitRequest.batch("u1", List.of(before)));
    assertThat(STORAGE.exists(table.location("a", old)))
        .as("file of a commit that happened")
        .isTrue();
  }

  @Test
  void filesThatTheTableHasAreDiscardedWhenAsked() {
    CommitFixture table =
        CommitFixture.append(folder, Map.of("commit.discard-duplicate-files", "true"));
    table.committer().commit(CommitRequest.batch("u1", List.of(added("a", file("f1", 1, 2, 0)))));
    table
        .committer()
        .commit(
            CommitRequest.batch(
                "u2", List.of(added("a", file("f1", 1, 2, 0), file("f2", 1, 2, 0)))));
    assertThat(table.liveNames()).containsExactly("f1@0", "f2@0");
    assertThat(table.latest().deltaRecordCount()).isEqualTo(2);
  }

  @Test
  void addingAFileTwiceIsAConflictWhenChecked() {
    CommitFixture table = CommitFixture.append(folder, Map.of());
    CommitRequest first = CommitRequest.batch("u1", List.of(added("a", file("f1", 1, 2, 0))));
    table.committer().commit(first);
    assertThatThrownBy(
            () ->
                table
                    .committer()
                    .commit(
                        CommitRequest.batch("u2", first.changes())
                            .withChecks(Set.of(CommitRequest.Check.FILES))))
        .hasMessageContaining("f1");
  }

  @Test
  void losingTheRaceIsTriedAgainWithGrowingPausesUntilThereAreNoMore() {
    CommitFixture table =
        CommitFixture.append(
            folder, Map.of("commit.max-retries", "3", "commit.max-retry-wait", "30 ms"));
    AtomicInteger others = new AtomicInteger();
    PublishingFileIO late =
        PublishingFileIO.after(
            () -> {
              String name = "o" + others.getAndIncrement();
              table
                  .committer()
                  .commit(CommitRequest.batch(name, List.of(added("b", file(name, 1, 1, 0)))));
            });
    assertThatThrownBy(
            () ->
                table
                    .committer(late, null)
                    .commit(CommitRequest.batch("me", List.of(added("a", file("f", 1, 2, 0))))))
        .hasMessageContainingAll("4 tries", "commit.max-retries")
        .extracting(TableCommitterTest::condition)
        .isEqualTo(Condition.KEYLAKE_CONCURRENT_MODIFICATION);
    assertThat(table.pauses).hasSize(3);
    assertThat(table.pauses.get(0)).isBetween(Duration.ofMillis(10), Duration.ofMillis(12));
    assertThat(table.pauses.get(1)).isBetween(Duration.ofMillis(20), Duration.ofMillis(24));
    assertThat(table.pauses.get(2)).isBetween(Duration.ofMillis(30), Duration.ofMillis(36));
    assertThat(table.liveNames()).containsExactly("o0@0", "o1@0", "o2@0", "o3@0");
    assertThat(table.manifestFiles()).as("no file of a lost try").hasSize(4 * 3);
  }

  @Test
  void strictModeRefusesToOverwriteWhatOthersAppendedSince() {
    CommitFixture table =
        CommitFixture.keyed(folder, Map.of("commit.strict-mode.last-safe-snapshot", "0"));
    table.committer().commit(CommitRequest.batch("u1", List.of(added("a", file("f1", 1, 2, 0)))));
    assertThatThrownBy(
            () ->
                table
                    .committer()
                    .commit(
                        CommitRequest.batch("u2", List.of())
                            .overwriting(new OverwriteScope.WholeTable())))
        .hasMessageContainingAll("Snapshot 1", "strict mode");
  }

  @Test
  void failureToWriteTheHintIsNoFailure() {
    CommitFixture table = CommitFixture.append(folder, Map.of());
    FaultyFileIO counting = FaultyFileIO.counting(STORAGE);
    table
        .committer(counting, null)
        .commit(CommitRequest.batch("u1", List.of(added("a", file("f1", 1, 2, 0)))));
    List<String> calls = counting.calls();
    int hint = 1;
    while (!calls.get(hint - 1).startsWith("overwrite")) {
      hint++;
    }
    assertThat(calls.get(hint - 1)).endsWith("LATEST");
    CommitFixture other = CommitFixture.append(folder.resolve("other"), Map.of());
    FaultyFileIO failing = FaultyFileIO.failing(STORAGE, hint, FaultyFileIO.Moment.BEFORE_EFFECT);
    other
        .committer(failing, null)
        .commit(CommitRequest.batch("u1", List.of(added("a", file("f1", 1, 2, 0)))));
    assertThat(failing.hasFaulted()).isTrue();
    assertThat(other.latest().id()).isEqualTo(1);
  }
}
