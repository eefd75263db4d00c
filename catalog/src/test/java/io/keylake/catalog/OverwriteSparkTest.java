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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each form of overwrite replaces: one snapshot, and exactly what the statement says. */
final class OverwriteSparkTest {
  private static final String DYNAMIC = "SET spark.sql.sources.partitionOverwriteMode=dynamic";

  private static final String APPEND = "'bucket'='-1'";
  private static final String APPEND_VECTORS = "'deletion-vectors.enabled'='true'";
  private static final String FIXED = "'primary-key'='id,pt','bucket'='2'";
  private static final String DYNAMIC_BUCKETS = "'primary-key'='id,pt','bucket'='-1'";
  private static final String VECTORS =
      "'primary-key'='id,pt','bucket'='1','deletion-vectors.enabled'='true','write-only'='true'";
  private static final String PARTIAL_UPDATE =
      "'primary-key'='id,pt','bucket'='1','merge-engine'='partial-update'";
  private static final String AGGREGATION =
      "'primary-key'='id,pt','bucket'='1','merge-engine'='aggregation',"
          + "'fields.v.aggregate-function'='max'";
  private static final String FIRST_ROW =
      "'primary-key'='id,pt','bucket'='1','merge-engine'='first-row','write-only'='true'";

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

  private void createTable(String properties) {
    spark.run(
        "CREATE TABLE t (id INT, v INT, pt STRING) PARTITIONED BY (pt) TBLPROPERTIES ("
            + properties
            + ")",
        "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b')",
        "INSERT INTO t VALUES (3, 30, 'a'), (4, 40, 'c')");
  }

  private List<String> table() {
    return spark.rows("SELECT * FROM t ORDER BY id, pt");
  }

  private long snapshots() {
    return Long.parseLong(spark.value("SELECT count(*) FROM `t$snapshots`"));
  }

  private String lastKind() {
    return spark.value("SELECT max_by(commit_kind, snapshot_id) FROM `t$snapshots`");
  }

