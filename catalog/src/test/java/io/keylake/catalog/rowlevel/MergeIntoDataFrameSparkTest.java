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

package io.keylake.catalog.rowlevel;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keylake.catalog.SharedSpark;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The tests of Spark's {@code MergeIntoDataFrameSuite} and {@code
 * MergeIntoSchemaEvolutionExtraScalaTests} that need a DataFrame which is analysed before the
 * MERGE, or an alias that SQL cannot say. Names are Spark's titles.
 */
final class MergeIntoDataFrameSparkTest {
  private static final String TARGET = "lake.db.t";
  private static final String CHANGED = "INCOMPATIBLE_TABLE_CHANGE_AFTER_ANALYSIS.COLUMNS_MISMATCH";

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

  private void create(TableKind kind, String columns, String rows) {
    String properties =
        kind.isKeyed() ? " TBLPROPERTIES ('primary-key' = 'pk', 'bucket' = '2')" : "";
    spark.run("CREATE TABLE t (" + columns + ")" + properties, "INSERT INTO t VALUES " + rows);
  }

  private void createEmployees(TableKind kind) {
    create(
        kind,
        "pk INT NOT NULL, salary INT, dep STRING",
        "(1, 100, 'hr'), (2, 200, 'software'), (3, 300, 'hr')");
  }

  private static Column target(String column) {
    return col(TARGET + "." + column);
  }

  private static scala.collection.immutable.Map<String, Column> set(String column, Column value) {
    return Map$.MODULE$.from(CollectionConverters.asScala(Map.of(column, value)));
  }

  /** Source rows of the table itself, analysed now. */
  private Dataset<Row> analysed(String condition) {
    Dataset<Row> source = spark.session().table(TARGET).where(condition).as("source");
    assertThat(source.columns()).isNotEmpty();
    return source;
  }

  private static void raiseSalaries(Dataset<Row> source) {
    source
        .mergeInto(TARGET, col("source.pk").equalTo(target("pk")))
        .whenMatched()
        .update(set("salary", target("salary").plus(1)))
        .merge();
  }

  private static void assertFails(Runnable action, String condition) {
    Throwable failure = catchThrowable(action::run);
    assertThat(failure).isInstanceOf(SparkThrowable.class);
    assertThat(((SparkThrowable) failure).getCondition()).isEqualTo(condition);
  }

  private List<String> rows() {
    return spark.rows("SELECT * FROM t ORDER BY pk");
  }

