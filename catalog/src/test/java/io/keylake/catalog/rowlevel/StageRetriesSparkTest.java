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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.catalog.SharedSpark;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows and counts when the first attempt of every stage whose output is shuffled is lost. The title
 * is one of three suites of Spark: DeleteFromTableSuiteBase, UpdateTableSuiteBase and
 * MergeIntoTableSuiteBase.
 */
@DisplayName("metric values are stable across stage retries")
final class StageRetriesSparkTest {
  private static final String TESTING = "spark.testing";
  private static final String LOSE = "spark.testing.injectShuffleFetchFailures";

  @TempDir private Path warehouse;

  private void check(TableKind kind, String statement, Map<String, Long> counts, String... rows)
      throws Exception {
    ScenarioTable table = new ScenarioTable(warehouse, "s");
    SharedSpark spark = table.spark();
    String properties =
        kind.isKeyed() ? " TBLPROPERTIES ('primary-key' = 'pk', 'bucket' = '2')" : "";
    spark.run(
        "SET spark.sql.autoBroadcastJoinThreshold=-1",
        "CREATE TABLE t (pk INT NOT NULL, salary INT, dep STRING)" + properties,
        "INSERT INTO t VALUES (1, 100, 'hr'), (2, 200, 'software'), (3, 300, 'hr')",
        "CREATE TEMPORARY VIEW source AS SELECT * FROM VALUES (1), (2), (10) AS v(pk)");
    long before = table.snapshot();
    SparkConf conf = spark.session().sparkContext().conf();
    System.setProperty(TESTING, "true");
    conf.set(LOSE, "true");
    try {
      spark.run(statement);
    } finally {
      conf.remove(LOSE);
      System.clearProperty(TESTING);
    }
    assertThat(spark.rows("SELECT pk, salary FROM t ORDER BY pk")).containsExactly(rows);
    assertThat(table.changesSince(before)).hasSize(1);
    assertThat(table.countsSince(before)).isEqualTo(counts);
    assertThat(ReferenceTable.of(warehouse.toString(), "s", "t").rows()).hasSize(rows.length);
    SoundTable.checkAllUnder(warehouse);
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  void delete(TableKind kind) throws Exception {
    check(
        kind,
        "DELETE FROM t WHERE pk IN (SELECT pk FROM source)",
        Map.of("inserted", 0L, "updated", 0L, "deleted", 2L),
        "3,300");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  void update(TableKind kind) throws Exception {
    check(
        kind,
        "UPDATE t SET salary = salary + 100 WHERE pk IN (SELECT pk FROM source)",
        Map.of("inserted", 0L, "updated", 2L, "deleted", 0L),
        "1,200",
        "2,300",
        "3,300");
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYED", "APPEND"})
  void merge(TableKind kind) throws Exception {
    check(
        kind,
        "MERGE INTO t USING source s ON t.pk = s.pk"
            + " WHEN MATCHED THEN UPDATE SET salary = salary + 100"
            + " WHEN NOT MATCHED THEN INSERT (pk, salary, dep) VALUES (s.pk, 999, 'unknown')",
        Map.of("inserted", 1L, "updated", 2L, "deleted", 0L),
        "1,200",
        "2,300",
        "3,300",
        "10,999");
  }
}
