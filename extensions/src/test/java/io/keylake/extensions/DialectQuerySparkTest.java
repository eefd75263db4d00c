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

package io.keylake.extensions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hints, versions and expressions as Flink writes them, beside what Spark writes. */
final class DialectQuerySparkTest {
  @TempDir static Path warehouse;

  private static SharedSpark spark;

  @BeforeAll
  static void start() {
    spark = SharedSpark.withRules(warehouse);
    spark.run(
        "CREATE TABLE t (k INT, v STRING) TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '2')",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
        "INSERT INTO t VALUES (2, 'bb'), (3, 'c')",
        "CREATE TABLE days (k INT, dt STRING, hh INT) PARTITIONED BY (dt, hh)",
        "INSERT INTO days VALUES (1, '20240107', 9), (2, '20240108', 10), (3, '20240108', 9)");
  }

  @Test
  void hintsChooseWhatIsRead() {
    same(
        "SELECT * FROM t /*+ OPTIONS('scan.snapshot-id' = '1') */ WHERE k > 0",
        "SELECT * FROM t WITH ('scan.snapshot-id' = '1')");
    same(
        "SELECT n.k, o.v FROM `lake`.`db`.`t` /*+ OPTIONS('scan.snapshot-id'='1') */ AS o, t n"
            + " WHERE n.k = o.k",
        "SELECT n.k, o.v FROM t VERSION AS OF 1 AS o JOIN t n ON n.k = o.k");
    same(
        "WITH c AS (SELECT k FROM t /*+ OPTIONS('incremental-between' = '1,2') */) SELECT * FROM t"
            + " WHERE k IN (SELECT k FROM c) AND k NOT IN (SELECT k FROM t /*+"
            + " OPTIONS('scan.version' = '1') */)",
        "SELECT 3, 'c'");
    same(
        "SELECT k, v FROM t /*+ OPTIONS('scan.version' = '1') */ EXCEPT SELECT k, v FROM t",
        "SELECT 2, 'b'");
    same(
        "SELECT k, v FROM t EXCEPT SELECT k, v FROM t /*+ OPTIONS('scan.version' = '1') */",
        "SELECT * FROM VALUES (2, 'bb'), (3, 'c')");
    assertThatThrownBy(
            () ->
                spark.rows(
                    "WITH c AS (SELECT 1) SELECT * FROM c /*+ OPTIONS('scan.version' = '1') */"))
        .hasMessageContaining("which WITH defines as a query");
  }

  @Test
  void otherKeysOfHintsAreRefusedByName() {
    refused("SELECT * FROM t /*+ OPTIONS('scan.x' = '1') */", "'scan.x'");
    refused("SELECT * FROM t /*+ OPTIONS('sink.parallelism' = '1') */", "for a read");
    refused("SELECT * FROM t /*+ OPTIONS('bucket' = '1') */", "ALTER TABLE t SET ('bucket'");
    refused("INSERT INTO t /*+ OPTIONS('scan.mode' = 'x') */ VALUES (1, 'x')", "for an INSERT");
    refused(
        "INSERT INTO t /*+ OPTIONS('dynamic-partition-overwrite'='x') */ VALUES (1, 'x')",
        "INSERT OVERWRITE");
    refused("SELECT * FROM t /*+ OPTIONS('lookup.dynamic-partition'='max_pt()') */", "sys.max_pt");
    refused("SELECT * FROM t /*+ OPTIONS('scan.max-splits-per-task'='1') */", "no effect");
    assertThat(spark.rows("SELECT k FROM t /*+ OPTIONS('lookup.cache-rows'='1') */ ORDER BY k"))
        .containsExactly("1", "2", "3");
  }