  private Dataset<Row> frame(String select) {
    return spark.sql(select);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        APPEND,
        APPEND_VECTORS,
        FIXED,
        DYNAMIC_BUCKETS,
        VECTORS,
        PARTIAL_UPDATE,
        AGGREGATION,
        FIRST_ROW
      })
  void everyFormReplacesWhatItNamesOnTablesOfEveryKind(String properties) throws Exception {
    createTable(properties);
    spark.run("INSERT OVERWRITE t PARTITION (pt = 'a') VALUES (5, 50)");
    assertThat(table()).containsExactly("2,20,b", "4,40,c", "5,50,a");
    assertThat(lastKind()).isEqualTo("OVERWRITE");
    assertThat(snapshots()).isEqualTo(3);

    spark.run("INSERT INTO t REPLACE WHERE pt = 'b' SELECT 6, 60, 'b'");
    assertThat(table()).containsExactly("4,40,c", "5,50,a", "6,60,b");

    spark.run("DELETE FROM t WHERE pt IN ('a', 'zzz')");
    assertThat(table()).containsExactly("4,40,c", "6,60,b");
    assertThat(snapshots()).isEqualTo(5);

    frame("SELECT 7 AS id, 70 AS v, 'c' AS pt").writeTo("t").overwritePartitions();
    assertThat(table()).containsExactly("6,60,b", "7,70,c");

    frame("SELECT 8 AS id, 80 AS v, 'c' AS pt")
        .writeTo("t")
        .overwrite(functions.col("pt").equalTo("c"));
    assertThat(table()).containsExactly("6,60,b", "8,80,c");

    spark.run("INSERT OVERWRITE t SELECT id + 1, v + 1, pt FROM t");
    assertThat(table()).containsExactly("7,61,b", "9,81,c");
    assertThat(snapshots()).isEqualTo(8);

    spark.run("TRUNCATE TABLE t PARTITION (pt = 'b')");
    assertThat(table()).containsExactly("9,81,c");
    spark.run("DELETE FROM t");
    assertThat(table()).isEmpty();
    assertThat(snapshots()).isEqualTo(10);
    assertThat(spark.rows("SELECT count(*) FROM t VERSION AS OF 2")).containsExactly("4");
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 8 ORDER BY id"))
        .containsExactly("7,61,b", "9,81,c");
    spark.run("INSERT INTO t VALUES (1, 1, 'a')");
    assertThat(table()).containsExactly("1,1,a");
  }

  @Test
  void deleteOfWholePartitionsWritesNoDataFile() {
    createTable(FIXED);
    List<Path> before = dataFiles();
    spark.run("DELETE FROM t WHERE upper(pt) = 'A' OR substring(pt, 1, 1) >= 'c'");

    assertThat(table()).containsExactly("2,20,b");
    assertThat(spark.rows("SELECT count(*), sum(record_count) FROM `t$files`"))
        .containsExactly("1,1");
    assertThat(lastKind()).isEqualTo("OVERWRITE");
    assertThat(dataFiles()).isEqualTo(before);
  }

  private List<Path> dataFiles() {
    try (Stream<Path> files = Files.walk(warehouse)) {
      return files.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void deleteThatSelectsNothingMakesNoSnapshot() {
    createTable(APPEND);
    spark.run(
        "DELETE FROM t WHERE pt = 'none'",
        "DELETE FROM t WHERE false",
        "DELETE FROM t WHERE pt IS NULL",
        "DELETE FROM t WHERE pt LIKE '%none'");
    assertThat(snapshots()).isEqualTo(2);
    assertThat(table()).hasSize(4);
  }

  @Test
  void nullAndEmptyPartitionsAreDifferentOnes() {
    spark.run(
        "CREATE TABLE t (id INT, pt STRING) PARTITIONED BY (pt)",
        "INSERT INTO t VALUES (1, NULL), (2, ''), (3, 'x'), (4, ' ')");
    spark.run("DELETE FROM t WHERE pt = ''");
    assertThat(table()).containsExactly("1,null", "3,x", "4, ");
    spark.run("INSERT OVERWRITE t PARTITION (pt = NULL) VALUES (5)");
    assertThat(table()).containsExactly("3,x", "4, ", "5,null");
    spark.run("INSERT INTO t REPLACE WHERE pt IS NULL SELECT 6, CAST(NULL AS STRING)");
    assertThat(table()).containsExactly("3,x", "4, ", "6,null");
    spark.run("DELETE FROM t WHERE pt <=> NULL OR pt = ' '");
    assertThat(table()).containsExactly("3,x");
  }

  @Test
  void partitionsOfSeveralColumnsAreChosenByAnyOfThem() {
    spark.run(
        "CREATE TABLE t (id INT, dt DATE, hh INT) PARTITIONED BY (dt, hh)",
        "INSERT INTO t VALUES (1, DATE'2024-01-01', 0), (2, DATE'2024-01-01', 1),"
            + " (3, DATE'2024-01-02', 0), (4, DATE'2024-01-02', 1)");
    spark.run("INSERT OVERWRITE t PARTITION (dt = '2024-01-01', hh) SELECT 5, 7");
    assertThat(spark.rows("SELECT * FROM t ORDER BY id"))
        .containsExactly("3,2024-01-02,0", "4,2024-01-02,1", "5,2024-01-01,7");
    spark.run(DYNAMIC, "INSERT OVERWRITE t PARTITION (dt = '2024-01-02', hh) SELECT 6, 1");
    assertThat(spark.rows("SELECT * FROM t ORDER BY id"))
        .containsExactly("3,2024-01-02,0", "5,2024-01-01,7", "6,2024-01-02,1");
    spark.run("INSERT OVERWRITE t PARTITION (hh = 0) SELECT 7, DATE'2024-01-09'");
    assertThat(spark.rows("SELECT * FROM t ORDER BY id"))
        .containsExactly("3,2024-01-02,0", "5,2024-01-01,7", "6,2024-01-02,1", "7,2024-01-09,0");
    spark.run("DELETE FROM t WHERE month(dt) = 1 AND dayofmonth(dt) + hh < 5");
    assertThat(spark.rows("SELECT id FROM t ORDER BY id")).containsExactly("5", "7");
  }

  @Test
  void emptyInputEmptiesWhatTheStatementNamesAndNothingElse() throws Exception {
    createTable(FIXED);
    String none = "SELECT id, v, pt FROM t WHERE id < 0";
    spark.run(DYNAMIC, "INSERT OVERWRITE t " + none);
    frame(none).writeTo("t").overwritePartitions();
    frame(none).write().mode("overwrite").insertInto("t");
    assertThat(snapshots()).isEqualTo(2);
    assertThat(table()).hasSize(4);

    spark.run("SET spark.sql.sources.partitionOverwriteMode=static");
    spark.run("INSERT OVERWRITE t PARTITION (pt = 'b') SELECT id, v FROM t WHERE id < 0");
    assertThat(table()).containsExactly("1,10,a", "3,30,a", "4,40,c");
    frame(none).writeTo("t").overwrite(functions.col("pt").equalTo("c"));
    assertThat(table()).containsExactly("1,10,a", "3,30,a");
    spark.run("INSERT INTO t REPLACE WHERE pt = 'none' " + none);
    assertThat(snapshots()).isEqualTo(4);
    spark.run("INSERT OVERWRITE t " + none);
    assertThat(table()).isEmpty();
    assertThat(snapshots()).isEqualTo(5);
    assertThat(spark.rows("SELECT count(*) FROM t VERSION AS OF 4")).containsExactly("2");
  }

  @Test
  void replaceWhereIsReadAsSparkReadsConditions() {
    spark.run(
        "CREATE TABLE t (id INT, v INT, pt DATE) PARTITIONED BY (pt)",
        "INSERT INTO t VALUES (1, 1, DATE'2024-01-01'), (2, 2, DATE'2024-01-02'),"
            + " (3, 3, DATE'2024-02-01')");
    Dataset<Row> row = frame("SELECT 9 AS id, 9 AS v, DATE'2024-01-05' AS pt");
    row.write()
        .mode("overwrite")
        .option("replaceWhere", "pt >= '2024-01-01' AND month(PT) = 1")
        .insertInto("t");
    assertThat(spark.rows("SELECT id FROM t ORDER BY id")).containsExactly("3", "9");

    row.write()
        .mode("overwrite")
        .option("REPLACEWHERE", "`pt` = '2024-' || '01-05'")
        .insertInto("t");
    assertThat(snapshots()).isEqualTo(3);
    row.write().mode("overwrite").option("replaceWhere", "true").insertInto("t");
    assertThat(spark.rows("SELECT id FROM t")).containsExactly("9");
    spark.run(DYNAMIC);
    frame("SELECT 8 AS id, 8 AS v, DATE'2024-01-06' AS pt")
        .write()
        .mode("overwrite")
        .option("replaceWhere", "pt > date_add(DATE'2024-01-01', 1)")
        .insertInto("t");
    assertThat(spark.rows("SELECT id FROM t")).containsExactly("8");
  }

  @Test
  void rowsOutsideTheConditionAreRefusedAndNothingChanges() {
    createTable(FIXED);
    assertThatThrownBy(
            () -> spark.run("INSERT INTO t REPLACE WHERE pt = 'a' VALUES (1, 1, 'a'), (2, 2, 'b')"))
        .hasMessageContaining("KEYLAKE_OVERWRITE_MISMATCH")
        .hasMessageContaining("pt=b");
    assertThatThrownBy(
            () ->
                frame("SELECT 1 AS id, 1 AS v, 'b' AS pt")
                    .write()
                    .mode("overwrite")
                    .option("replaceWhere", "false")
                    .insertInto("t"))
        .hasMessageContaining("KEYLAKE_OVERWRITE_MISMATCH");
    assertThat(table()).hasSize(4);
    assertThat(snapshots()).isEqualTo(2);
  }

  @Test
  void badConditionsAndModesAreNamed() {
    createTable(APPEND);
    Map<String, String> wrong =
        Map.of(
            "nosuch = 1", "UNRESOLVED_COLUMN",
            "pt = ", "PARSE_SYNTAX_ERROR",
            "rand() > 0.5", "KEYLAKE_INVALID_OPTION",
            "pt IN (SELECT pt FROM t)", "KEYLAKE_INVALID_OPTION",
            "pt", "DATATYPE_MISMATCH");
    wrong.forEach(
        (condition, error) ->
            assertThatThrownBy(
                    () ->
                        frame("SELECT 1 AS id, 1 AS v, 'a' AS pt")
                            .write()
                            .mode("overwrite")
                            .option("replaceWhere", condition)
                            .insertInto("t"))
                .as(condition)
                .hasMessageContaining(error));
    assertThatThrownBy(
            () ->
                frame("SELECT 1 AS id, 1 AS v, 'a' AS pt")
                    .write()
                    .mode("append")
                    .option("replaceWhere", "pt = 'a'")
                    .insertInto("t"))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("overwrite");
    assertThatThrownBy(
            () ->
                frame("SELECT 1 AS id, 1 AS v, 'a' AS pt")
                    .writeTo("t")
                    .option("replaceWhere", "pt = 'a'")
                    .overwrite(functions.col("pt").equalTo("a")))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION");
    assertThatThrownBy(
            () ->
                frame("SELECT 1 AS id, 1 AS v, 'a' AS pt")
                    .write()
                    .mode("overwrite")
                    .option("partitionOverwriteMode", "sometimes")
                    .insertInto("t"))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("sometimes");
    assertThat(snapshots()).isEqualTo(2);
  }

  @Test
  void optionOfAWriteChoosesTheModeOfItsOverwrite() {
    createTable(APPEND);
    frame("SELECT 5 AS id, 50 AS v, 'a' AS pt")
        .write()
        .mode("overwrite")
        .option("partitionOverwriteMode", "dynamic")
        .insertInto("t");
    assertThat(table()).containsExactly("2,20,b", "4,40,c", "5,50,a");
    spark.run(DYNAMIC);
    frame("SELECT 6 AS id, 60 AS v, 'a' AS pt")
        .write()
        .mode("overwrite")
        .option("partitionOverwriteMode", "static")
        .insertInto("t");
    assertThat(table()).containsExactly("6,60,a");
  }

  @Test
  void overwriteByPathKnowsTheSameForms() {
    createTable(FIXED);
    String path = warehouse.resolve("db.db/t").toString();
    frame("SELECT 5 AS id, 50 AS v, 'a' AS pt")
        .write()
        .format("keylake")
        .mode("overwrite")
        .option("replaceWhere", "pt = 'a'")
        .save(path);
    assertThat(table()).containsExactly("2,20,b", "4,40,c", "5,50,a");
    frame("SELECT 6 AS id, 60 AS v, 'b' AS pt")
        .write()
        .format("keylake")
        .mode("overwrite")
        .option("partitionOverwriteMode", "dynamic")
        .save(path);
    assertThat(table()).containsExactly("4,40,c", "5,50,a", "6,60,b");
    frame("SELECT 7 AS id, 70 AS v, 'b' AS pt")
        .write()
        .format("keylake")
        .mode("overwrite")
        .save(path);
    assertThat(table()).containsExactly("7,70,b");
    assertThat(spark.rows("SHOW PARTITIONS t")).containsExactly("pt=b");
  }

  @Test
  void partitionValuesAreWhatRowsAreOverwrittenByWhateverTheirText() {
    spark.run(
        "CREATE TABLE t (id INT, pt STRING) PARTITIONED BY (pt)",
        "INSERT INTO t VALUES (1, 'a/b'), (2, 'a=b'), (3, '50%'), (4, '..'), (5, 'a%2Fb')");
    spark.run(
        "DELETE FROM t WHERE pt = '..'",
        "ALTER TABLE t DROP PARTITION (pt = 'a/b')",
        "INSERT OVERWRITE t PARTITION (pt = '50%') SELECT 30",
        "DELETE FROM t WHERE pt LIKE '%=%'");
    assertThat(table()).containsExactly("5,a%2Fb", "30,50%");
  }

  @Test
  void partitionCommandsRemoveWhatTheyName() {
    spark.run(
        "CREATE TABLE t (id INT, dt STRING, hh INT) PARTITIONED BY (dt, hh)"
            + " TBLPROPERTIES ('primary-key'='dt,hh,id','bucket'='1')",
        "INSERT INTO t VALUES (1, 'd1', 0), (2, 'd1', 1), (3, 'd2', 0)",
        "ALTER TABLE t DROP PARTITION (dt = 'd1', hh = 0)");
    assertThatThrownBy(() -> spark.run("ALTER TABLE t DROP PARTITION (dt = 'd9', hh = 0)"))
        .hasMessageContaining("PARTITIONS_NOT_FOUND");
    spark.run(
        "ALTER TABLE t DROP IF EXISTS PARTITION (dt = 'd9', hh = 0)",
        "TRUNCATE TABLE t PARTITION (dt = 'd1')");
    assertThat(spark.rows("SELECT id FROM t")).containsExactly("3");
    assertThat(snapshots()).isEqualTo(3);
    spark.run("TRUNCATE TABLE t", "TRUNCATE TABLE t");
    assertThat(snapshots()).isEqualTo(4);
    assertThat(spark.rows("SELECT count(*) FROM t VERSION AS OF 2")).containsExactly("2");
  }
}
