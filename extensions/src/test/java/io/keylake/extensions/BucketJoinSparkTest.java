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

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins and aggregations on bucket keys: plans without a shuffle, and their rows. */
final class BucketJoinSparkTest {
  private static final String SHUFFLE = "Exchange";
  private static final String BUCKETING = "spark.sql.sources.v2.bucketing.";
  private static final String REPORT = "spark.keylake.read.report-partitioning";

  @TempDir private Path warehouse;
  private SharedSpark spark;
  private SharedSpark plain;

  @BeforeEach
  void sessions() {
    spark = SharedSpark.withRules(warehouse);
    plain = SharedSpark.plain(warehouse);
    spark.run("SET spark.sql.autoBroadcastJoinThreshold=-1");
    plain.run("SET spark.sql.autoBroadcastJoinThreshold=-1", "SET `" + REPORT + "`=never");
  }

  /** A table in several runs, whose newest rows overlap the older ones. */
  private void keyed(String table, String columns, String properties, String insert) {
    spark.run(
        "CREATE TABLE " + table + " (" + columns + ") " + properties,
        "INSERT INTO " + table + " SELECT " + insert.formatted("'old'") + " FROM range(300)",
        "INSERT INTO " + table + " SELECT " + insert.formatted("'new'") + " FROM range(0, 300, 3)");
  }

  private void keyedById(String table, String type, int buckets) {
    keyed(
        table,
        "id " + type + ", v STRING, PRIMARY KEY (id)",
        "TBLPROPERTIES ('bucket' = '" + buckets + "')",
        "CAST(id AS " + type + "), %s");
  }

  private void assertNoShuffle(String query) {
    assertThat(spark.plan(query)).as(query).doesNotContain(SHUFFLE);
    assertSameRows(query);
  }

  private void assertShuffle(String query) {
    assertThat(spark.plan(query)).as(query).contains(SHUFFLE);
    assertSameRows(query);
  }

  private void assertSameRows(String query) {
    assertThat(plain.plan(query)).as("without layout: " + query).contains(SHUFFLE);
    assertThat(spark.rows(query))
        .as(query)
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(plain.rows(query));
  }

