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

package io.keylake.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.reference.ReferenceTable;
import io.keylake.table.LakeTable;
import io.keylake.table.maintenance.Branches;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code CALL sys.compact} does to files and snapshots, and that it changes no row. */
final class CompactProcedureSparkTest {
  private static final String COLUMNS =
      "buckets_checked, buckets_compacted, files_in, files_out, rows_in, rows_out,"
          + " files_upgraded, buckets_dropped";

  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  /** The counts of a compaction without its bytes and its time, in the order of COLUMNS. */
  private String compact(String arguments) {
    String[] row = spark.rows("CALL lake.sys.compact(" + arguments + ")").get(0).split(",");
    assertThat(Long.parseLong(row[10])).isNotNegative();
    return String.join(",", row[0], row[1], row[2], row[3], row[6], row[7], row[8], row[9]);
  }

  private List<String> files(String table) {
    return spark.rows(
        "SELECT level, count(*), sum(record_count) FROM `"
            + table
            + "$files` GROUP BY level ORDER BY level");
  }

  private List<String> kinds(String table) {
    return spark.rows("SELECT commit_kind FROM `" + table + "$snapshots` ORDER BY snapshot_id");
  }

  private void assertSound(String table) throws Exception {
    assertThat(ReferenceTable.of(warehouse.toString(), "db", table).problems()).isEmpty();
  }

