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

import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Partitions get other numbers of buckets: rows stay as they are, also for what is written later,
 * and for the reference implementation.
 */
class RescaleSparkTest {
  private static final String COLUMNS =
      "(p INT, k INT, ts INT, a INT, b INT, s STRING) PARTITIONED BY (p) TBLPROPERTIES (";

  @TempDir static Path warehouse;

  private final SharedSpark spark = SharedSpark.over(warehouse);

  @BeforeEach
  void dropTables() {
    spark.run("DROP TABLE IF EXISTS t", "DROP TABLE IF EXISTS u");
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private Row rescale(String arguments) {
    return spark.sql("CALL lake.sys.rescale(table => 't'" + arguments + ")").collectAsList().get(0);
  }

  private static long number(Row row, String column) {
    return row.getLong(row.fieldIndex(column));
  }

  private List<String> buckets() {
    return spark.rows(
        "SELECT partition, max(bucket) FROM `t$files` GROUP BY partition ORDER BY partition");
  }

  private static ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  /** The same in a table that is rescaled now and then, and in one that is not. */
  private void inBoth(String... statements) {
    for (String statement : statements) {
      spark.run(statement.replace("$T", "t"), statement.replace("$T", "u"));
    }
  }

  private void assertSame() throws Exception {
    assertThat(spark.rows("SELECT * FROM t ORDER BY ALL"))
        .isEqualTo(spark.rows("SELECT * FROM u ORDER BY ALL"));
    assertThat(reference().problems()).isEmpty();
  }

  private static String rows(int from, int to, String values) {
    return "INSERT INTO $T SELECT CAST(id % 2 AS INT), CAST(id - 20 AS INT), "
        + values
        + " FROM range("
        + from
        + ", "
        + to
        + ")";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'sequence.field' = 'ts'",
        "'deletion-vectors.enabled' = 'true'",
        "'merge-engine' = 'first-row'",
        "'merge-engine' = 'partial-update', 'fields.ts.sequence-group' = 'a,b',"
            + " 'fields.b.aggregate-function' = 'sum'",
        "'merge-engine' = 'aggregation', 'fields.ts.aggregate-function' = 'max',"
            + " 'fields.a.aggregate-function' = 'count', 'fields.b.aggregate-function' = 'sum',"
            + " 'fields.s.aggregate-function' = 'listagg'",
        "'merge-engine' = 'aggregation', 'sequence.field' = 'ts',"
            + " 'fields.default-aggregate-function' = 'max'",
        "'bucket-function.type' = 'mod', 'bucket-key' = 'k'"
      })
  void rowsOfAllEnginesStayWithWhatIsWrittenLater(String options) throws Exception {
    String all = COLUMNS + "'primary-key' = 'p,k', 'bucket' = '4', " + options + ")";
    inBoth("CREATE TABLE $T " + all);
    inBoth(rows(0, 40, "10, CAST(id AS INT), 1, concat('s', id)"));
    inBoth(rows(0, 30, "CAST(id % 3 + 9 AS INT), CAST(id AS INT), 2, NULL"));
    if (!options.contains("engine")) {
      inBoth("DELETE FROM $T WHERE k % 5 = 0");
    }
    assertThat(number(rescale(", bucket_num => 6"), "partitions_rescaled")).isEqualTo(2);
    assertSame();
    inBoth(rows(0, 40, "CAST(id % 4 + 8 AS INT), NULL, 4, 'late'"));
    assertSame();
    rescale(", bucket_num => 3, partitions => 'p=1'");
    inBoth(rows(10, 50, "CAST(id % 4 + 9 AS INT), 7, 8, NULL"));
    assertSame();
    rescale("");
    assertSame();
    assertThat(spark.value("SELECT max(bucket) FROM `t$files`")).isEqualTo("3");
  }