  private void assertSchemaChangeIsFound(TableKind kind, String change) {
    createEmployees(kind);
    Dataset<Row> source = analysed("salary = 100");
    spark.run("ALTER TABLE t " + change);
    assertFails(() -> raiseSalaries(source), CHANGED);
    assertThat(spark.value("SELECT count(*) FROM `t$snapshots`")).isEqualTo("1");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName(
      "self merge fails when source schema changes after analysis - DDL: ADD COLUMN new_col INT")
  void addedColumnIsFound(TableKind kind) {
    assertSchemaChangeIsFound(kind, "ADD COLUMN new_col INT");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName(
      "self merge fails when source schema changes after analysis - DDL: DROP COLUMN salary")
  void droppedColumnIsFound(TableKind kind) {
    createEmployees(kind);
    Dataset<Row> source = analysed("salary = 100");
    spark.run("ALTER TABLE t DROP COLUMN salary");
    assertFails(
        () ->
            source
                .mergeInto(TARGET, col("source.pk").equalTo(target("pk")))
                .whenMatched()
                .delete()
                .merge(),
        CHANGED);
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName(
      "self merge fails when source schema changes after analysis - DDL: ALTER COLUMN salary TYPE"
          + " BIGINT")
  void widenedColumnIsFound(TableKind kind) {
    assertSchemaChangeIsFound(kind, "ALTER COLUMN salary TYPE BIGINT");
  }

  @Test
  @DisplayName(
      "self merge fails when source schema changes after analysis - DDL: ALTER COLUMN pk DROP NOT"
          + " NULL")
  void droppedNotNullIsFound() {
    assertSchemaChangeIsFound(TableKind.APPEND, "ALTER COLUMN pk DROP NOT NULL");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName("self merge fails when source table is dropped and recreated after analysis")
  void newTableOfTheSameNameIsFound(TableKind kind) {
    createEmployees(kind);
    Dataset<Row> source = analysed("salary = 100");
    spark.run("DROP TABLE t");
    createEmployees(kind);
    assertFails(
        () -> raiseSalaries(source), "INCOMPATIBLE_TABLE_CHANGE_AFTER_ANALYSIS.TABLE_ID_MISMATCH");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName("self merge fails when column is dropped and re-added after analysis")
  void newColumnOfTheSameNameIsFound(TableKind kind) {
    createEmployees(kind);
    Dataset<Row> source = analysed("salary = 100");
    spark.run("ALTER TABLE t DROP COLUMN salary", "ALTER TABLE t ADD COLUMN salary INT");
    assertFails(() -> raiseSalaries(source), CHANGED);
  }

  private void createSource() {
    spark.run(
        "CREATE TABLE source_table (pk INT NOT NULL, salary INT, dep STRING)",
        "INSERT INTO source_table VALUES (1, 101, 'support'), (4, 401, 'support')");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName("SPARK-54157: version is refreshed when source is V2 table")
  void rowsThatCameAfterTheAnalysisAreRead(TableKind kind) {
    createEmployees(kind);
    createSource();
    Dataset<Row> source = spark.session().table("lake.db.source_table");
    assertThat(source.columns()).hasSize(3);
    spark.run("INSERT INTO source_table VALUES (5, 501, 'finance')");
    source
        .mergeInto(TARGET, col("source_table.pk").equalTo(target("pk")))
        .whenMatched()
        .updateAll()
        .whenNotMatched()
        .insertAll()
        .merge();
    assertThat(rows())
        .containsExactly(
            "1,101,support", "2,200,software", "3,300,hr", "4,401,support", "5,501,finance");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName("SPARK-54444: any schema changes after analysis are prohibited")
  void changeOfAnotherTableIsFound(TableKind kind) {
    createEmployees(kind);
    createSource();
    Dataset<Row> source = spark.session().table("lake.db.source_table").filter("pk < 10");
    assertThat(source.columns()).hasSize(3);
    spark.run(
        "ALTER TABLE source_table ADD COLUMN new_col INT",
        "INSERT INTO source_table VALUES (5, 501, 'finance', 5)");
    assertFails(
        () ->
            source
                .mergeInto(TARGET, col("source_table.pk").equalTo(target("pk")))
                .withSchemaEvolution()
                .whenMatched()
                .updateAll()
                .whenNotMatched()
                .insertAll()
                .merge(),
        CHANGED);
    assertThat(spark.session().table(TARGET).columns()).containsExactly("pk", "salary", "dep");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName("cached merge source is reused when the table is unchanged since caching")
  void cachedRowsOfTheTargetAreMerged(TableKind kind) {
    createEmployees(kind);
    Dataset<Row> source = spark.session().table(TARGET).where("salary < 250").as("source").cache();
    assertThat(source.count()).isEqualTo(2);
    raiseSalaries(source);
    assertThat(rows()).containsExactly("1,101,hr", "2,201,software", "3,300,hr");
    source.unpersist();
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName(
      "cached merge source is dropped when the table version moves on between caching and MERGE")
  void cachedRowsOfATargetThatAnotherSessionChangedAreReadAgain(TableKind kind) {
    createEmployees(kind);
    Dataset<Row> source = spark.session().table(TARGET).where("salary < 250").as("source").cache();
    assertThat(source.count()).isEqualTo(2);
    SharedSpark.over(warehouse).run("INSERT INTO t VALUES (4, 210, 'hr')");
    raiseSalaries(source);
    assertThat(rows()).containsExactly("1,101,hr", "2,201,software", "3,300,hr", "4,211,hr");
    source.unpersist();
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName(
      "cached source from outside the txn catalog is reused without consulting registerScans")
  void cachedRowsOfNoTableAreMerged(TableKind kind) {
    createEmployees(kind);
    Dataset<Row> source =
        spark
            .session()
            .range(2)
            .select(
                col("id").plus(1).cast("int").as("pk"), lit(999).as("salary"), lit("hr").as("dep"))
            .as("source")
            .cache();
    assertThat(source.count()).isEqualTo(2);
    source
        .mergeInto(TARGET, col("source.pk").equalTo(target("pk")))
        .whenMatched()
        .update(set("salary", col("source.salary")))
        .merge();
    assertThat(rows()).containsExactly("1,999,hr", "2,999,software", "3,300,hr");
    source.unpersist();
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName("cached relation inside an IN-subquery is substituted via useCachedData recursion")
  void cachedTableInASubqueryIsUsed(TableKind kind) {
    createEmployees(kind);
    spark.run(
        "CREATE TABLE looked_up (pk INT)",
        "INSERT INTO looked_up VALUES (1), (2)",
        "CACHE TABLE looked_up");
    raiseSalaries(analysed("pk IN (SELECT pk FROM lake.db.looked_up)"));
    assertThat(rows()).containsExactly("1,101,hr", "2,201,software", "3,300,hr");
    spark.run("UNCACHE TABLE looked_up");
  }

  private void createNested(TableKind kind) {
    create(kind, "pk INT NOT NULL, info STRUCT<a: INT>", "(1, struct(10)), (2, struct(20))");
    spark.run(
        "CREATE TEMPORARY VIEW source AS SELECT pk, named_struct('a', a, 'b', b) AS info FROM"
            + " VALUES (2, 30, 50), (3, 40, 75) AS v(pk, a, b)");
  }

  private void assertDoesNotEvolve(String column, Column value, String condition) {
    assertFails(
        () ->
            spark
                .session()
                .table("source")
                .mergeInto(TARGET, target("pk").equalTo(col("source.pk")))
                .whenMatched()
                .update(set(column, value))
                .withSchemaEvolution()
                .merge(),
        condition);
    assertThat(spark.session().table(TARGET).schema().apply("info").dataType().sql())
        .isEqualTo("STRUCT<a: INT>");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName("schema evolution - top-level aliased struct column is not evolved")
  void aliasDoesNotEvolve(TableKind kind) {
    createNested(kind);
    assertDoesNotEvolve(
        "info", col("source.info").as("info"), "INCOMPATIBLE_DATA_FOR_TABLE.EXTRA_STRUCT_FIELDS");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName(
      "schema evolution - top-level aliased struct column with mismatched name is not evolved")
  void aliasOfAnotherNameDoesNotEvolve(TableKind kind) {
    createNested(kind);
    assertDoesNotEvolve(
        "info",
        col("source.info").as("something_else"),
        "INCOMPATIBLE_DATA_FOR_TABLE.EXTRA_STRUCT_FIELDS");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName("schema evolution - nested field through aliased struct column is not evolved")
  void fieldOfAnAliasDoesNotEvolve(TableKind kind) {
    createNested(kind);
    assertDoesNotEvolve(
        "info.b", col("source.info").as("x").getField("b"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  @DisplayName("schema evolution - complex expression value is not considered for evolution")
  void expressionDoesNotEvolve(TableKind kind) {
    createNested(kind);
    assertDoesNotEvolve(
        "info.b", col("source.info.b").plus(1).as("b"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  }
}
