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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.reference.ReferenceTable;
import io.keylake.table.LakeTable;
import io.keylake.table.maintenance.Branches;
import io.keylake.table.maintenance.Tags;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanFilter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reference reads what we commit, and commits on top of it. Data files come from a second table
 * that the reference writes.
 */
final class CommitOracleTest {
  private static final FileIO IO = HadoopFileIO.of(new Configuration(false));

  @TempDir Path warehouse;
  private ReferenceTable source;
  private ReferenceTable oracle;
  private LakeTable table;
  private int commits;

  @BeforeEach
  void createTables() throws Exception {
    source = ReferenceTable.of(warehouse.toString(), "db", "source");
    source.create(
        Schema.newBuilder()
            .column("p", DataTypes.STRING().notNull())
            .column("k", DataTypes.INT().notNull())
            .column("v", DataTypes.STRING())
            .partitionKeys("p")
            .primaryKey("p", "k")
            .option("bucket", "2")
            .option("write-only", "true")
            .build());
    table = LakeTable.create("db.t", IO, root("t"), load("source").schema());
    oracle = ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  private Location root(String name) {
    return new Location(warehouse.resolve("db.db").resolve(name).toUri().toString());
  }

  private LakeTable load(String name) {
    return LakeTable.load("db." + name, IO, root(name));
  }

  private static String row(String partition, int key, String value) {
    return "{\"p\":\"%s\",\"k\":%d,\"v\":\"%s\"}".formatted(partition, key, value);
  }

  /** Lets the reference write the rows elsewhere and takes the files over into our table. */
  private List<BucketChange> written(String... rows) throws Exception {
    source.write(List.of(rows));
    LakeTable from = load("source");
    Snapshot snapshot = from.snapshot().orElseThrow();
    List<BucketChange> changes = new ArrayList<>();
    for (BucketFiles bucket : from.plan(ScanFilter.NONE.keepingStats()).buckets()) {
      List<DataFile> added = new ArrayList<>();
      for (DataFile file : bucket.files()) {
        Location target = table.addresses().dataFile(bucket.partition(), bucket.bucket(), file);
        if (!IO.exists(target)) {
          IO.create(
              target,
              IO.read(from.addresses().dataFile(bucket.partition(), bucket.bucket(), file)));
          added.add(file);
        }
      }
      changes.add(
          new BucketChange(
              bucket.partition(), bucket.bucket(), 2, FileChanges.added(added), FileChanges.NONE));
    }
    assertThat(snapshot.commitKind()).isEqualTo(CommitKind.APPEND);
    return changes;
  }

  private CommitRequest request(List<BucketChange> changes) {
    return CommitRequest.batch("user" + commits++, changes).basedOn(table.snapshot().orElse(null));
  }

  private CommitResult commit(CommitRequest request) {
    return table.committer(CommitEnvironment.system()).commit(request);
  }

  private static BinaryRow partition(List<BucketChange> changes) {
    return changes.get(0).partition();
  }

  @Test
  void referenceReadsOurAppendsAndGoesOn() throws Exception {
    commit(request(written(row("a", 1, "x"), row("a", 2, "x"), row("b", 1, "x"))));
    commit(request(written(row("a", 2, "y"))).withWatermark(7).withProperties(Map.of("q", "1")));
    assertThat(oracle.rows()).containsExactly(row("a", 1, "x"), row("a", 2, "y"), row("b", 1, "x"));
    assertThat(oracle.rows(Map.of("scan.snapshot-id", "1"))).contains(row("a", 2, "x"));
    assertThat(oracle.problems()).isEmpty();
    oracle.write(List.of(row("c", 1, "z")));
    commit(request(written(row("a", 1, "w"))));
    assertThat(table.snapshot()).map(Snapshot::id).contains(4L);
    assertThat(oracle.rows())
        .containsExactly(row("a", 1, "w"), row("a", 2, "y"), row("b", 1, "x"), row("c", 1, "z"));
    assertThat(oracle.problems()).isEmpty();
  }

  @Test
  void referenceReadsOurOverwritesAndTruncation() throws Exception {
    commit(request(written(row("a", 1, "x"), row("b", 1, "x"))));
    List<BucketChange> changes = written(row("a", 5, "y"));
    commit(
        request(changes.stream().filter(c -> !c.written().isEmpty()).toList())
            .overwriting(new OverwriteScope.WrittenPartitions()));
    assertThat(oracle.rows()).containsExactly(row("a", 5, "y"), row("b", 1, "x"));
    assertThat(oracle.problems()).isEmpty();
    commit(request(List.of()).overwriting(OverwriteScope.partitions(List.of(partition(changes)))));
    assertThat(oracle.rows()).hasSize(1);
    commit(request(List.of()).overwriting(new OverwriteScope.WholeTable()));
    assertThat(oracle.rows()).isEmpty();
    assertThat(oracle.problems()).isEmpty();
  }

  @Test
  void referenceCompactsWhatWeCommittedAndReadsMergedManifests() throws Exception {
    LakeTable merging =
        table.withOptions(
            Map.of(
                "manifest.merge-min-count", "2",
                "manifest.full-compaction-threshold-size", "1 b"));
    for (int i = 0; i < 4; i++) {
      merging
          .committer(CommitEnvironment.system())
          .commit(request(written(row("a", i, "x" + i), row("a", 9, "y" + i))));
    }
    assertThat(table.storage().baseManifests(table.snapshot().orElseThrow())).hasSize(1);
    assertThat(oracle.rows()).hasSize(5).contains(row("a", 9, "y3"));
    oracle.compactFully();
    merging.committer(CommitEnvironment.system()).commit(request(written(row("b", 1, "z"))));
    assertThat(oracle.rows()).hasSize(6).contains(row("a", 9, "y3"), row("b", 1, "z"));
    assertThat(oracle.problems()).isEmpty();
  }

  @Test
  void referenceReadsOurTagsAndBranches() throws Exception {
    commit(request(written(row("a", 1, "x"))));
    Snapshot first = table.snapshot().orElseThrow();
    new Tags(table.storage(), Clock.systemUTC()).create("v1", first, Duration.ofDays(1));
    Branches branches = new Branches(table.storage());
    branches.createFromTag("dev", "v1");
    commit(request(written(row("a", 2, "y"))));
    assertThat(oracle.rows(Map.of("scan.tag-name", "v1"))).containsExactly(row("a", 1, "x"));
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t$branch_dev").rows())
        .containsExactly(row("a", 1, "x"));
    branches.fastForward("dev");
    assertThat(oracle.rows()).containsExactly(row("a", 1, "x"));
    assertThat(oracle.problems()).isEmpty();
  }
}
