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

package io.keylake.catalog.cleanup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.SharedSpark;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.golden.GoldenTables;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import io.keylake.table.LakeTable;
import io.keylake.table.maintenance.Branches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Procedures that delete, on tables that the reference implementation reads afterwards. */
final class CleanupSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private Path folder(String table) {
    return warehouse.resolve("db.db").resolve(table);
  }

  private ReferenceTable reference(String table) {
    return ReferenceTable.of(warehouse.toString(), "db", table);
  }

  private void keyed(String table, String options) {
    spark.run(
        "CREATE TABLE "
            + table
            + " (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '2'"
            + options
            + ")");
  }

  /** Four upserts of the same keys, the second tagged, then a compaction. */
  private void history(String table) {
    for (int i = 1; i <= 4; i++) {
      spark.run(
          "INSERT INTO "
              + table
              + " SELECT CAST(id AS INT), 'v"
              + i
              + "' FROM range("
              + i * 10
              + ")");
      if (i == 2) {
        spark.run("CALL lake.sys.create_tag(table => '" + table + "', tag => 'second')");
      }
    }
    spark.run("CALL lake.sys.compact(table => '" + table + "')");
  }

  /** Makes a branch {@code b} of the tag {@code second}. */
  private void branch(String table) {
    LakeTable loaded =
        LakeTable.load(
            table,
            HadoopFileIO.of(new Configuration(false)),
            new Location("file:" + folder(table).toAbsolutePath()));
    new Branches(loaded.storage()).createFromTag("b", "second");
  }

  private List<Path> files(String table) throws IOException {
    try (Stream<Path> all = Files.walk(folder(table))) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private void age(String table, Duration by) throws IOException {
    for (Path file : files(table)) {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(by)));
    }
  }

  private Path old(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "nobody names this");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(3))));
    return file;
  }

  @Test
  void expiryLeavesWhatTagsAndRetainedSnapshotsRead() throws Exception {
    keyed("t", ", 'deletion-vectors.enabled' = 'true'");
    history("t");
    List<String> tagged = spark.rows("SELECT * FROM t VERSION AS OF 'second' ORDER BY k");
    List<String> newest = spark.rows("SELECT * FROM t ORDER BY k");
    long latest = Long.parseLong(spark.value("SELECT max(snapshot_id) FROM `t$snapshots`"));
    String call = "CALL lake.sys.expire_snapshots(table => 't', retain_max => 1, retain_min => 1";
    assertThat(spark.value(call + ", dry_run => true)")).isEqualTo(Long.toString(latest - 1));
    assertThat(spark.value("SELECT count(*) FROM `t$snapshots`")).isEqualTo(Long.toString(latest));
    assertThat(spark.value(call + ")")).isEqualTo(Long.toString(latest - 1));
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 'second' ORDER BY k")).isEqualTo(tagged);
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).isEqualTo(newest);
    assertThat(reference("t").problems()).isEmpty();
    assertThat(reference("t").rows(Map.of("scan.tag-name", "second"))).hasSize(tagged.size());
    assertThatThrownBy(() -> spark.rows("SELECT * FROM t VERSION AS OF 1"))
        .hasMessageContaining("1");
    assertThat(spark.value(call + ")")).isEqualTo("0");
  }

  @Test
  void referenceExpiresOurHistoryAndWeItsOwn() throws Exception {
    keyed("t", "");
    history("t");
    List<String> tagged = spark.rows("SELECT * FROM t VERSION AS OF 'second' ORDER BY k");
    reference("t").expire(2);
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 'second' ORDER BY k")).isEqualTo(tagged);
    SoundTable.checkEverything(folder("t"));
    reference("t").write(List.of("{\"k\":1,\"v\":\"theirs\"}"));
    reference("t").compactFully();
    spark.run("CALL lake.sys.expire_snapshots(table => 't', retain_max => 1)");
    assertThat(reference("t").problems()).isEmpty();
    assertThat(reference("t").rows()).contains("{\"k\":1,\"v\":\"theirs\"}");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("40");
    age("t", Duration.ofDays(3));
    assertThat(spark.rows("CALL lake.sys.remove_orphan_files(table => 't', dry_run => true)"))
        .containsExactly("0,0,0");
  }

  private List<String> sorted(String table) {
    return spark.rows("SELECT * FROM " + table).stream().sorted().toList();
  }

  @Test
  void goldenTablesStayReadable() throws Exception {
    for (String table :
        List.of("expired", "tags_branches", "cl_decoupled", "dv_pk", "dyn_bucket")) {
      Path unpacked = GoldenTables.unpack(table, warehouse);
      Files.createDirectories(folder(table).getParent());
      Files.move(unpacked, folder(table));
      List<String> before = sorted(table);
      age(table, Duration.ofDays(3));
      assertThat(spark.rows("CALL lake.sys.remove_orphan_files(table => '" + table + "')"))
          .as(table)
          .containsExactly("0,0,0");
      spark.run("CALL lake.sys.expire_snapshots(table => '" + table + "', retain_max => 1)");
      assertThat(sorted(table)).as(table).isEqualTo(before);
      assertThat(reference(table).problems()).as(table).isEmpty();
    }
  }

  @Test
  void orphansAreOldFilesThatNoVersionNames() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, p STRING, v STRING, PRIMARY KEY (k, p) NOT ENFORCED) PARTITIONED BY"
            + " (p) TBLPROPERTIES ('bucket' = '1', 'deletion-vectors.enabled' = 'true')");
    for (int i = 0; i < 3; i++) {
      spark.run(
          "INSERT INTO t SELECT CAST(id AS INT), concat('p', id % 2), 'v" + i + "' FROM range(20)");
    }
    age("t", Duration.ofDays(3));
    List<Path> orphans =
        List.of(
            old(folder("t").resolve("p=p0/bucket-0/data-lost-0.parquet")),
            old(folder("t").resolve("manifest/manifest-lost-0")),
            old(folder("t").resolve("index/index-lost-0")),
            old(folder("t").resolve("statistics/stat-lost-0")),
            old(folder("t").resolve("snapshot/.snapshot-9.lost.tmp")));
    Path young = folder("t").resolve("p=p0/bucket-0/data-young-0.parquet");
    Files.writeString(young, "of a commit under way");
    Path beside = old(folder("t").resolve("p=p0/_SUCCESS"));
    List<String> rows = spark.rows("SELECT * FROM t ORDER BY k");
    String call = "CALL lake.sys.remove_orphan_files(table => 't'";
    assertThat(spark.rows(call + ", dry_run => true)")).containsExactly("5,85,0");
    assertThat(orphans).allMatch(Files::exists);
    assertThat(spark.rows(call + ", mode => 'local')")).containsExactly("5,85,0");
    assertThat(orphans).noneMatch(Files::exists);
    assertThat(young).exists();
    assertThat(beside).exists();
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).isEqualTo(rows);
    assertThat(spark.rows(call + ", older_than => '" + soon() + "')")).containsExactly("1,21,0");
    assertThatThrownBy(() -> spark.rows(call + ", older_than => '2999-01-01 00:00:00')"))
        .hasMessageContaining("older_than");
  }

  private static String soon() {
    return Instant.now().toString();
  }

  @Test
  void manifestThatCannotBeReadStopsTheRemovalOfOrphans() throws Exception {
    spark.run("CREATE TABLE t (v INT)", "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2)");
    Path orphan = old(folder("t").resolve("bucket-0/data-lost-0.parquet"));
    Path manifest =
        files("t").stream()
            .filter(file -> file.getFileName().toString().matches("manifest-[0-9a-f].*"))
            .findFirst()
            .orElseThrow();
    byte[] content = Files.readAllBytes(manifest);
    Files.delete(manifest);
    assertThatThrownBy(() -> spark.rows("CALL lake.sys.remove_orphan_files(table => 't')"))
        .hasMessageContaining(manifest.getFileName().toString());
    assertThat(orphan).exists();
    Files.write(manifest, content);
    assertThat(spark.rows("CALL lake.sys.remove_orphan_files(table => 'db.*')"))
        .containsExactly("1,17,0");
    assertThat(orphan).doesNotExist();
  }

  @Test
  void branchFilesAreNoOrphans() throws Exception {
    keyed("t", "");
    history("t");
    branch("t");
    spark.run(
        "INSERT INTO `t$branch_b` VALUES (1000, 'of the branch')",
        "CALL lake.sys.delete_tag(table => 't', tag => 'second')",
        "CALL lake.sys.expire_snapshots(table => 't', retain_max => 1)");
    List<String> rows = spark.rows("SELECT * FROM `t$branch_b` ORDER BY k");
    assertThat(rows).hasSize(21);
    age("t", Duration.ofDays(3));
    spark.run("CALL lake.sys.remove_orphan_files(table => 't')");
    assertThat(spark.rows("SELECT * FROM `t$branch_b` ORDER BY k")).isEqualTo(rows);
    assertThat(reference("t").problems()).isEmpty();
  }

  @Test
  void partitionsAreDroppedExpiredAndMarked() throws Exception {
    spark.run(
        "CREATE TABLE t (v INT, dt DATE) PARTITIONED BY (dt)",
        "INSERT INTO t VALUES (1, DATE'2024-01-01'), (2, DATE'2024-01-02'), (3, DATE'2024-01-03'),"
            + " (4, current_date())");
    assertThat(
            spark.rows(
                "CALL lake.sys.mark_partition_done(table => 't', partitions =>"
                    + " 'dt=2024-01-02;dt=2024-01-03')"))
        .containsExactlyInAnyOrder("dt=2024-01-02,true", "dt=2024-01-03,true");
    assertThat(folder("t").resolve("dt=19724/_SUCCESS"))
        .content()
        .contains("creationTime", "modificationTime");
    String drop = "CALL lake.sys.drop_partition(table => 't', where => \"dt = '2024-01-01'\"";
    assertThat(spark.rows(drop + ", dry_run => true)")).containsExactly("dt=2024-01-01");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("4");
    assertThat(spark.rows(drop + ")")).containsExactly("dt=2024-01-01");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("3");
    String expire =
        "CALL lake.sys.expire_partitions(table => 't', expiration_time => '30 d', max_expires =>"
            + " 1)";
    assertThat(spark.rows(expire)).containsExactly("dt=2024-01-02");
    assertThat(spark.rows(expire)).containsExactly("dt=2024-01-03");
    assertThat(spark.rows(expire)).isEmpty();
    assertThat(spark.rows("SELECT v FROM t")).containsExactly("4");
    assertThatThrownBy(() -> spark.rows("CALL lake.sys.drop_partition(table => 't')"))
        .hasMessageContaining("partitions");
    assertThat(reference("t").problems()).isEmpty();
  }

  @Test
  void filesThatDoNotExistAreTakenOutWithTheirVectors() throws Exception {
    spark.run(
        "CREATE TABLE t (v INT) TBLPROPERTIES ('deletion-vectors.enabled' = 'true')",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ * FROM VALUES (1), (2), (3)",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ * FROM VALUES (4), (5)",
        "DELETE FROM t WHERE v IN (2, 4)");
    List<String> files = spark.rows("SELECT file_path FROM `t$files` WHERE record_count = 3");
    Path lost = folder("t").resolve("bucket-0").resolve(Path.of(files.get(0)).getFileName());
    byte[] content = Files.readAllBytes(lost);
    Files.delete(lost);
    assertThatThrownBy(() -> spark.rows("SELECT * FROM t")).isInstanceOf(Exception.class);
    String call = "CALL lake.sys.remove_unexisting_files(table => 't'";
    assertThat(spark.rows(call + ", dry_run => true)")).hasSize(1);
    assertThat(spark.rows(call + ")"))
        .singleElement()
        .asString()
        .contains(lost.getFileName().toString())
        .endsWith(",3");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("5");
    assertThat(spark.rows(call + ")")).isEmpty();
    Files.write(lost, content);
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 3 ORDER BY 1")).hasSize(3);
    assertThat(reference("t").problems()).isEmpty();
  }

  @Test
  void purgeLeavesTheDefinitionOnly() throws Exception {
    keyed("t", "");
    history("t");
    branch("t");
    String call = "CALL lake.sys.purge_files(table => 't'";
    long found = Long.parseLong(spark.value(call + ", dry_run => true)"));
    assertThat(found).isGreaterThan(10);
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("40");
    assertThat(Long.parseLong(spark.value(call + ")"))).isGreaterThan(10);
    assertThat(spark.rows("SELECT * FROM t")).isEmpty();
    assertThat(files("t"))
        .noneMatch(file -> file.getFileName().toString().startsWith("data-"))
        .noneMatch(file -> file.getFileName().toString().startsWith("tag-"));
    assertThat(spark.value("SELECT count(*) FROM `t$snapshots`")).isEqualTo("1");
    spark.run("INSERT INTO t VALUES (1, 'again')");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,again");
    assertThat(reference("t").problems()).isEmpty();
  }

  @Test
  void writesExpireByTheOptionsOfTheTable() throws Exception {
    keyed("t", ", 'snapshot.num-retained.min' = '1', 'snapshot.num-retained.max' = '3'");
    for (int i = 0; i < 5; i++) {
      spark.run("INSERT INTO t VALUES (1, 'v" + i + "')");
    }
    spark.run("DELETE FROM t WHERE k = 1");
    assertThat(Long.parseLong(spark.value("SELECT count(*) FROM `t$snapshots`"))).isEqualTo(3);
    assertThat(spark.rows("SELECT * FROM t")).isEmpty();
    assertThat(reference("t").problems()).isEmpty();
  }
}