  @Test
  void joinOnTheBucketKeyHasNoShuffle() {
    keyedById("a", "INT", 4);
    keyedById("b", "INT", 4);
    spark.run("DELETE FROM b WHERE id % 7 = 0");
    for (String join : List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "SEMI JOIN")) {
      assertNoShuffle("SELECT a.* FROM a " + join + " b ON a.id = b.id");
    }
    assertNoShuffle("SELECT a.* FROM a ANTI JOIN b ON a.id = b.id");
  }

  @Test
  void aggregationsAndWindowsOnTheBucketKeyHaveNoShuffle() {
    keyedById("a", "BIGINT", 4);
    assertNoShuffle("SELECT id, count(*), max(v) FROM a GROUP BY id");
    assertNoShuffle("SELECT DISTINCT v, id FROM a");
    assertNoShuffle("SELECT id, row_number() OVER (PARTITION BY id ORDER BY v) FROM a");
    assertNoShuffle("SELECT k, count(*) FROM (SELECT id AS k, v FROM a WHERE v <> 'x') GROUP BY k");
    assertShuffle("SELECT v, count(*) FROM a GROUP BY v");
  }

  @Test
  void chainOfJoinsAndAggregationOnTheBucketKeyHasNoShuffle() {
    keyedById("a", "INT", 4);
    keyedById("b", "INT", 2);
    keyedById("c", "INT", 8);
    assertNoShuffle(
        "SELECT a.id, count(*) FROM a JOIN b ON a.id = b.id JOIN c ON b.id = c.id GROUP BY a.id");
    assertNoShuffle(
        "SELECT s.id, n, c.v FROM (SELECT id, count(*) AS n FROM a GROUP BY id) s"
            + " JOIN c ON c.id = s.id");
  }

  @Test
  void tablesOfDifferentBucketCountsJoinByTheirCommonDivisor() {
    for (int buckets : List.of(1, 4, 5, 6, 8)) {
      keyedById("t" + buckets, "INT", buckets);
    }
    for (List<Integer> pair : List.of(List.of(4, 8), List.of(6, 4), List.of(4, 5), List.of(1, 4))) {
      assertNoShuffle(
          "SELECT a.id, a.v, b.v FROM t%d a JOIN t%d b ON a.id = b.id"
              .formatted(pair.get(0), pair.get(1)));
    }
  }

  @Test
  void keysOfSeveralColumnsJoinInAnyOrderOfTheirConditions() {
    for (String table : List.of("a", "b")) {
      keyed(
          table,
          "v STRING, id INT, name STRING, PRIMARY KEY (id, name)",
          "TBLPROPERTIES ('bucket' = '4')",
          "%s, CAST(id AS INT), CAST(id %% 10 AS STRING)");
    }
    assertNoShuffle("SELECT a.*, b.v FROM a JOIN b ON a.name = b.name AND a.id = b.id");
    assertNoShuffle("SELECT name, id, count(*) FROM a GROUP BY name, id");
    assertShuffle("SELECT a.*, b.v FROM a JOIN b ON a.id = b.id");
    assertShuffle("SELECT id, count(*) FROM a GROUP BY id");
    assertShuffle("SELECT a.* FROM a JOIN b ON a.name = b.name AND a.id = b.id + 10");
  }

  @Test
  void keysOfSeveralColumnsAreNotReportedWhereSparkWouldTakeThemApart() {
    for (String table : List.of("a", "b")) {
      keyed(
          table,
          "id INT, name STRING, v STRING, PRIMARY KEY (id, name)",
          "TBLPROPERTIES ('bucket' = '4')",
          "CAST(id %% 50 AS INT), CAST(id AS STRING), %s");
    }
    spark.run("SET spark.sql.requireAllClusterKeysForCoPartition=false");
    for (String conf :
        List.of(
            "allowJoinKeysSubsetOfPartitionKeys.enabled",
            "shuffle.enabled",
            "allowCompatibleTransforms.enabled")) {
      spark.run("SET " + BUCKETING + conf + "=true", "SET `" + REPORT + "`=auto");
      assertShuffle("SELECT a.id, a.name, b.name FROM a JOIN b ON a.id = b.id");
      spark.run("SET `" + REPORT + "`=always");
      assertShuffle("SELECT a.id, a.name, b.name FROM a JOIN b ON a.id = b.id");
      assertShuffle("SELECT a.*, b.v FROM a JOIN b ON a.id = b.id AND a.name = b.name");
      spark.run("SET " + BUCKETING + conf + "=false");
    }
    assertNoShuffle("SELECT a.*, b.v FROM a JOIN b ON a.id = b.id AND a.name = b.name");
  }

  @Test
  void columnsComparedBesidesTheBucketKeyNeedNoShuffle() {
    keyedById("a", "INT", 4);
    keyedById("b", "INT", 4);
    assertNoShuffle("SELECT a.*, b.v FROM a JOIN b ON a.v = b.v AND a.id = b.id");
  }

  @Test
  void partitionedTablesJoinOnPartitionAndBucketKeyOrOnTheBucketKeyAlone() {
    for (String table : List.of("a", "b")) {
      keyed(
          table,
          "dt STRING, id INT, v STRING, PRIMARY KEY (dt, id)",
          "PARTITIONED BY (dt) TBLPROPERTIES ('bucket' = '3')",
          "concat('d', id %% 4), CAST(id %% 100 AS INT), %s");
    }
    spark.run("DELETE FROM b WHERE dt = 'd1'");
    assertNoShuffle("SELECT a.*, b.v FROM a JOIN b ON a.dt = b.dt AND a.id = b.id");
    assertNoShuffle("SELECT a.*, b.v FROM a LEFT JOIN b ON a.id = b.id AND a.dt = b.dt");
    assertNoShuffle("SELECT a.*, b.v FROM a JOIN b ON a.id = b.id");
    assertNoShuffle("SELECT dt, id, count(*) FROM a GROUP BY id, dt");
    assertNoShuffle("SELECT id, count(*) FROM a GROUP BY id");
    assertShuffle("SELECT dt, count(*) FROM a GROUP BY dt");
    assertNoShuffle("SELECT a.id, b.v FROM a JOIN b ON a.id = b.id WHERE a.dt = 'd0'");
  }

  @Test
  void partitionedTableJoinsUnpartitionedTableOnTheBucketKey() {
    keyed(
        "a",
        "dt STRING, id INT, v STRING, PRIMARY KEY (dt, id)",
        "PARTITIONED BY (dt) TBLPROPERTIES ('bucket' = '4')",
        "concat('d', id %% 4), CAST(id %% 100 AS INT), %s");
    keyedById("b", "INT", 2);
    assertNoShuffle("SELECT a.*, b.v FROM a JOIN b ON a.id = b.id");
    assertShuffle("SELECT a.* FROM a JOIN b ON a.id = b.id AND a.dt = concat('d', b.id)");
  }

  @Test
  void partitionsOfDifferentBucketCountsJoinByTheCommonDivisor() {
    spark.run(
        "CREATE TABLE a (dt STRING, id INT, v STRING, PRIMARY KEY (dt, id)) PARTITIONED BY (dt)"
            + " TBLPROPERTIES ('bucket' = '6')",
        "INSERT INTO a SELECT 'd1', CAST(id AS INT), 'six' FROM range(300)",
        "ALTER TABLE a SET TBLPROPERTIES ('bucket' = '4')",
        "INSERT OVERWRITE a PARTITION (dt = 'd2') SELECT CAST(id AS INT), 'four' FROM range(300)");
    keyedById("b", "INT", 4);
    assertNoShuffle("SELECT a.*, b.v FROM a JOIN b ON a.id = b.id");
    assertNoShuffle("SELECT id, count(*) FROM a GROUP BY id");
    assertNoShuffle("SELECT x.id FROM a x JOIN a y ON x.id = y.id AND x.dt = y.dt");
  }

  @ParameterizedTest
  @CsvSource({
    "INT, BIGINT",
    "'DECIMAL(10,2)', 'DECIMAL(12,2)'",
    "INT, STRING",
    "DATE, TIMESTAMP",
    "TIMESTAMP, TIMESTAMP_NTZ"
  })
  void keysOfDifferentTypesAreShuffled(String left, String right) {
    create("a", left, 4);
    create("b", right, 4);
    assertShuffle("SELECT a.v, b.v FROM a FULL JOIN b ON a.id = b.id");
    assertNoShuffle("SELECT a.v, b.v FROM a FULL JOIN a b ON a.id = b.id");
  }

  private void create(String table, String type, int buckets) {
    spark.run(
        "CREATE TABLE "
            + table
            + " (id "
            + type
            + ", v INT) TBLPROPERTIES ('bucket' = '"
            + buckets
            + "', 'bucket-key' = 'id')");
    String value =
        type.startsWith("TIME") || type.equals("DATE")
            ? "date_add(DATE'2024-01-01', CAST(id AS INT))"
            : "id";
    spark.run(
        "INSERT INTO "
            + table
            + " SELECT CAST("
            + value
            + " AS "
            + type
            + "), CAST(id AS INT) FROM range(100)",
        "INSERT INTO " + table + " VALUES (NULL, -1), (NULL, -2)");
  }

  /** A table with keys of both signs, some of them twice. */
  private void functioned(String table, String type, int buckets, String function) {
    spark.run(
        "CREATE TABLE "
            + table
            + " (id "
            + type
            + ", v INT) TBLPROPERTIES ('bucket-key' = 'id', 'bucket' = '"
            + buckets
            + "', 'bucket-function.type' = '"
            + function
            + "')",
        "INSERT INTO "
            + table
            + " SELECT CAST(id AS "
            + type
            + "), CAST(id AS INT)"
            + " FROM range(-60, 60)",
        "INSERT INTO " + table + " SELECT CAST(-id AS " + type + "), 1000 FROM range(0, 80, 7)");
  }

  @ParameterizedTest
  @CsvSource({"mod, INT", "mod, BIGINT", "hive, INT", "hive, STRING"})
  void tablesOfOneBucketFunctionJoinWithoutShuffleAlsoByNegativeKeys(String function, String type) {
    functioned("a", type, 4, function);
    functioned("b", type, 6, function);
    assertNoShuffle("SELECT a.id, a.v, b.v FROM a FULL JOIN b ON a.id = b.id");
    assertNoShuffle("SELECT a.id, a.v, b.v FROM a JOIN b ON a.id = b.id WHERE a.id < 0");
    assertNoShuffle("SELECT id, count(*), sum(v) FROM a GROUP BY id");
  }

  @ParameterizedTest
  @CsvSource({"mod, default", "hive, default", "mod, hive"})
  void tablesOfDifferentBucketFunctionsAreShuffled(String left, String right) {
    functioned("a", "INT", 4, left);
    functioned("b", "INT", 4, right);
    assertShuffle("SELECT a.id, a.v, b.v FROM a FULL JOIN b ON a.id = b.id");
    assertShuffle("SELECT a.id, a.v, b.v FROM b RIGHT JOIN a ON a.id = b.id WHERE a.id < 0");
    assertNoShuffle("SELECT a.id, a.v, b.v FROM a FULL JOIN a b ON a.id = b.id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DOUBLE", "FLOAT"})
  void zeroesOfBothSignsAreOneGroup(String type) {
    spark.run(
        "CREATE TABLE a (id " + type + ") TBLPROPERTIES ('bucket' = '8', 'bucket-key' = 'id')",
        "INSERT INTO a VALUES (CAST(0.0 AS " + type + ")), (CAST('-0.0' AS " + type + "))");
    assertThat(spark.rows("SELECT count(*) FROM a GROUP BY id")).containsExactly("2");
    assertThat(spark.rows("SELECT count(*) FROM a x JOIN a y ON x.id = y.id")).containsExactly("4");
  }

  @Test
  void textOfAnyLengthHashesAlike() {
    create("a", "STRING", 4);
    create("b", "VARCHAR(20)", 2);
    assertNoShuffle("SELECT a.v, b.v FROM a FULL JOIN b ON a.id = b.id");
  }

  @Test
  void nullKeysMatchNothingAndStay() {
    create("a", "INT", 4);
    create("b", "INT", 2);
    assertNoShuffle("SELECT a.v, b.v FROM a LEFT JOIN b ON a.id = b.id");
    assertNoShuffle("SELECT id, count(*) FROM a GROUP BY id");
    assertShuffle("SELECT a.v, b.v FROM a JOIN b ON a.id <=> b.id");
  }

  @Test
  void tablesOfDifferentCatalogsJoinWithoutShuffle(@TempDir Path other) {
    keyedById("a", "INT", 4);
    for (SharedSpark session : List.of(spark, plain)) {
      session.run(
          "SET spark.sql.catalog.second=io.keylake.catalog.KeylakeCatalog",
          "SET spark.sql.catalog.second.warehouse=" + other);
    }
    spark.run(
        "CREATE NAMESPACE IF NOT EXISTS second.db",
        "CREATE TABLE second.db.b (id INT, PRIMARY KEY (id)) TBLPROPERTIES ('bucket' = '4')",
        "INSERT INTO second.db.b SELECT CAST(id AS INT) FROM range(10)");
    assertNoShuffle("SELECT a.* FROM a JOIN second.db.b ON a.id = b.id");
  }

  @Test
  void olderVersionsJoinByTheLayoutTheyHave() {
    keyedById("a", "INT", 4);
    keyedById("b", "INT", 4);
    spark.run("INSERT OVERWRITE b VALUES (1, 'one')");
    assertNoShuffle("SELECT a.*, b.v FROM a VERSION AS OF 1 JOIN b VERSION AS OF 2 ON a.id = b.id");
  }

  @Test
  void deletionVectorsAndSeveralSplitsOfABucketAreBroughtTogether() {
    keyed(
        "a",
        "id INT, v STRING, PRIMARY KEY (id)",
        "TBLPROPERTIES ('bucket' = '2', 'deletion-vectors.enabled' = 'true')",
        "CAST(id AS INT), %s");
    keyedById("b", "INT", 2);
    for (SharedSpark session : List.of(spark, plain)) {
      session.run(
          "SET `spark.keylake.source.split.target-size`=1kb",
          "SET `spark.keylake.source.split.open-file-cost`=1b");
    }
    assertThat(spark.session().table("a").rdd().getNumPartitions()).isGreaterThan(2);
    assertNoShuffle("SELECT a.*, b.v FROM a JOIN b ON a.id = b.id");
    spark.run("SET " + BUCKETING + "partiallyClusteredDistribution.enabled=true");
    assertNoShuffle("SELECT a.*, b.v FROM a JOIN b ON a.id = b.id");
  }

  @Test
  void filtersThatComeWhileTheQueryRunsKeepTheKeys() {
    for (String table : List.of("a", "b")) {
      keyed(
          table,
          "dt STRING, id INT, v STRING, PRIMARY KEY (dt, id)",
          "PARTITIONED BY (dt) TBLPROPERTIES ('bucket' = '3')",
          "concat('d', id %% 4), CAST(id %% 100 AS INT), %s");
    }
    spark.run(
        "SET spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly=false",
        "SET spark.sql.optimizer.dynamicPartitionPruning.fallbackFilterRatio=100");
    String query =
        "SELECT a.*, b.v FROM a JOIN b ON a.dt = b.dt AND a.id = b.id WHERE b.v = 'new'"
            + " AND b.id < 20";
    assertThat(spark.plan(query)).contains("dynamicpruning");
    assertThat(spark.rows(query))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(plain.rows(query));
  }

  @Test
  void bucketsAreStillPruned() {
    keyedById("a", "INT", 4);
    keyedById("b", "INT", 4);
    String query = "SELECT a.*, b.v FROM a JOIN b ON a.id = b.id WHERE a.id = 4";
    long pruned = spark.scanned(query, "a", "keylakeFiles");
    assertThat(pruned).isEqualTo(plain.scanned(query, "a", "keylakeFiles")).isLessThan(4);
    assertNoShuffle(query);
  }

  @Test
  void otherScansAreCutAsEver() {
    keyed(
        "a",
        "dt STRING, id INT, v STRING, PRIMARY KEY (dt, id)",
        "PARTITIONED BY (dt) TBLPROPERTIES ('bucket' = '4')",
        "concat('d', id %% 8), CAST(id AS INT), %s");
    String join = "SELECT a.id FROM a JOIN range(10) r ON a.id = r.id";
    for (String query : List.of("SELECT * FROM a", "SELECT id FROM a WHERE id > 5", join)) {
      assertThat(tasks(spark, query)).isEqualTo(tasks(plain, query));
      assertThat(spark.plan(query)).doesNotContain("GroupPartitions");
    }
    spark.run("SET spark.sql.autoBroadcastJoinThreshold=1000000");
    assertThat(spark.plan("SELECT a.id FROM a JOIN a b ON a.dt = b.dt AND a.id = b.id"))
        .contains("BroadcastHashJoin")
        .doesNotContain("GroupPartitions");
  }

  private static int tasks(SharedSpark session, String query) {
    return session.sql(query).rdd().getNumPartitions();
  }

  @Test
  void fewBucketsOfMuchDataAreShuffledSoThatAllCoresWork() {
    keyedById("a", "INT", 1);
    spark.run("SET spark.sql.adaptive.advisoryPartitionSizeInBytes=1kb");
    keyedById("b", "INT", 4);
    assertShuffle("SELECT id, count(*) FROM a GROUP BY id");
    assertNoShuffle("SELECT id, count(*) FROM b GROUP BY id");
  }

  @Test
  void layoutIsReportedWithoutRulesWhenAskedAndNeverWhenForbidden() {
    keyedById("a", "INT", 4);
    keyedById("b", "INT", 8);
    String query = "SELECT a.id, b.v FROM a JOIN b ON a.id = b.id";
    plain.run(
        "SET `" + REPORT + "`=always",
        "SET " + BUCKETING + "allowCompatibleTransforms.enabled=true");
    assertThat(plain.plan(query)).doesNotContain(SHUFFLE);
    assertThat(plain.rows(query)).containsExactlyInAnyOrderElementsOf(spark.rows(query));
    spark.run("SET `" + REPORT + "`=never");
    assertThat(spark.plan(query)).contains(SHUFFLE);
  }

  @Test
  void oneSideAloneIsShuffledToTheBucketsWhereSparkMay() {
    keyedById("a", "INT", 4);
    String query =
        "SELECT a.*, r.n FROM a JOIN (SELECT CAST(id * 2 AS INT) AS n FROM range(200)) r ON a.id ="
            + " r.n";
    plain.run("SET `" + REPORT + "`=always", "SET " + BUCKETING + "shuffle.enabled=true");
    assertThat(plain.plan(query)).containsOnlyOnce(SHUFFLE);
    assertThat(plain.rows(query)).containsExactlyInAnyOrderElementsOf(spark.rows(query));
  }

  @Test
  void mergeFromATableOfTheSameBucketsReadsBothWithoutShuffle() {
    keyedById("a", "INT", 4);
    keyedById("b", "INT", 4);
    keyedById("c", "INT", 4);
    String merge =
        "MERGE INTO %s t USING b s ON t.id = s.id WHEN MATCHED AND t.v <> s.v THEN UPDATE SET v ="
            + " concat(t.v, s.v) WHEN NOT MATCHED THEN INSERT *";
    assertThat(spark.plan(merge.formatted("a"))).contains("GroupPartitions");
    spark.run(merge.formatted("a"));
    plain.run(merge.formatted("c"));
    assertThat(spark.rows("SELECT * FROM a ORDER BY id"))
        .isEqualTo(plain.rows("SELECT * FROM c ORDER BY id"));
  }
}