  @Test
  void parallelismIsTheNumberOfTasks() {
    assertThat(tasks("SELECT * FROM days /*+ OPTIONS('scan.parallelism' = '2') */")).isEqualTo(2);
    assertThat(tasks("SELECT * FROM days /*+ OPTIONS('scan.infer-parallelism.max' = '1') */"))
        .isEqualTo(1);
    assertThat(tasks("SELECT * FROM days /*+ OPTIONS('scan.infer-parallelism' = 'false') */"))
        .isEqualTo(2);
    spark.run(
        "CREATE TABLE plain (a INT, b STRING)",
        "INSERT INTO plain /*+ OPTIONS('sink.parallelism' = '3') */ SELECT id, id FROM range(50)",
        "CREATE TABLE keyed (k INT, v INT) WITH ('primary-key' = 'k', 'bucket' = '8')",
        "INSERT INTO keyed /*+ OPTIONS('sink.parallelism' = '1') */ SELECT id, id FROM range(50)");
    assertThat(spark.rows("SELECT count(*) FROM `plain$files`")).containsExactly("3");
    assertThat(spark.plan("INSERT INTO keyed WITH ('sink.parallelism' = '5') VALUES (1, 2)"))
        .contains(", 5), REPARTITION_BY_NUM");
    assertThat(spark.rows("SELECT count(*), sum(v) FROM keyed")).containsExactly("50,1225");
  }

  @Test
  void hintsSayWhatOverwritesReplace() {
    spark.run("CREATE TABLE o (k INT, dt STRING, hh STRING) PARTITIONED BY (dt, hh)");
    String all = "INSERT INTO o VALUES (1, 'a', '1'), (2, 'a', '2'), (3, 'b', '1')";
    String dynamic = " /*+ OPTIONS('dynamic-partition-overwrite' = 'true') */ VALUES (9, 'b', '1')";
    String fixed = " /*+ OPTIONS('dynamic-partition-overwrite' = 'false') */ VALUES (8, 'b', '1')";
    spark.run(all, "INSERT OVERWRITE o" + dynamic);
    assertThat(spark.rows("SELECT k FROM o ORDER BY k")).containsExactly("1", "2", "9");
    spark.run("INSERT OVERWRITE o VALUES (7, 'b', '1')");
    assertThat(spark.rows("SELECT k FROM o")).containsExactly("7");
    spark.run(
        "INSERT OVERWRITE o /*+ OPTIONS('dynamic-partition-overwrite' = 'true') */ SELECT k + 1,"
            + " 'c', hh FROM o");
    assertThat(spark.rows("SELECT k FROM o ORDER BY k")).containsExactly("7", "8");
    spark.session().conf().set("spark.sql.sources.partitionOverwriteMode", "dynamic");
    try {
      spark.run("INSERT OVERWRITE o" + fixed, all);
      assertThat(spark.rows("SELECT k FROM o ORDER BY k")).containsExactly("1", "2", "3", "8");
      spark.run("INSERT OVERWRITE o VALUES (7, 'b', '1')");
      assertThat(spark.rows("SELECT k FROM o ORDER BY k")).containsExactly("1", "2", "7");
    } finally {
      spark.session().conf().unset("spark.sql.sources.partitionOverwriteMode");
    }
    spark.run("INSERT OVERWRITE o PARTITION (dt = 'a', hh = '2') SELECT 5");
    assertThat(spark.rows("SELECT k FROM o ORDER BY k")).containsExactly("1", "5", "7");
  }

  @Test
  void optionsReachTheTargetsOfRowLevelStatements() {
    spark.run(
        "CREATE TABLE d (k INT, c STRING) WITH ('primary-key' = 'k', 'bucket' = '1')",
        "INSERT INTO d VALUES (1, 'x'), (2, 'y'), (3, 'z')",
        "DELETE FROM d /*+ OPTIONS('snapshot.ignore-empty-commit' = 'false') */ WHERE k = 1",
        "UPDATE d /*+ OPTIONS('num-sorted-run.compaction-trigger' = '9') */ SET c = 'q' WHERE k ="
            + " 2",
        "MERGE INTO d /*+ OPTIONS('num-sorted-run.compaction-trigger' = '9') */ AS m USING (SELECT"
            + " 3 AS k) s ON m.k = s.k WHEN MATCHED THEN DELETE");
    assertThat(spark.rows("SELECT * FROM d")).containsExactly("2,q");
    assertThatThrownBy(
            () -> spark.run("DELETE FROM d /*+ OPTIONS('sink.parallelism' = '0') */ WHERE c = 'q'"))
        .hasMessageContaining("sink.parallelism");
  }

