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

package io.keylake.format.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestCache;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.golden.GoldenTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotStoreTest {
  @TempDir Path folder;
  private TableStorage storage;
  private SnapshotStore snapshots;

  @BeforeEach
  void open() {
    storage = storage(folder);
    snapshots = storage.snapshots();
  }

  private static TableStorage storage(Path table) {
    Clock later = Clock.fixed(Instant.now().plus(Duration.ofDays(1)), ZoneOffset.UTC);
    return new TableStorage(
        "db.t",
        HadoopFileIO.of(new Configuration()),
        TableLayout.of(new Location("file:" + table)),
        later,
        new ManifestCache(0));
  }

  static Snapshot snapshot(long id, long timeMillis, Long watermark) {
    return new Snapshot(
        3,
        id,
        0,
        "manifest-list-0",
        null,
        "manifest-list-1",
        null,
        null,
        null,
        null,
        "user",
        1,
        CommitKind.APPEND,
        timeMillis,
        0,
        0,
        null,
        watermark,
        null,
        Map.of(),
        0L,
        UnknownKeys.NONE);
  }

  private void publish(long... ids) {
    for (long id : ids) {
      assertThat(snapshots.publish(snapshot(id, id * 1000, null)))
          .isEqualTo(FileIO.Publication.PUBLISHED);
    }
  }

  @Test
  void aTableWithoutSnapshotsHasNone() {
    assertThat(snapshots.latestId()).isEmpty();
    assertThat(snapshots.earliestId()).isEmpty();
    assertThat(snapshots.latest()).isEmpty();
    assertThat(snapshots.all()).isEmpty();
    assertThatThrownBy(() -> snapshots.load(1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("db.t")
        .hasMessageContaining("no snapshots");
  }

  @Test
  void onlyOneWriterPublishesAnId() {
    publish(1);

    assertThat(snapshots.publish(snapshot(1, 5, null))).isEqualTo(FileIO.Publication.LOST);
    assertThat(snapshots.load(1).timeMillis()).isEqualTo(1000);
  }

  @Test
  void theLatestIsFoundWhateverTheHintSays() throws IOException {
    publish(1, 2, 3);
    assertThat(snapshots.latestId()).hasValue(3);

    for (String hint : List.of("3", "1", "9", "0", "-4", "", "x")) {
      Files.writeString(folder.resolve("snapshot/LATEST"), hint);
      assertThat(snapshots.latestId()).as("hint " + hint).hasValue(3);
      assertThat(snapshots.latest()).as("hint " + hint).map(Snapshot::id).contains(3L);
    }
  }

  @Test
  void theEarliestIsFoundWhateverTheHintSays() throws IOException {
    publish(4, 5, 6);
    assertThat(snapshots.earliestId()).hasValue(4);

    for (String hint : List.of("4", "1", "x")) {
      Files.writeString(folder.resolve("snapshot/EARLIEST"), hint);
      assertThat(snapshots.earliestId()).as("hint " + hint).hasValue(4);
    }
  }

  @Test
  void hintsAreShortcuts() throws IOException {
    publish(1, 2);
    snapshots.writeLatestHint(2);
    snapshots.writeEarliestHint(1);

    assertThat(folder.resolve("snapshot/LATEST")).hasContent("2");
    assertThat(folder.resolve("snapshot/EARLIEST")).hasContent("1");
    snapshots.deleteLatestHint();
    assertThat(folder.resolve("snapshot/LATEST")).doesNotExist();
  }

  @Test
  void filesOfOtherNamesAreNoSnapshots() throws IOException {
    publish(1, 2);
    for (String foreign :
        List.of("snapshot-3.tmp", "snapshot-", "snapshot--4", "snapshot-5x", ".snapshot-6.1.tmp")) {
      Files.writeString(folder.resolve("snapshot").resolve(foreign), "junk");
    }

    assertThat(snapshots.ids()).containsExactly(1L, 2L);
    assertThat(snapshots.latestId()).hasValue(2);
    assertThat(snapshots.all()).extracting(Snapshot::id).containsExactly(1L, 2L);
  }

  @Test
  void aTimeFindsTheNewestSnapshotNotAfterIt() {
    publish(1, 2, 3);

    assertThat(snapshots.findAtOrBefore(999)).isEmpty();
    assertThat(snapshots.findAtOrBefore(1000)).map(Snapshot::id).contains(1L);
    assertThat(snapshots.findAtOrBefore(2999)).map(Snapshot::id).contains(2L);
    assertThat(snapshots.findAtOrBefore(Long.MAX_VALUE)).map(Snapshot::id).contains(3L);
  }

  @Test
  void aSnapshotOfASlowClockCountsAsNotBeforeItsPredecessor() {
    snapshots.publish(snapshot(1, 1000, null));
    snapshots.publish(snapshot(2, 5000, null));
    snapshots.publish(snapshot(3, 2000, null));
    snapshots.publish(snapshot(4, 6000, null));

    assertThat(snapshots.findAtOrBefore(3000)).map(Snapshot::id).contains(1L);
    assertThat(snapshots.findAtOrBefore(5000)).map(Snapshot::id).contains(3L);
  }

  @Test
  void aWatermarkFindsTheOldestSnapshotThatReachedIt() {
    snapshots.publish(snapshot(1, 1, null));
    snapshots.publish(snapshot(2, 2, 10L));
    snapshots.publish(snapshot(3, 3, 20L));

    assertThat(snapshots.findByWatermark(11)).map(Snapshot::id).contains(3L);
    assertThat(snapshots.findByWatermark(21)).isEmpty();
  }

  @Test
  void anIdUsedAgainAfterARollbackIsReadAgain() throws IOException {
    publish(1, 2);
    assertThat(snapshots.all()).extracting(Snapshot::timeMillis).containsExactly(1000L, 2000L);
    Files.delete(folder.resolve("snapshot/snapshot-2"));
    snapshots.publish(snapshot(2, 2_000_000, null));

    assertThat(snapshots.all()).extracting(Snapshot::timeMillis).containsExactly(1000L, 2_000_000L);
    assertThat(snapshots.load(2).timeMillis()).isEqualTo(2_000_000);
  }

  @Test
  void tagsAreStoredAndListed() {
    Tag plain = new Tag("b", snapshot(2, 2, null), null, null);
    Tag kept =
        new Tag(
            "a 1",
            snapshot(1, 1, null),
            LocalDateTime.of(2024, 5, 6, 7, 8, 9, 10_000_000),
            Duration.ofMillis(1500));
    TagStore tags = storage.tags();
    tags.write(plain);
    tags.write(kept);

    assertThat(tags.names()).containsExactly("a 1", "b");
    assertThat(tags.all()).containsExactly(kept, plain);
    assertThat(tags.load("b")).isEqualTo(plain);
    assertThatThrownBy(() -> tags.load("c"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("db.t has no tag c")
        .hasMessageContaining("[a 1, b]")
        .extracting(e -> ((TableException) e).condition())
        .isEqualTo(Condition.KEYLAKE_REFERENCE_NOT_FOUND);
    tags.delete("b");
    assertThat(tags.find("b")).isEmpty();
    assertThat(tags.find("no/tag")).isEmpty();
  }

  @Test
  void consumersAreStoredAndListed() throws IOException {
    ConsumerStore consumers = storage.consumers();
    consumers.write("c1", 3);
    consumers.write("c2", 2);

    assertThat(folder.resolve("consumer/consumer-c1")).hasContent("{\n  \"nextSnapshot\" : 3\n}");
    assertThat(consumers.nextSnapshot("c1")).hasValue(3);
    assertThat(consumers.nextSnapshot("c3")).isEmpty();
    assertThat(consumers.all()).isEqualTo(Map.of("c1", 3L, "c2", 2L));
    assertThat(consumers.smallestNextSnapshot()).hasValue(2);
    consumers.write("c1", 3, 1);
    assertThat(consumers.nextSnapshot("c1")).hasValue(3);
    assertThat(consumers.smallestKept()).hasValue(1);
    consumers.write("c1", 3);
    assertThat(consumers.smallestKept()).hasValue(2);
    consumers.delete("c2");
    assertThat(consumers.all()).containsOnlyKeys("c1");
  }

  @Test
  void goldenTagsBranchesAndConsumersAreRead() {
    TableStorage golden = storage(GoldenTables.unpack("tags_branches", folder));

    assertThat(golden.tags().all()).extracting(tag -> tag.snapshot().id()).isSorted().isNotEmpty();
    assertThat(golden.branches().all()).extracting(BranchStore.Branch::name).containsExactly("b1");
    assertThat(golden.branches().exists("b1")).isTrue();
    assertThat(golden.consumers().all()).containsOnlyKeys("c1");
    TableStorage branch = golden.onBranch("b1");
    assertThat(branch.snapshots().ids()).containsExactly(1L, 2L, 3L);
    assertThat(branch.tags().names()).containsExactly("t1");
    assertThat(branch.manifests().list(branch.snapshots().load(3).baseManifestList(), null))
        .isNotEmpty();
  }

  @Test
  void goldenLongLivedChangelogsAreRead() {
    TableStorage golden = storage(GoldenTables.unpack("cl_decoupled", folder));
    ChangelogStore changelogs = golden.changelogs();

    List<Long> ids = changelogs.ids();
    assertThat(ids).isNotEmpty();
    assertThat(changelogs.earliestId()).hasValue(ids.get(0));
    assertThat(changelogs.latestId()).hasValue(ids.get(ids.size() - 1));
    assertThat(changelogs.find(ids.get(0))).map(Snapshot::id).contains(ids.get(0));
    assertThat(changelogs.find(99)).isEmpty();
  }

  @Test
  void statisticsAreStoredAndFound() {
    Statistics statistics =
        new Statistics(
            4,
            1,
            100L,
            null,
            Map.of(
                "a", new Statistics.ColumnValues(0, 5L, "1.500", "é", 0L, 8L, 8L),
                "b", new Statistics.ColumnValues(1, null, null, null, null, null, null)));
    storage.statistics().create("stat-1", statistics);
    Snapshot with =
        SnapshotCodec.read(
            SnapshotCodec.toText(snapshot(4, 1, null))
                .replace("\"nextRowId\"", "\"statistics\" : \"stat-1\", \"nextRowId\"")
                .getBytes(java.nio.charset.StandardCharsets.UTF_8),
            "snapshot-4");

    assertThat(storage.statistics().of(with)).contains(statistics);
    assertThat(storage.statistics().of(snapshot(4, 1, null))).isEqualTo(Optional.empty());
  }
}
