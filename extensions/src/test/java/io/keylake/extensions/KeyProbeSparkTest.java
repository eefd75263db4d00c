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
import org.junit.jupiter.params.provider.ValueSource;

/** What statements read of a table that they join with a source. */
final class KeyProbeSparkTest {
  private static final String FILES = "keylakeFiles";
  private static final String ROWS = "numOutputRows";

  /** Clauses that need the old row, so that the target is read. */
  private static final String CONDITIONAL =
      " WHEN MATCHED AND t.v <> 'keep' THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *";

  @TempDir private Path warehouse;
  private SharedSpark spark;
  private SharedSpark plain;

  @BeforeEach
  void sessions() {
    spark = SharedSpark.withRules(warehouse);
    plain = SharedSpark.plain(warehouse);
  }

  /** Tables a and b with three files of distant keys, and s with one source row. */
  private void distantFiles() {
    spark.run("CREATE TABLE s (id INT, v STRING)", "INSERT INTO s VALUES (105, 'new')");
    for (String table : List.of("a", "b")) {
      spark.run(
          "CREATE TABLE "
              + table
              + " (id INT, v STRING, PRIMARY KEY (id)) TBLPROPERTIES ('bucket' = '1')");
      for (int first : List.of(1, 101, 1001)) {
        spark.run(
            "INSERT INTO "
                + table
                + " SELECT CAST(id AS INT), 'old' FROM range("
                + first
                + ", "
                + (first + 10)
                + ")");
      }
    }
  }

  private void assertSameRows(String order) {
    assertThat(spark.rows("SELECT * FROM a ORDER BY " + order))
        .isEqualTo(spark.rows("SELECT * FROM b ORDER BY " + order));
  }

  @Test
  void filesThatTheSourceCannotHitAreNotRead() {
    distantFiles();
    String merge = "MERGE INTO %s t USING s ON t.id = s.id" + CONDITIONAL;
    assertThat(spark.plan(merge.formatted("a"))).contains("RuntimeFilters: [dynamicpruning");
    assertThat(spark.scanned(merge.formatted("a"), "a", FILES)).isEqualTo(1);
    assertThat(plain.scanned(merge.formatted("b"), "b", FILES)).isEqualTo(3);
    assertSameRows("id");
    assertThat(spark.rows("SELECT v FROM a WHERE id = 105")).containsExactly("new");
  }

  @Test
  void widerSourceKeysAndSpellingsOfOtherCaseAreFound() {
    distantFiles();
    spark.run(
        "CREATE TABLE w (v STRING, ID BIGINT)",
        "INSERT INTO w VALUES ('new', 105), ('large', NULL)");
    String merge =
        "MERGE INTO %s t USING w ON w.id = T.ID WHEN MATCHED AND t.v = 'old' THEN UPDATE SET *";
    assertThat(spark.scanned(merge.formatted("a"), "a", FILES)).isEqualTo(1);
    plain.run(merge.formatted("b"));
    assertSameRows("id");
  }

  @Test
  void insertOnlyMergeReadsOnlyFilesWithKeysOfTheSource() {
    distantFiles();
    String merge = "MERGE INTO %s t USING s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *";
    assertThat(spark.scanned(merge.formatted("a"), "a", FILES)).isEqualTo(1);
    assertThat(plain.scanned(merge.formatted("b"), "b", FILES)).isEqualTo(3);
    assertSameRows("id");
  }

  @Test
  void constantKeysOfTheSourceGoToTheScan() {
    distantFiles();
    String merge =
        "MERGE INTO %s t USING (SELECT 105 AS id, 'new' AS v) s ON t.id = s.id" + CONDITIONAL;
    assertThat(spark.plan(merge.formatted("a"))).contains("pushed=[id = 105]");
    assertThat(spark.scanned(merge.formatted("a"), "a", FILES)).isEqualTo(1);
    plain.run(merge.formatted("b"));
    assertSameRows("id");
  }

  @Test
  void manySourceRowsGiveTheScanTheRangeOfTheirKeys() {
    for (String table : List.of("a", "b")) {
      spark.run(
          "CREATE TABLE "
              + table
              + " (id BIGINT, v STRING, PRIMARY KEY (id)) TBLPROPERTIES ('bucket' = '1')",
          "INSERT INTO " + table + " SELECT id, 'old' FROM range(0, 30000)",
          "INSERT INTO " + table + " SELECT id, 'old' FROM range(100000, 130000)");
    }
    String merge =
        "MERGE INTO %s t USING (SELECT id, 'new' AS v FROM range(10000, 50000)) s ON t.id = s.id"
            + CONDITIONAL;
    assertThat(spark.plan(merge.formatted("a")))
        .contains("RuntimeFilters: [")
        .doesNotContain("RuntimeFilters: []", "dynamicpruning");
    assertThat(spark.scanned(merge.formatted("a"), "a", FILES)).isEqualTo(1);
    assertThat(plain.scanned(merge.formatted("b"), "b", FILES)).isEqualTo(2);
    assertThat(spark.rows("SELECT v, count(*), min(id), max(id) FROM a GROUP BY v ORDER BY v"))
        .isEqualTo(spark.rows("SELECT v, count(*), min(id), max(id) FROM b GROUP BY v ORDER BY v"))
        .containsExactly("new,40000,10000,49999", "old,40000,0,129999");
  }