  @Test
  void deletesAreIgnoredWhereAHintSaysSo() {
    spark.run(
        "CREATE TABLE kinds (k INT, op STRING) WITH ('primary-key' = 'k', 'bucket' = '1',"
            + " 'rowkind.field' = 'op')",
        "INSERT INTO kinds VALUES (1, '+I'), (2, '+I')",
        "INSERT INTO kinds /*+ OPTIONS('partial-update.ignore-delete' = 'true') */ VALUES (1,"
            + " '-D')",
        "INSERT INTO kinds VALUES (2, '-D')");
    assertThat(spark.rows("SELECT k FROM kinds")).containsExactly("1");
  }

  @Test
  void joinsWithTheNewestVersionAreJoins() {
    String orders = "(SELECT 2 AS k, PROCTIME() AS proc_time) AS o";
    same(
        "SELECT o.k, d.v FROM "
            + orders
            + " LEFT JOIN t FOR SYSTEM_TIME AS OF o.proc_time AS d ON"
            + " o.k = d.k",
        "SELECT 2, 'bb'");
    same(
        "SELECT o.k, d.v FROM "
            + orders
            + " JOIN lake.db.t /*+ OPTIONS('scan.snapshot-id' = '1') */ FOR SYSTEM_TIME AS OF"
            + " o.proc_time d ON o.k = d.k",
        "SELECT 2, 'b'");
    same("SELECT * FROM t FOR SYSTEM_TIME AS OF now() WHERE k = 1", "SELECT 1, 'a'");
  }

  @Test
  void constructorsMakeArraysMapsAndRows() {
    same("SELECT ARRAY[1, 2], MAP['k', 1]", "SELECT array(1, 2), map('k', 1)");
    same("SELECT ARRAY[ROW(k, v)] FROM t", "SELECT array(struct(k, v)) FROM t");
    same(
        "SELECT ARRAY[ARRAY[1, 2], ARRAY[k]] FROM t", "SELECT array(array(1, 2), array(k)) FROM t");
    same("SELECT array[1] FROM (SELECT array(5, 6) AS array)", "SELECT 6");
    same("SELECT * FROM VALUES (ARRAY[7]) AS x(a)", "SELECT array(7)");
    same(
        "SELECT CAST('2024-01-08 10:00:00' AS TIMESTAMP(3))",
        "SELECT TIMESTAMP_NTZ '2024-01-08 10'");
    spark.run(
        "CREATE TABLE r (k INT, a ARRAY<ROW<x INT, y STRING>>)",
        "INSERT INTO r VALUES (1, ARRAY[ROW(1, 'one')]), (2, ARRAY[ROW(2, 'two'), ROW(3, 'x')])");
    assertThat(spark.rows("SELECT k, a[0].y, size(a) FROM r ORDER BY k"))
        .containsExactly("1,one,1", "2,two,2");
  }

  @Test
  void largestPartitionIsAConstantThatPrunes() {
    same(
        "SELECT k FROM days WHERE dt = sys.max_pt('days')",
        "SELECT k FROM days WHERE dt = '20240108'");
    same("SELECT lake.sys.max_pt('db.days')", "SELECT '20240108'");
    spark.run("CREATE TABLE newest (k INT)");
    assertThat(
            spark.scanned(
                "INSERT INTO newest SELECT k FROM days WHERE dt = sys.max_pt('days')",
                "days",
                "keylakeFiles"))
        .isEqualTo(2);
    assertThatThrownBy(() -> spark.rows("SELECT sys.max_pt('t')"))
        .hasMessageContaining("has no partition columns");
    assertThatThrownBy(() -> spark.rows("SELECT sys.max_pt('none')"))
        .hasMessageContaining("cannot find the table 'none'");
  }

  private static int tasks(String query) {
    return spark.sql(query).toJavaRDD().getNumPartitions();
  }

  private static void same(String flinks, String sparks) {
    List<String> expected = spark.rows(sparks);
    assertThat(expected).isNotEmpty();
    assertThat(spark.rows(flinks)).as(flinks).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static void refused(String statement, String why) {
    assertThatThrownBy(() -> spark.run(statement))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_OPTION")
        .hasMessageContaining(why)
        .hasMessageContaining("position");
  }
}
