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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries over random tables give the rows that they give without a reported layout, however
 * Spark is set. {@code -Dkeylake.test.seed} repeats a run.
 */
final class BucketJoinModelTest {
  private static final int TABLES = 3;
  private static final int ROUNDS = Integer.getInteger("joins.rounds", 2);
  private static final int QUERIES = 6;
  private static final String REPORT = "spark.keylake.read.report-partitioning";

  /** Settings that change what Spark makes of a reported layout. */
  private static final List<String> SETTINGS =
      List.of(
          "spark.sql.requireAllClusterKeysForCoPartition",
          "spark.sql.sources.v2.bucketing.shuffle.enabled",
          "spark.sql.sources.v2.bucketing.allowJoinKeysSubsetOfPartitionKeys.enabled",
          "spark.sql.sources.v2.bucketing.allowCompatibleTransforms.enabled",
          "spark.sql.sources.v2.bucketing.partiallyClusteredDistribution.enabled",
          "spark.sql.sources.v2.bucketing.partition.filter.enabled",
          "spark.sql.sources.v2.bucketing.partitionKeyOrdering.enabled",
          "spark.sql.adaptive.enabled");

  private static final List<String> JOINS =
      List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "SEMI JOIN", "ANTI JOIN");

  @TempDir private Path warehouse;
  private SharedSpark spark;
  private SharedSpark plain;

  @BeforeEach
  void sessions() {
    spark = SharedSpark.withRules(warehouse);
    plain = SharedSpark.plain(warehouse);
    spark.run("SET spark.sql.autoBroadcastJoinThreshold=-1");
    plain.run("SET `" + REPORT + "`=never");
  }

  @Test
  void rowsAreThoseOfShuffledQueries() {
    long seed = Long.getLong("keylake.test.seed", 20_241_130L);
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(seed + round);
      List<String> key = random.nextBoolean() ? List.of("id") : List.of("id", "name");
      for (int table = 0; table < TABLES; table++) {
        table("r" + round + "t" + table, key, random);
      }
      for (int query = 0; query < QUERIES; query++) {
        check("seed " + (seed + round), query(round, random), random);
      }
    }
  }

  private void table(String name, List<String> key, Random random) {
    boolean partitioned = random.nextBoolean();
    boolean keyed = random.nextInt(3) > 0;
    List<String> primary = new ArrayList<>(partitioned ? List.of("dt") : List.of());
    primary.addAll(key);
    spark.run(
        "CREATE TABLE "
            + name
            + " (id INT, name STRING, dt STRING, v INT"
            + (keyed ? ", PRIMARY KEY (" + String.join(", ", primary) + "))" : ")")
            + (partitioned ? " PARTITIONED BY (dt)" : "")
            + " TBLPROPERTIES ('bucket' = '"
            + List.of(1, 2, 3, 4, 6).get(random.nextInt(5))
            + "', 'bucket-key' = '"
            + String.join(",", key)
            + "', 'deletion-vectors.enabled' = '"
            + random.nextBoolean()
            + "')");
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      spark.run(
          "INSERT INTO "
              + name
              + " SELECT CAST(id % "
              + (20 + random.nextInt(100))
              + " AS INT), concat('n', id % 3), concat('d', id % 4), CAST(id AS INT) FROM range("
              + (20 + random.nextInt(150))
              + ")");
    }
    if (random.nextBoolean()) {
      spark.run("DELETE FROM " + name + " WHERE v % 5 = " + random.nextInt(5));
    }
  }

  private String query(int round, Random random) {
    String left = "r" + round + "t" + random.nextInt(TABLES);
    String right = "r" + round + "t" + random.nextInt(TABLES);
    List<String> columns = new ArrayList<>(List.of("id", "name", "dt"));
    columns.removeIf(column -> random.nextInt(3) == 0);
    if (columns.isEmpty()) {
      columns.add("id");
    }
    String grouping = String.join(", ", columns);
    if (random.nextInt(3) == 0) {
      return "SELECT " + grouping + ", count(*), sum(v) FROM " + left + " GROUP BY " + grouping;
    }
    String join = JOINS.get(random.nextInt(JOINS.size()));
    String on = String.join(" AND ", columns.stream().map(c -> "a." + c + " = b." + c).toList());
    String output = join.startsWith("SEMI") || join.startsWith("ANTI") ? "a.*" : "a.*, b.*";
    String query =
        "SELECT " + output + " FROM " + left + " a " + join + " " + right + " b ON " + on;
    return random.nextBoolean()
        ? query + " WHERE a." + (random.nextBoolean() ? "v > 10" : "dt IN ('d1', 'd2')")
        : query;
  }

  private void check(String seed, String query, Random random) {
    StringBuilder settings = new StringBuilder(seed);
    for (String setting : SETTINGS) {
      boolean value = random.nextInt(4) == 0 != setting.contains("require");
      spark.run("SET " + setting + "=" + (setting.contains("adaptive") ? !value : value));
      settings.append(value ? ", " + setting : "");
    }
    String report = random.nextBoolean() ? "always" : "auto";
    spark.run("SET `" + REPORT + "`=" + report);
    assertThat(spark.rows(query))
        .as("%s, %s: %s%n%s", settings, report, query, spark.plan(query))
        .containsExactlyInAnyOrderElementsOf(plain.rows(query));
  }
}