  @Test
  void appendTablesKeepTheirRowsInOrder() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, d STRING, v INT) TBLPROPERTIES ('bucket' = '3', 'bucket-key' ="
            + " 'k,d', 'write-only' = 'true')");
    String row = "SELECT CAST(id % 9 - 4 AS INT), IF(id % 4 = 0, NULL, 'd'), CAST(id AS INT) FROM ";
    spark.run("INSERT INTO t " + row + "range(0, 60, 1, 1)");
    spark.run("INSERT INTO t " + row + "range(60, 99, 1, 1)");
    List<String> before = inOrder();
    rescale(", bucket_num => 5");
    assertThat(inOrder()).isEqualTo(before);
    spark.run("INSERT INTO t " + row + "range(99, 120, 1, 1)");
    rescale(", bucket_num => 2");
    assertThat(inOrder()).hasSize(18).allMatch(line -> line.endsWith("true"));
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("120");
    assertThat(spark.value("SELECT count(*) FROM t WHERE k = 2 AND d IS NULL"))
        .isEqualTo(spark.value("SELECT sum(IF(k = 2 AND d IS NULL, 1, 0)) FROM t"));
    SameAsReference.check(spark, warehouse, "t");
  }

  /** Of each key, whether its rows come in the order in which they were written. */
  private List<String> inOrder() {
    return spark.rows(
        "SELECT k, d, collect_list(v) = sort_array(collect_list(v)) FROM t GROUP BY k, d ORDER BY"
            + " k, d");
  }

  @ParameterizedTest
  @CsvSource({"1,16", "16,1", "4,40", "40,6", "7,7"})
  void anyNumberFollowsAnyOther(int before, int after) throws Exception {
    spark.run(
        "CREATE TABLE t (k STRING, v INT) TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '"
            + before
            + "')",
        "INSERT INTO t SELECT concat('k', id), CAST(id AS INT) FROM range(200)",
        "INSERT INTO t SELECT concat('k', id), 0 FROM range(0, 200, 4)");
    List<String> rows = spark.rows("SELECT * FROM t ORDER BY k");
    Row done = rescale(", bucket_num => " + after);
    assertThat(number(done, "partitions_rescaled")).isEqualTo(before == after ? 0 : 1);
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).isEqualTo(rows);
    assertThat(spark.rows("SELECT v FROM t WHERE k = 'k77'")).containsExactly("77");
    assertThat(Integer.parseInt(spark.value("SELECT max(bucket) FROM `t$files`")))
        .isLessThan(after);
    assertThat(reference().problems()).isEmpty();
  }

  @Test
  void chosenPartitionsAreCountedAndTheOthersStay() {
    spark.run(
        "CREATE TABLE t " + COLUMNS + "'primary-key' = 'p,k', 'bucket' = '2')",
        "INSERT INTO t SELECT CAST(id % 3 AS INT), CAST(id AS INT), 1, 1, 1, 's' FROM range(60)");
    Row dry = rescale(", bucket_num => 5, where => 'p > 0', dry_run => true");
    assertThat(number(dry, "partitions_rescaled")).isEqualTo(2);
    assertThat(dry.isNullAt(dry.fieldIndex("snapshot_id"))).isTrue();
    assertThat(buckets()).containsExactly("{0},1", "{1},1", "{2},1");
    Row done = rescale(", bucket_num => 5, where => 'p > 0'");
    assertThat(number(done, "files_in")).isEqualTo(number(dry, "files_in")).isEqualTo(4);
    assertThat(number(done, "rows_in")).isEqualTo(40);
    assertThat(number(done, "rows_out")).isEqualTo(40);
    assertThat(number(done, "files_out")).isEqualTo(10);
    assertThat(number(done, "snapshot_id")).isEqualTo(2);
    assertThat(buckets()).containsExactly("{0},1", "{1},4", "{2},4");
    Row again = rescale(", bucket_num => 5");
    assertThat(number(again, "partitions_checked")).isEqualTo(3);
    assertThat(number(again, "partitions_rescaled")).isEqualTo(1);
    assertThat(spark.value("SELECT commit_kind FROM `t$snapshots` WHERE snapshot_id = 2"))
        .isEqualTo("OVERWRITE");
  }

  @Test
  void statementsUseTheNumberOfEachPartition() throws Exception {
    inBoth("CREATE TABLE $T " + COLUMNS + "'primary-key' = 'p,k', 'bucket' = '2')");
    inBoth(rows(0, 80, "1, CAST(id AS INT), 1, 's'"));
    rescale(", bucket_num => 7, partitions => 'p=1'");
    spark.run("ALTER TABLE t SET TBLPROPERTIES ('bucket' = '5')");
    inBoth("INSERT INTO $T SELECT 2, CAST(id AS INT), 1, 1, 1, 'n' FROM range(40)");
    inBoth(
        "UPDATE $T SET a = -1 WHERE k % 3 = 0",
        "DELETE FROM $T WHERE k % 7 = 0",
        "MERGE INTO $T USING (SELECT CAST(id % 3 AS INT) p, CAST(id - 30 AS INT) k FROM range(90))"
            + " s ON $T.p = s.p AND $T.k = s.k WHEN MATCHED THEN UPDATE SET s = 'merged' WHEN NOT"
            + " MATCHED THEN INSERT (p, k, ts, a, b, s) VALUES (s.p, s.k, 0, 0, 0, 'new')",
        rows(0, 50, "2, 2, 2, 'again'"));
    assertSame();
    assertThat(buckets()).containsExactly("{0},1", "{1},6", "{2},4");
    for (String query :
        List.of(
            "SELECT count(*), min(k), max(a), sum(b) FROM $T",
            "SELECT * FROM $T WHERE k IN (-19, -4, 3, 17) ORDER BY p, k",
            "SELECT p, count(*) FROM $T GROUP BY p ORDER BY p",
            "SELECT count(*) FROM $T x JOIN $T y ON x.k = y.k AND x.p <> y.p")) {
      assertThat(spark.rows(query.replace("$T", "t")))
          .isEqualTo(spark.rows(query.replace("$T", "u")));
    }
    spark.run("CALL lake.sys.compact(table => 't')");
    assertSame();
    assertThat(buckets()).containsExactly("{0},1", "{1},6", "{2},4");
  }

  @Test
  void overwritingAPartitionUsesTheNumberOfTheTable() throws Exception {
    inBoth("CREATE TABLE $T " + COLUMNS + "'primary-key' = 'p,k', 'bucket' = '2')");
    inBoth(rows(0, 80, "1, CAST(id AS INT), 1, 's'"));
    spark.run("ALTER TABLE t SET TBLPROPERTIES ('bucket' = '6')");
    inBoth(rows(0, 20, "1, 0, 1, 'old number'"));
    assertThat(buckets()).containsExactly("{0},1", "{1},1");
    inBoth("INSERT OVERWRITE $T PARTITION (p = 1) SELECT k, ts, a, b, 'o' FROM $T WHERE p = 1");
    assertSame();
    assertThat(buckets()).containsExactly("{0},1", "{1},5");
    spark.run("SET spark.sql.sources.partitionOverwriteMode = dynamic");
    inBoth("INSERT OVERWRITE $T SELECT 0, k, ts, a, b, 'd' FROM $T WHERE p = 0");
    spark.run("RESET spark.sql.sources.partitionOverwriteMode");
    assertSame();
    assertThat(buckets()).containsExactly("{0},5", "{1},5");
    for (String number : List.of("-1", "-2")) {
      assertThatThrownBy(
              () -> spark.run("ALTER TABLE t SET TBLPROPERTIES ('bucket' = '" + number + "')"))
          .hasMessageContaining("KEYLAKE_IMMUTABLE_OPTION");
    }
  }

  @Test
  void tablesWithoutANumberOfBucketsAreRefused() {
    spark.run("CREATE TABLE t (k INT, v INT) TBLPROPERTIES ('primary-key' = 'k')");
    assertThatThrownBy(() -> rescale(", bucket_num => 3"))
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST")
        .hasMessageContaining("no fixed number of buckets");
    spark.run(
        "DROP TABLE t",
        "CREATE TABLE t (k INT) TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '2')");
    assertThatThrownBy(() -> rescale(", bucket_num => 0"))
        .hasMessageContaining("bucket_num must be at least 1 and at most 32767, not 0");
    assertThatThrownBy(() -> rescale(", partitions => 'p=1'"))
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST");
    assertThat(number(rescale(", bucket_num => 3"), "partitions_checked")).isZero();
  }
}