  @Test
  void fullPutsAllRunsOfEachBucketOnTheTopLevel() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '2', 'write-only' = 'true')");
    for (int i = 0; i < 3; i++) {
      spark.run("INSERT INTO t SELECT CAST(id AS INT), 'v" + i + "' FROM range(" + i + ", 100)");
    }
    assertThat(files("t")).containsExactly("0,6,297");
    assertThat(compact("table => 't'")).as(COLUMNS).isEqualTo("2,2,6,2,297,100,0,0");
    assertThat(files("t")).containsExactly("5,2,100");
    assertThat(kinds("t")).containsExactly("APPEND", "APPEND", "APPEND", "COMPACT");
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v ORDER BY v"))
        .containsExactly("v0,1", "v1,1", "v2,98");
    assertThat(spark.value("SELECT count(*) FROM t VERSION AS OF 1 WHERE v = 'v0'"))
        .isEqualTo("100");
    assertThat(spark.value("SELECT count(*) FROM `t$ro`")).isEqualTo("100");
    assertSound("t");
    assertThat(compact("table => 't'")).as(COLUMNS).isEqualTo("2,0,0,0,0,0,0,0");
    assertThat(kinds("t")).hasSize(4);
  }

  @Test
  void minorDoesWhatAWriteWouldDo() {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '1', 'write-only' = 'true')");
    for (int i = 0; i < 4; i++) {
      spark.run("INSERT INTO t VALUES (1, 'v" + i + "')");
    }
    assertThat(compact("table => 't', compact_strategy => 'minor'"))
        .as(COLUMNS)
        .isEqualTo("1,0,0,0,0,0,0,0");
    spark.run("INSERT INTO t VALUES (1, 'v4')");
    assertThat(compact("table => 't', compact_strategy => 'minor'"))
        .as(COLUMNS)
        .isEqualTo("1,1,5,1,5,1,0,0");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,v4");
  }

  @Test
  void filesThatOverlapNothingAreMovedAsTheyAre() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '1', 'write-only' = 'true', 'compaction.small-file-ratio' = '0')",
        "INSERT INTO t SELECT CAST(id AS INT), 'a' FROM range(0, 10)",
        "INSERT INTO t SELECT CAST(id AS INT), 'b' FROM range(10, 20)");
    List<String> names = spark.rows("SELECT file_path FROM `t$files` ORDER BY 1");
    assertThat(compact("table => 't'")).as(COLUMNS).isEqualTo("1,1,0,0,0,0,2,0");
    assertThat(spark.rows("SELECT file_path FROM `t$files` ORDER BY 1")).isEqualTo(names);
    assertThat(files("t")).containsExactly("5,2,20");
    assertThat(spark.rows("SELECT min(k), max(k), count(*) FROM t WHERE v = 'b'"))
        .containsExactly("10,19,10");
    assertSound("t");
  }

  @Test
  void onlyChosenPartitionsAreCompacted() {
    spark.run(
        "CREATE TABLE t (k INT, p STRING, PRIMARY KEY (k, p) NOT ENFORCED) PARTITIONED BY (p)"
            + " TBLPROPERTIES ('bucket' = '2', 'write-only' = 'true')");
    for (int i = 0; i < 2; i++) {
      spark.run("INSERT INTO t SELECT CAST(id AS INT), concat('p', id % 3) FROM range(0, 60)");
    }
    assertThat(compact("table => 't', where => \"p > 'p1'\"")).isEqualTo("2,2,4,2,40,20,0,0");
    assertThat(
            spark.rows(
                "SELECT `partition`, sum(file_count) FROM `t$partitions` GROUP BY 1 ORDER BY 1"))
        .hasSize(3)
        .last()
        .asString()
        .endsWith(",2");
    assertThat(compact("table => 't', partitions => 'p=p0'")).isEqualTo("2,2,4,2,40,20,0,0");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("60");
  }

  @Test
  void optionsOfTheCallHoldForItsFiles() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '1', 'write-only' = 'true', 'file.block-size' = '10 kb', 'parquet.page.size' ="
            + " '1000')");
    for (int i = 0; i < 2; i++) {
      spark.run("INSERT INTO t SELECT CAST(id AS INT), uuid() FROM range(0, 5000)");
    }
    assertThat(compact("table => 't', options => 'target-file-size=40 kb'")).startsWith("1,1,2,");
    assertThat(Integer.parseInt(spark.value("SELECT count(*) FROM `t$files`"))).isBetween(2, 20);
    assertThat(files("t")).hasSize(1).first().asString().startsWith("5,").endsWith(",5000");
    assertSound("t");
    assertThat(compact("table => 't'")).startsWith("1,0,");
  }

  @Test
  void largeRewritesAreCutByKey() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '1', 'write-only' = 'true', 'target-file-size' = '20 kb', 'file.block-size' = '10"
            + " kb', 'parquet.page.size' = '1000')");
    for (int i = 0; i < 3; i++) {
      spark.run(
          "INSERT INTO t SELECT CAST(id AS INT), concat('"
              + i
              + "', uuid()) FROM range(0, 5000, "
              + (i + 1)
              + ")");
    }
    assertThat(compact("table => 't'")).startsWith("1,1,").endsWith(",9167,5000,0,0");
    assertThat(files("t")).hasSize(1).first().asString().startsWith("5,").endsWith(",5000");
    assertThat(spark.rows("SELECT left(v, 1), count(*) FROM t GROUP BY 1 ORDER BY 1"))
        .containsExactly("0,1667", "1,1666", "2,1667");
    assertSound("t");
  }

  @Test
  void smallFilesOfAppendTablesArePutTogether() throws Exception {
    spark.run(
        "CREATE TABLE t (id INT, p STRING) PARTITIONED BY (p)",
        "INSERT INTO t VALUES (1, 'a'), (1, 'b')",
        "INSERT INTO t VALUES (2, 'a')",
        "INSERT INTO t VALUES (2, 'a'), (NULL, NULL)");
    assertThat(compact("table => 't', compact_strategy => 'minor'")).startsWith("3,0,");
    assertThat(compact("table => 't'")).as(COLUMNS).isEqualTo("3,1,3,1,3,3,0,0");
    assertThat(spark.rows("SELECT id, p FROM t ORDER BY p, id"))
        .containsExactly("null,null", "1,a", "2,a", "2,a", "1,b");
    assertThat(kinds("t")).last().isEqualTo("COMPACT");
    assertSound("t");
    assertThat(compact("table => 't'")).as(COLUMNS).isEqualTo("3,0,0,0,0,0,0,0");
  }

  @Test
  void expiredRowsAreDropped() {
    spark.run(
        "CREATE TABLE t (k INT, ts TIMESTAMP, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES"
            + " ('bucket' = '1', 'record-level.expire-time' = '1 d', 'record-level.time-field' ="
            + " 'ts')",
        "INSERT INTO t VALUES (1, TIMESTAMP'2001-01-01 00:00:00'), (2, now()), (3, NULL)");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("3");
    assertThat(compact("table => 't'")).as(COLUMNS).isEqualTo("1,1,1,1,3,2,0,0");
    assertThat(spark.rows("SELECT k FROM t ORDER BY k")).containsExactly("2", "3");
  }

  @Test
  void dynamicBucketsAreCompactedAlike() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES"
            + " ('write-only' = 'true', 'dynamic-bucket.target-row-num' = '50')");
    for (int i = 0; i < 2; i++) {
      spark.run("INSERT INTO t SELECT CAST(id AS INT), '" + i + "' FROM range(0, 100)");
    }
    assertThat(compact("table => 't'")).endsWith(",200,100,0,0");
    spark.run("INSERT INTO t SELECT CAST(id AS INT), 'x' FROM range(50, 150)");
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v ORDER BY v"))
        .containsExactly("1,50", "x,100");
    assertSound("t");
  }

  @Test
  void tablesThatCannotBeWrittenAreRefusedByName() throws Exception {
    ReferenceTable.of(warehouse.toString(), "db", "t")
        .create(
            Schema.newBuilder()
                .column("k", DataTypes.INT())
                .column("v", DataTypes.INT())
                .primaryKey("k")
                .option("bucket", "1")
                .option("data-file.external-paths.strategy", "round-robin")
                .build());
    assertThatThrownBy(() -> compact("table => 't'"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_OPTION")
        .hasMessageContaining("data-file.external-paths.strategy");
  }

  @Test
  void branchesAreCompactedByThemselves() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '1',"
            + " 'write-only' = 'true')",
        "INSERT INTO t VALUES (1)",
        "CALL lake.sys.create_tag(table => 't', tag => 'one')");
    LakeTable table =
        LakeTable.load(
            "t",
            HadoopFileIO.of(new Configuration()),
            new Location(warehouse.resolve("db.db/t").toUri().toString()));
    new Branches(table.storage()).createFromTag("b", "one");
    spark.run("INSERT INTO `t$branch_b` VALUES (2)");
    assertThat(compact("table => 't', options => 'branch=b'")).startsWith("1,1,2,1,2,2,0,0");
    assertThat(files("t")).containsExactly("0,1,1");
    assertThat(compact("table => 't$branch_b'")).startsWith("1,0,");
    assertThat(spark.rows("SELECT k FROM `t$branch_b` ORDER BY k")).containsExactly("1", "2");
  }

  @Test
  void theSessionCatalogWorks() {
    spark.run(
        "CREATE TABLE t (k INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '1',"
            + " 'write-only' = 'true')",
        "INSERT INTO t VALUES (1)",
        "INSERT INTO t VALUES (1)");
    SharedSpark other = SharedSpark.inSessionCatalog(warehouse);
    assertThat(other.rows("CALL spark_catalog.sys.compact(table => 'db.t')"))
        .first()
        .asString()
        .startsWith("1,1,2,1,");
    assertThat(files("t")).containsExactly("5,1,1");
  }
}
