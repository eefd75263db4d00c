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

/** {@code CALL sys.compact(order_strategy, order_by)}: same rows, fewer files for a condition. */
final class SortCompactionSparkTest {
  private static final String SMALL_FILES =
      "'target-file-size' = '60 kb', 'file.block-size' = '20 kb', 'parquet.page.size' = '2000'";

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

  private void createPoints(String properties) {
    spark.run("CREATE TABLE t (a INT, b INT, s STRING) TBLPROPERTIES (" + properties + ")");
    spark.run(
        "INSERT INTO t SELECT CAST(pmod(hash(id), 10000) AS INT), CAST(pmod(hash(id, 1), 10000) AS"
            + " INT), uuid() FROM range(12000)");
  }

  /** Files that are opened for the rows of a condition. */
  private long filesRead(String condition) {
    Dataset<Row> rows = spark.sql("SELECT s FROM t WHERE " + condition);
    assertThat(rows.collectAsList()).isNotEmpty();
    SparkPlan plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution().executedPlan();
    return CollectionConverters.asJava(plan.collectLeaves()).stream()
        .filter(BatchScanExec.class::isInstance)
        .mapToLong(scan -> scan.metrics().apply("keylakeFiles").value())
        .sum();
  }

  private List<String> content() {
    return spark.rows("SELECT * FROM t ORDER BY ALL");
  }

  private String compact(String arguments) {
    return spark.rows("CALL lake.sys.compact(table => 't', " + arguments + ")").get(0);
  }

  private void assertSound(List<String> rows) throws Exception {
    assertThat(content()).isEqualTo(rows);
    SameAsReference.check(spark, warehouse, "t");
  }

  @Test
  void orderSortsByTheFirstColumnThenTheNext() throws Exception {
    createPoints(SMALL_FILES);
    List<String> rows = content();
    long files = Long.parseLong(spark.value("SELECT count(*) FROM `t$files`"));
    assertThat(filesRead("a BETWEEN 5000 AND 5100")).isEqualTo(files);
    assertThat(compact("order_strategy => 'order', order_by => 'A, b'")).startsWith("1,1,");
    assertThat(filesRead("a BETWEEN 5000 AND 5100")).isLessThanOrEqualTo(2);
    assertThat(spark.value("SELECT max(record_count) < 2 * min(record_count) FROM `t$files`"))
        .as("files of about equal size")
        .isEqualTo("true");
    assertThat(
            spark.rows(
                "SELECT count(*) FROM (SELECT a, b, lag(struct(a, b)) OVER (PARTITION BY _file"
                    + " ORDER BY _pos) AS before FROM t) WHERE before > struct(a, b)"))
        .containsExactly("0");
    assertSound(rows);
  }

  @Test
  void curvesPruneByEachColumn() throws Exception {
    createPoints(SMALL_FILES);
    List<String> rows = content();
    long files = filesRead("a >= 0");
    for (String strategy : List.of("zorder", "hilbert")) {
      compact("order_strategy => '" + strategy + "', order_by => 'a,b'");
      long after = filesRead("a >= 0");
      assertThat(after).isBetween(files / 2, files * 2);
      assertThat(filesRead("a BETWEEN 1000 AND 1100")).isLessThanOrEqualTo(after / 2 + 1);
      assertThat(filesRead("b BETWEEN 1000 AND 1100")).isLessThanOrEqualTo(after / 2 + 1);
      assertThat(filesRead("a < 500 AND b < 500")).isLessThanOrEqualTo(after / 4 + 1);
    }
    assertSound(rows);
  }

  @Test
  void everyTypeWithAnOrderCanBeSortedBy() throws Exception {
    spark.run(
        "CREATE TABLE t (i TINYINT, l BIGINT, f FLOAT, d DECIMAL(20, 3), s STRING, y BINARY, z"
            + " BOOLEAN, dt DATE, ts TIMESTAMP, tn TIMESTAMP_NTZ, n STRUCT<x: INT>) TBLPROPERTIES"
            + " ('target-file-size' = '10 kb')",
        "INSERT INTO t SELECT CAST(id % 7 AS TINYINT), id, CAST(id AS FLOAT), CAST(id AS"
            + " DECIMAL(20, 3)), concat('s', id), CAST(concat('y', id) AS BINARY), id % 2 = 0,"
            + " date_add(DATE'2024-01-01', CAST(id AS INT)), timestamp_seconds(id),"
            + " CAST(timestamp_seconds(id) AS TIMESTAMP_NTZ), struct(CAST(id AS INT)) FROM"
            + " range(500)",
        "INSERT INTO t SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
            + " FROM range(3)");
    List<String> rows = spark.rows("SELECT * EXCEPT (y) FROM t ORDER BY l");
    assertThat(compact("order_by => 'i,l,f,d,s,y,z,dt,ts,tn'")).startsWith("1,1,");
    assertThat(compact("order_strategy => 'order', order_by => 'n,ts'")).startsWith("1,1,");
    assertThat(spark.rows("SELECT * EXCEPT (y) FROM t ORDER BY l")).isEqualTo(rows);
    SameAsReference.check(spark, warehouse, "t");
  }

