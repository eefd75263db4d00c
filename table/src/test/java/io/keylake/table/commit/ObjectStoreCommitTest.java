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
import static io.keylake.table.commit.CommitFixture.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.fileio.ObjectStore;
import io.keylake.format.fileio.ObjectStore.Fault;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestCache;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.maintenance.Branches;
import io.keylake.table.maintenance.Tags;
import io.keylake.table.options.TableOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits on storage that has conditional puts, but neither folders nor rename. */
final class ObjectStoreCommitTest {
  private static final int WRITERS = 4;
  private static final int COMMITS = 12;
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochMilli(CommitFixture.NOW), ZoneOffset.UTC);

  @TempDir private Path folder;

  private final ObjectStore store = ObjectStore.empty("commits");
  private final Configuration configuration = new Configuration(false);
  private final FileIO io = HadoopFileIO.of(configuration);
  private CommitTable table;

  @BeforeEach
  void createTable() {
    CommitFixture definition = CommitFixture.append(folder, Map.of("commit.max-retries", "1000"));
    table = open(definition, "objstore://commits/db.db/t");
    new SchemaStore(io, table.storage().layout()).publish(definition.schema);
  }

  @AfterEach
  void nothingWasRenamed() {
    assertThat(store.renames()).isZero();
  }

  private CommitTable open(CommitFixture definition, String root) {
    TableStorage storage =
        new TableStorage(
            "db.t", io, TableLayout.of(new Location(root)), CLOCK, new ManifestCache(0));
    return new CommitTable(storage, definition.schema, TableOptions.of(definition.schema));
  }

  private TableCommitter committer(String writer) {
    AtomicInteger ids = new AtomicInteger();
    CommitEnvironment environment =
        new CommitEnvironment(
            CLOCK,
            () -> writer + "-" + ids.incrementAndGet(),
            new Random(writer.hashCode()),
            pause -> {});
    return new TableCommitter(table, environment);
  }

  private static CommitRequest request(String name) {
    return CommitRequest.batch(name, List.of(added("a", file(name, 1, 3, 0))));
  }

  private List<Snapshot> snapshots() {
    return table.storage().snapshots().all();
  }

  private List<String> liveFiles() {
    TouchedPartitions all =
        TouchedPartitions.where(partition -> true, table.schema().partitionType());
    return new BaseFiles(table)
            .live(table.storage().snapshots().latest().orElse(null), all, StatsProjection.SKIP)
            .values()
            .stream()
            .map(ManifestEntry::file)
            .map(file -> file.name())
            .toList();
  }

  private Void write(String writer) {
    for (int i = 0; i < COMMITS; i++) {
      committer(writer + i).commit(request(writer + i));
    }
    return null;
  }

  @Test
  void racingCommitsOnUnreliableStorageAreEachAppliedOnce() throws Exception {
    store.unreliable(4711);
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String name = "writer" + writer + "-";
        writers.add(pool.submit(() -> write(name)));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(snapshots()).hasSize(WRITERS * COMMITS);
    assertThat(snapshots()).extracting(Snapshot::commitUser).doesNotHaveDuplicates();
    assertThat(snapshots().get(WRITERS * COMMITS - 1).totalRecordCount())
        .isEqualTo(3L * WRITERS * COMMITS);
    assertThat(liveFiles()).hasSize(WRITERS * COMMITS).doesNotHaveDuplicates();
  }

  @Test
  void replyThatIsLostAfterTheEffectCountsAsCommitted() {
    failing(Fault.REPLY_LOST);
    assertThat(committer("me").commit(request("me")).snapshots()).hasSize(1);
    assertThat(snapshots()).hasSize(1);
    assertThat(liveFiles()).containsExactly("me");
  }

  @Test
  void refusedPutIsTriedAgain() {
    failing(Fault.REFUSED, Fault.REFUSED);
    committer("me").commit(request("me"));
    assertThat(snapshots()).hasSize(1);
  }

  @Test
  void commitThatStaysUnknownDeletesNothing() {
    store.faults(key -> key.contains("/snapshot/") ? Fault.REFUSED : Fault.NONE);
    CommitTable few =
        new CommitTable(
            table.storage(),
            table.schema(),
            TableOptions.of(table.schema(), Map.of("commit.max-retries", "1")));
    TableCommitter committer = new TableCommitter(few, environment());
    assertThatThrownBy(() -> committer.commit(request("me")))
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_COMMIT_OUTCOME_UNKNOWN);
    assertThat(store.keys()).anyMatch(key -> key.contains("/manifest/manifest-"));
  }

  private static CommitEnvironment environment() {
    AtomicInteger ids = new AtomicInteger();
    return new CommitEnvironment(
        CLOCK, () -> "id" + ids.incrementAndGet(), new Random(3), pause -> {});
  }

  private void failing(Fault... faults) {
    Deque<Fault> next = new ArrayDeque<>(List.of(faults));
    store.faults(
        key -> key.contains("/snapshot/snapshot-") && !next.isEmpty() ? next.poll() : Fault.NONE);
  }

  @Test
  void branchesAndTagsNeedNoRename() {
    committer("one").commit(request("one"));
    Snapshot first = table.storage().snapshots().latest().orElseThrow();
    committer("two").commit(request("two"));
    Tags tags = new Tags(table.storage(), CLOCK);
    tags.create("first", first, null);
    tags.rename("first", "start");
    Branches branches = new Branches(table.storage());
    branches.createFromTag("work", "start");
    branches.rename("work", "done");
    assertThat(table.storage().branches().exists("work")).isFalse();
    assertThat(table.storage().onBranch("done").snapshots().all()).hasSize(1);
    assertThat(table.storage().onBranch("done").schemas().latestId()).hasValue(0);
    branches.fastForward("done");
    assertThat(liveFiles()).containsExactly("one");
    branches.delete("done");
    assertThat(store.keys()).noneMatch(key -> key.contains("/branch/"));
  }

  @Test
  void storeWithoutConditionsIsRefusedUnlessThereIsOneWriter() {
    store.withoutConditions();
    assertThatThrownBy(() -> committer("me").commit(request("me")))
        .hasMessageContaining("keylake.storage.single-writer")
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_UNSAFE_STORAGE);
    assertThat(snapshots()).isEmpty();
  }
}