  @Test
  void partitionsThatTheSourceCannotHitAreNotRead() {
    for (String table : List.of("a", "b")) {
      spark.run(
          "CREATE TABLE "
              + table
              + " (p STRING, id INT, v STRING, PRIMARY KEY (p, id)) PARTITIONED BY (p)"
              + " TBLPROPERTIES ('bucket' = '1')",
          "INSERT INTO " + table + " VALUES ('x', 1, 'old'), ('y', 1, 'old'), ('z', 1, 'old')");
    }
    spark.run(
        "CREATE TABLE s (p STRING, id INT, v STRING)",
        "INSERT INTO s VALUES ('y', 1, 'new'), ('y', 2, 'new'), ('q', 3, 'new')");
    String merge = "MERGE INTO %s t USING s ON t.p = s.p AND t.id = s.id" + CONDITIONAL;
    assertThat(spark.scanned(merge.formatted("a"), "a", FILES)).isEqualTo(1);
    assertThat(plain.scanned(merge.formatted("b"), "b", FILES)).isEqualTo(3);
    assertSameRows("p, id");
    assertThat(spark.rows("SELECT v FROM a ORDER BY p, id"))
        .containsExactly("new", "old", "new", "new", "old");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"(SELECT * FROM s LIMIT 1)", "(SELECT id, max(v) OVER (ORDER BY id) AS v FROM s)"})
  void sourcesThatMayDifferWhenReadAgainAreReadOnce(String source) {
    distantFiles();
    String merge = "MERGE INTO %s t USING " + source + " s ON t.id = s.id" + CONDITIONAL;
    assertThat(spark.plan(merge.formatted("a"))).doesNotContain("RuntimeFilters: [d");
    spark.run(merge.formatted("a"));
    plain.run(merge.formatted("b"));
    assertSameRows("id");
  }

  @Test
  void rowsThatTheSourceDoesNotMatchAreReadWhenAClauseIsAboutThem() {
    distantFiles();
    String merge =
        "MERGE INTO %s t USING s ON t.id = s.id WHEN MATCHED AND t.v = 'old' THEN UPDATE SET *"
            + " WHEN NOT MATCHED BY SOURCE AND t.id < 5 THEN DELETE";
    assertThat(spark.plan(merge.formatted("a"))).doesNotContain("RuntimeFilters: [d");
    spark.run(merge.formatted("a"));
    plain.run(merge.formatted("b"));
    assertSameRows("id");
    assertThat(spark.rows("SELECT count(*) FROM a")).containsExactly("26");
  }

  @Test
  void conditionsThatAreNoEqualityOfKeysHaveNoProbe() {
    distantFiles();
    for (String on :
        List.of("t.id <= s.id AND t.id >= s.id", "t.v = s.v", "mod(t.id, 1000) = s.id")) {
      String merge = "MERGE INTO %s t USING s ON " + on + " WHEN MATCHED THEN UPDATE SET v = 'm'";
      assertThat(spark.plan(merge.formatted("a"))).doesNotContain("RuntimeFilters: [d");
      spark.run(merge.formatted("a"));
      plain.run(merge.formatted("b"));
      assertSameRows("id");
    }
  }

  @Test
  void aTableIsMergedWithItself() {
    distantFiles();
    String merge =
        "MERGE INTO %1$s t USING (SELECT id, 'self' AS v FROM %1$s WHERE id > 1005) s"
            + " ON t.id = s.id"
            + CONDITIONAL;
    spark.run(merge.formatted("a"));
    plain.run(merge.formatted("b"));
    assertSameRows("id");
    assertThat(spark.rows("SELECT count(*) FROM a WHERE v = 'self'")).containsExactly("5");
  }

  @Test
  void anEmptySourceChangesNothing() {
    distantFiles();
    spark.run("MERGE INTO a t USING (SELECT * FROM s WHERE id < 0) s ON t.id = s.id" + CONDITIONAL);
    assertSameRows("id");
  }

  @Test
  void onlyKeysAndNamedColumnsAreRead() {
    distantFiles();
    assertThat(
            spark.plan(
                "MERGE INTO a t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET *"
                    + " WHEN NOT MATCHED AND s.id > 0 THEN INSERT *"))
        .containsPattern("BatchScan lake.db.a\\[id#\\d+] ");
    assertThat(spark.plan("DELETE FROM a WHERE id = 105"))
        .containsPattern("BatchScan lake.db.a\\[id#\\d+] .*pushed=\\[id = 105]");
    assertThat(spark.scanned("DELETE FROM a WHERE id = 105", "a", FILES)).isEqualTo(1);
    assertThat(spark.scanned("DELETE FROM a WHERE id = 106 AND v = 'old'", "a", ROWS)).isPositive();
    assertThat(spark.rows("SELECT count(*) FROM a")).containsExactly("28");
  }
}
