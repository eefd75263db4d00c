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

import io.keylake.spark.testing.SoundTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/**
 * {@code CALL sys.compact_database}, {@code compact_manifest}, {@code materialize_deletion_vectors}
 * and {@code rewrite_file_index}.
 */
final class CompactionProceduresSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse, HookedFileSystem.OPTIONS);
  }

  @AfterEach
  void tablesAreSound() {
    HookedFileSystem.unhook();
    SoundTable.checkAllUnder(warehouse);
  }

  private void assertSound(List<String> rows) throws Exception {
    assertThat(spark.rows("SELECT * FROM t ORDER BY ALL")).isEqualTo(rows);
    SameAsReference.check(spark, warehouse, "t");
  }

  private void createKeyed(String table) {
    spark.run(
        "CREATE TABLE "
            + table
            + " (k INT, v INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '1',"
            + " 'write-only' = 'true')",
        "INSERT INTO " + table + " VALUES (1, 1), (2, 2)",
        "INSERT INTO " + table + " VALUES (1, 2)");
  }

  @Test
  void compactDatabaseGoesOverAllTablesThatMatch() throws Exception {
    spark.run("CREATE NAMESPACE lake.other");
    for (String table : List.of("a", "b", "a_tmp", "lake.other.a")) {
      createKeyed(table);
    }
    spark.run("CREATE TABLE c (i INT)");
    assertThat(
            spark.rows(
                "CALL lake.sys.compact_database(including_databases => 'db', excluding_tables =>"
                    + " '.*_tmp', dry_run => true)"))
        .extracting(row -> row.substring(0, row.lastIndexOf(",")).replaceAll(",\\d+$", ""))
        .containsExactly(
            "db,a,compacted,1,1,2,null," + bytesIn("a") + ",null,3,null,0,0",
            "db,b,compacted,1,1,2,null," + bytesIn("b") + ",null,3,null,0,0",
            "db,c,unchanged,0,0,0,null,0,null,0,null,0,0");
    assertThat(spark.value("SELECT count(*) FROM `a$snapshots`")).isEqualTo("2");
    assertThat(
            spark.rows(
                "CALL lake.sys.compact_database(including_tables => 'db\\\\.a.*|other\\\\.a')"))
        .extracting(row -> String.join(",", List.of(row.split(",")).subList(0, 7)))
        .containsExactly(
            "db,a,compacted,1,1,2,1", "db,a_tmp,compacted,1,1,2,1", "other,a,compacted,1,1,2,1");
    assertThat(spark.rows("SELECT * FROM a ORDER BY k")).containsExactly("1,2", "2,2");
    SameAsReference.check(spark, warehouse, "a");
    assertThat(spark.value("SELECT count(*) FROM `b$snapshots`")).isEqualTo("2");
  }

  private String bytesIn(String table) {
    return spark.value("SELECT sum(file_size_in_bytes) FROM `" + table + "$files`");
  }

  @Test
  void aTableThatFailsDoesNotStopTheOthers() throws Exception {
    createKeyed("a");
    createKeyed("b");
    HookedFileSystem.hook(
        file -> {
          if (file.toString().contains("/a/") && file.getName().startsWith("data-")) {
            throw new IOException("no space");
          }
        });
    List<String> rows = spark.rows("CALL lake.sys.compact_database()");
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0)).startsWith("db,a,failed,0,0,").contains("no space");
    assertThat(rows.get(1)).startsWith("db,b,compacted,1,1,2,1,").endsWith(",null");
  }

  @Test
  void patternsAndOptionsAreCheckedFirst() {
    createKeyed("a");
    assertThatThrownBy(() -> spark.rows("CALL lake.sys.compact_database(excluding_tables => '(')"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "excluding_tables '('");
    assertThatThrownBy(() -> spark.rows("CALL lake.sys.compact_database(options => 'no.such=1')"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "no.such");
    assertThat(spark.rows("CALL lake.sys.compact_database(partition_idle_time => '1 d')"))
        .extracting(row -> row.substring(0, 17))
        .containsExactly("db,a,unchanged,0,");
  }

  @Test
  void compactManifestMergesManifestsOnce() throws Exception {
    spark.run("CREATE TABLE t (k INT, v INT) TBLPROPERTIES ('deletion-vectors.enabled' = 'false')");
    for (int i = 0; i < 5; i++) {
      spark.run("INSERT INTO t VALUES (" + i + ", 1)");
    }
    spark.run("DELETE FROM t WHERE k = 3");
    List<String> rows = spark.rows("SELECT * FROM t ORDER BY ALL");
    String call = "CALL lake.sys.compact_manifest(table => 't'";
    assertThat(spark.rows(call + ", dry_run => true)").get(0))
        .startsWith("6,null,")
        .contains(",true,null,");
    assertThat(spark.rows(call + ")").get(0)).startsWith("6,1,").contains(",true,7,");
    assertThat(spark.rows(call + ")").get(0)).startsWith("1,1,").contains(",false,null,");
    assertThat(spark.rows("SELECT num_added_files, num_deleted_files FROM `t$manifests`"))
        .containsExactly("4,0");
    assertThat(spark.rows("SELECT commit_kind, total_record_count FROM `t$snapshots`").get(6))
        .isEqualTo("COMPACT,4");
    assertThat(spark.value("SELECT count(*) FROM t VERSION AS OF 5")).isEqualTo("5");
    assertSound(rows);
    spark.run("INSERT INTO t VALUES (9, 9)");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("5");
  }

  private String vectors() {
    return spark.value(
        "SELECT count(*) FROM `t$table_indexes` WHERE index_type = 'DELETION_VECTORS'");
  }

  @Test
  void materializeLeavesNoVectorOfAppendTables() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, p INT) PARTITIONED BY (p) TBLPROPERTIES"
            + " ('deletion-vectors.enabled' = 'true')",
        "INSERT INTO t SELECT CAST(id AS INT), CAST(id % 2 AS INT) FROM range(100)",
        "INSERT INTO t SELECT CAST(id AS INT), CAST(id % 2 AS INT) FROM range(100, 200)",
        "DELETE FROM t WHERE k < 10");
    assertThat(vectors()).isNotEqualTo("0");
    List<String> rows = spark.rows("SELECT * FROM t ORDER BY ALL");
    String call = "CALL lake.sys.materialize_deletion_vectors(table => 't'";
    assertThat(spark.rows(call + ", dry_run => true)").get(0)).startsWith("2,2,2,null,");
    assertThat(spark.rows(call + ", partitions => 'p=1')").get(0))
        .startsWith("1,1,1,1,")
        .contains(",50,45,0,0,");
    assertThat(vectors()).isNotEqualTo("0");
    assertThat(spark.rows(call + ")").get(0)).startsWith("2,1,1,1,");
    assertThat(vectors()).isEqualTo("0");
    assertThat(spark.rows(call + ")").get(0)).startsWith("2,0,0,0,");
    assertSound(rows);
  }

  @Test
  void materializeLeavesNoVectorOfKeyedTables() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '2', 'deletion-vectors.enabled' = 'true')",
        "INSERT INTO t SELECT CAST(id AS INT), 1 FROM range(1000)",
        "INSERT INTO t SELECT CAST(id AS INT), 2 FROM range(20)",
        "DELETE FROM t WHERE k = 500");
    assertThat(vectors()).isNotEqualTo("0");
    List<String> rows = spark.rows("SELECT * FROM t ORDER BY ALL");
    assertThat(spark.rows("CALL lake.sys.materialize_deletion_vectors(table => 't')").get(0))
        .startsWith("2,2,")
        .contains(",999,0,0,");
    assertThat(vectors()).isEqualTo("0");
    assertSound(rows);
  }

  private long indexFiles() throws Exception {
    try (Stream<Path> all = Files.walk(warehouse.resolve("db.db/t"))) {
      return all.filter(file -> file.toString().endsWith(".index")).count();
    }
  }

  private String rewriteIndex(String more) {
    return spark.rows("CALL lake.sys.rewrite_file_index(table => 't'" + more + ")").get(0);
  }

  @Test
  void filesGetTheIndexesThatOptionsAskFor() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, s STRING) TBLPROPERTIES ('deletion-vectors.enabled' = 'true')",
        "INSERT INTO t SELECT CAST(id AS INT), concat('s', 2 * id) FROM range(0, 100, 1, 1)",
        "INSERT INTO t SELECT CAST(id AS INT), concat('s', 2 * id + 1) FROM range(0, 100, 1, 1)",
        "DELETE FROM t WHERE k = 7",
        "ALTER TABLE t RENAME COLUMN s TO name",
        "INSERT INTO t SELECT CAST(id AS INT), concat('s', 3 * id) FROM range(0, 100, 1, 1)");
    List<String> rows = spark.rows("SELECT * FROM t ORDER BY ALL");
    List<String> stats = spark.rows("SELECT file_path, min_value_stats FROM `t$files` ORDER BY 1");
    assertThat(rewriteIndex("")).startsWith("3,0,0,0,0,");
    spark.run(
        "ALTER TABLE t SET TBLPROPERTIES ('file-index.bloom-filter.columns' = 'name',"
            + " 'file-index.bloom-filter.name.items' = '100', 'file-index.bitmap.columns' = 'k')");
    assertThat(rewriteIndex(", dry_run => true")).startsWith("3,null,null,null,0,");
    assertThat(rewriteIndex("")).startsWith("3,3,3,");
    assertThat(indexFiles()).isEqualTo(3);
    assertThat(rewriteIndex("")).startsWith("3,0,0,0,0,");
    assertThat(spark.rows("SELECT file_path, min_value_stats FROM `t$files` ORDER BY 1"))
        .isEqualTo(stats);
    assertSound(rows);
    assertThat(spark.rows("SELECT k FROM t WHERE name = 's9' ORDER BY 1"))
        .containsExactly("3", "4");
    assertThat(filesRead("name = 's9'")).isEqualTo(2);
    assertThat(filesRead("name = 's14'")).as("of a deleted row").isEqualTo(1);

    spark.run("ALTER TABLE t SET TBLPROPERTIES ('file-index.in-manifest-threshold' = '100 kb')");
    assertThat(rewriteIndex("")).startsWith("3,0,0,0,0,");
    spark.run("ALTER TABLE t UNSET TBLPROPERTIES ('file-index.bitmap.columns')");
    assertThat(rewriteIndex("")).startsWith("3,3,0,");
    assertThat(filesRead("name = 's9'")).isEqualTo(2);
    spark.run("ALTER TABLE t UNSET TBLPROPERTIES ('file-index.bloom-filter.columns')");
    assertThat(rewriteIndex("")).startsWith("3,3,0,0,0,");
    assertThat(filesRead("name = 's9'")).isEqualTo(3);
    assertSound(rows);
  }

  /** Files that a condition leaves to be read. */
  private long filesRead(String condition) {
    Dataset<Row> rows = spark.sql("SELECT k FROM t WHERE " + condition);
    rows.collectAsList();
    SparkPlan plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution().executedPlan();
    return CollectionConverters.asJava(plan.collectLeaves()).stream()
        .filter(BatchScanExec.class::isInstance)
        .mapToLong(scan -> scan.metrics().apply("keylakeFiles").value())
        .sum();
  }

  @Test
  void filesOfKeyedTablesAreIndexedWhileOthersWrite() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '1', 'write-only' = 'true')",
        "INSERT INTO t SELECT CAST(id AS INT), 1 FROM range(100)",
        "INSERT INTO t SELECT CAST(id AS INT), 2 FROM range(50)",
        "ALTER TABLE t SET TBLPROPERTIES ('file-index.bitmap.columns' = 'v',"
            + " 'file-index.in-manifest-threshold' = '1 b')");
    SharedSpark other = SharedSpark.over(warehouse);
    AtomicInteger files = new AtomicInteger();
    HookedFileSystem.hook(
        file -> {
          if (file.getName().endsWith(".index") && files.incrementAndGet() == 1) {
            CompletableFuture.runAsync(
                    () ->
                        other.run(
                            "INSERT INTO t VALUES (1000, 3)",
                            "CALL lake.sys.compact(table => 't')"))
                .join();
          }
        });
    assertThat(rewriteIndex("")).as("compaction has indexed its file").startsWith("2,0,0,0,0,");
    assertThat(files.get()).isGreaterThanOrEqualTo(2);
    HookedFileSystem.unhook();
    assertThat(spark.value("SELECT sum(v) FROM t")).isEqualTo("153");
    assertThat(indexFiles())
        .as("of the row that came and what it was compacted into; ours are deleted")
        .isEqualTo(2);
    assertSound(spark.rows("SELECT * FROM t ORDER BY ALL"));
  }
}