  @Test
  void deletedRowsAreLeftOutAndOldFilesHaveTheNewColumns() throws Exception {
    createPoints("'deletion-vectors.enabled' = 'true'");
    spark.run(
        "DELETE FROM t WHERE a < 3000",
        "ALTER TABLE t RENAME COLUMN b TO c",
        "ALTER TABLE t ALTER COLUMN c TYPE BIGINT",
        "ALTER TABLE t ADD COLUMN e INT");
    List<String> rows = content();
    String smallest = spark.value("SELECT min(a) FROM t");
    assertThat(compact("order_strategy => 'hilbert', order_by => 'c,a,e'")).startsWith("1,1,");
    assertThat(spark.value("SELECT min(a) FROM t")).isEqualTo(smallest);
    assertThat(spark.value("SELECT sum(record_count) FROM `t$files`"))
        .isEqualTo(String.valueOf(rows.size()));
    assertThat(
            spark.value(
                "SELECT count(*) FROM `t$table_indexes` WHERE index_type = 'DELETION_VECTORS'"))
        .isEqualTo("0");
    assertSound(rows);
  }

  @Test
  void rowsKeepTheirIds() throws Exception {
    spark.run("CREATE TABLE t (a INT) TBLPROPERTIES ('row-tracking.enabled' = 'true')");
    spark.run("INSERT INTO t VALUES (3), (1)", "INSERT INTO t VALUES (2), (0)");
    List<String> tracked = spark.rows("SELECT _ROW_ID, _SEQUENCE_NUMBER, a FROM t ORDER BY ALL");
    compact("order_strategy => 'order', order_by => 'a'");
    assertThat(spark.rows("SELECT a FROM t")).containsExactly("0", "1", "2", "3");
    assertThat(spark.rows("SELECT _ROW_ID, _SEQUENCE_NUMBER, a FROM t ORDER BY ALL"))
        .isEqualTo(tracked);
    SameAsReference.check(spark, warehouse, "t");
  }

  @Test
  void eachPartitionIsSortedByItselfAndOnlyChosenOnes() throws Exception {
    spark.run(
        "CREATE TABLE t (a INT, p STRING) PARTITIONED BY (p) TBLPROPERTIES ('clustering.columns' ="
            + " 'a', 'sort-compaction.range-strategy' = 'quantity')");
    for (int i = 0; i < 2; i++) {
      spark.run("INSERT INTO t SELECT CAST(id AS INT), concat('p', id % 3) FROM range(300)");
    }
    List<String> rows = content();
    String kept = "SELECT file_path FROM `t$files` WHERE `partition` = '{p0}' ORDER BY 1";
    List<String> before = spark.rows(kept);
    assertThat(compact("order_strategy => 'auto', where => \"p > 'p0'\", dry_run => true"))
        .startsWith("2,2,4,null,");
    assertThat(compact("order_strategy => 'auto', where => \"p > 'p0'\"")).startsWith("2,2,4,2,");
    assertThat(spark.rows(kept)).isEqualTo(before);
    assertThat(spark.rows("SELECT max(commit_kind), max(snapshot_id) FROM `t$snapshots`"))
        .containsExactly("COMPACT,3");
    assertSound(rows);
  }

  /** Runs statements once, when the first sorted file is about to be written. */
  private AtomicInteger whileSorting(String... statements) {
    AtomicInteger files = new AtomicInteger();
    SharedSpark other = SharedSpark.over(warehouse);
    HookedFileSystem.hook(
        file -> {
          if (file.getName().startsWith("data-") && files.incrementAndGet() == 1) {
            CompletableFuture.runAsync(() -> other.run(statements)).join();
          }
        });
    return files;
  }

  @Test
  void rowsThatOthersInsertMeanwhileStay() throws Exception {
    createPoints("'write-only' = 'true'");
    whileSorting("INSERT INTO t VALUES (-1, -1, 'new')", "INSERT INTO t VALUES (-2, -2, 'new')");
    assertThat(compact("order_strategy => 'order', order_by => 'a'"))
        .startsWith("1,1,")
        .contains(",12000,12000,0,0,");
    assertThat(spark.rows("SELECT a FROM t WHERE s = 'new' ORDER BY a"))
        .containsExactly("-2", "-1");
    List<String> rows = content();
    assertThat(rows).hasSize(12002);
    spark.run("INSERT INTO t VALUES (-3, -3, 'newer')");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("12003");
    SameAsReference.check(spark, warehouse, "t");
    assertThat(spark.rows("SELECT a FROM t VERSION AS OF 4 ORDER BY ALL")).hasSize(12002);
  }

  @Test
  void partitionWhoseRowsOthersDeleteMeanwhileIsSortedAgain() throws Exception {
    createPoints("'deletion-vectors.enabled' = 'true'");
    AtomicInteger files = whileSorting("DELETE FROM t WHERE a < 5000");
    String[] made = compact("order_strategy => 'order', order_by => 'a'").split(",");
    assertThat(files.get()).isGreaterThanOrEqualTo(2);
    List<String> rows = content();
    assertThat(Integer.parseInt(spark.value("SELECT min(a) FROM t"))).isBetween(5000, 5010);
    assertThat(made[7]).as("rows_out").isEqualTo(String.valueOf(rows.size()));
    assertThat(made[9]).as("buckets_dropped").isEqualTo("0");
    assertSound(rows);
  }

  @Test
  void aFailedSortLeavesTheTableAndNoFile() throws Exception {
    createPoints(SMALL_FILES);
    List<String> rows = content();
    List<Path> before = files();
    HookedFileSystem.hook(HookedFileSystem.failingAt(3));
    assertThatThrownBy(() -> compact("order_strategy => 'order', order_by => 'a'"))
        .hasMessageContaining("no space");
    HookedFileSystem.unhook();
    assertThat(files()).isEqualTo(before);
    assertSound(rows);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(warehouse.resolve("db.db/t"))) {
      return all.filter(file -> file.getFileName().toString().startsWith("data-"))
          .sorted()
          .toList();
    }
  }

  private void assertRefused(String arguments, String... parts) {
    assertThatThrownBy(() -> compact(arguments)).hasMessageContainingAll(parts);
  }

  @Test
  void whatMakesNoSenseIsRefusedByName() {
    spark.run(
        "CREATE TABLE t (a INT, m MAP<INT, INT>, n STRUCT<x: INT>, p INT) PARTITIONED BY (p)",
        "INSERT INTO t VALUES (1, map(), struct(1), 1)");
    assertRefused("order_by => 'x'", "KEYLAKE_COLUMN_NOT_FOUND", "'x'", "a, m, n, p");
    assertRefused("order_by => 'a,A'", "KEYLAKE_INVALID_REQUEST", "twice");
    assertRefused("order_by => 'a,'", "KEYLAKE_INVALID_REQUEST", "empty name");
    assertRefused("order_by => 'n.x'", "KEYLAKE_INVALID_REQUEST", "nested field n.x");
    assertRefused("order_by => 'p'", "KEYLAKE_INVALID_REQUEST", "partition column p");
    assertRefused("order_by => 'm'", "KEYLAKE_INVALID_REQUEST", "MAP", "no order");
    assertRefused("order_by => 'a,n'", "KEYLAKE_INVALID_REQUEST", "no place on a curve");
    assertRefused("order_strategy => 'order'", "KEYLAKE_INVALID_REQUEST", "clustering.columns");
    assertRefused("order_strategy => 'spiral', order_by => 'a'", "'spiral' is unknown");
    assertRefused("order_strategy => 'none', order_by => 'a'", "'none' sorts nothing");
    assertRefused("order_by => 'a', compact_strategy => 'minor'", "'minor'");
    assertThat(compact("order_strategy => 'none'")).startsWith("1,0,");
  }

  @Test
  void tablesWithAnOrderOfTheirOwnAreRefused() {
    spark.run(
        "CREATE TABLE t (a INT, PRIMARY KEY (a) NOT ENFORCED) TBLPROPERTIES ('bucket' = '1')");
    assertRefused("order_by => 'a'", "KEYLAKE_UNSUPPORTED_OPERATION", "primary key");
    spark.run(
        "DROP TABLE t",
        "CREATE TABLE t (a INT) TBLPROPERTIES ('bucket' = '2', 'bucket-key' = 'a')");
    assertRefused("order_by => 'a'", "KEYLAKE_UNSUPPORTED_OPERATION", "order of writing");
    spark.run(
        "DROP TABLE t", "CREATE TABLE t (a INT) TBLPROPERTIES ('clustering.incremental' = 'true')");
    assertRefused("order_by => 'a'", "KEYLAKE_UNSUPPORTED_OPERATION", "clustering.incremental");
  }

  @Test
  void clusterBySetsTheColumnsThatAreSortedBy() {
    spark.run("CREATE TABLE t (a INT, b INT) CLUSTER BY (B, a)");
    assertThat(spark.rows("SHOW TBLPROPERTIES t ('clustering.columns')"))
        .containsExactly("clustering.columns,b,a");
    spark.run("ALTER TABLE t RENAME COLUMN b TO c");
    assertThat(spark.rows("SHOW TBLPROPERTIES t ('clustering.columns')"))
        .containsExactly("clustering.columns,c,a");
    spark.run("INSERT INTO t VALUES (2, 2), (1, 2), (1, 1)", "ALTER TABLE t CLUSTER BY (a)");
    compact("order_strategy => 'auto'");
    assertThat(spark.rows("SELECT a FROM t")).containsExactly("1", "1", "2");
    spark.run("ALTER TABLE t CLUSTER BY NONE");
    assertRefused("order_strategy => 'auto'", "clustering.columns");
    assertThatThrownBy(
            () -> spark.run("CREATE TABLE k (a INT PRIMARY KEY NOT ENFORCED) CLUSTER BY (a)"))
        .hasMessageContaining("CLUSTER BY");
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE TABLE k (a INT) CLUSTER BY (a) TBLPROPERTIES ('clustering.columns' ="
                        + " 'a')"))
        .hasMessageContaining("Use one of them");
  }
}
