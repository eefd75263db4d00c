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

package io.keylake.catalog.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.SharedSpark;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.Map;
import org.apache.paimon.stats.Statistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code CALL sys.analyze} records, and what planners and the reference make of it. */
final class AnalyzeProcedureSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
    spark.run(
        "CREATE TABLE t (k INT NOT NULL, d DECIMAL(6, 2), s STRING, day DATE, at TIMESTAMP_NTZ, a"
            + " ARRAY<INT>, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '1',"
            + " 'write-only' = 'true')",
        "INSERT INTO t VALUES (1, 1.5, 'x', DATE'2024-01-01', TIMESTAMP_NTZ'2024-01-02 03:04:05.1',"
            + " NULL), (2, NULL, 'long', DATE'2024-02-01', NULL, ARRAY(1))",
        "INSERT INTO t VALUES (2, 3.25, 'yy', NULL, NULL, NULL)");
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  @Test
  void statisticsOfRowsAreRecordedAsTheFormatStoresThem() throws Exception {
    assertThat(spark.rows("CALL lake.sys.analyze(table => 't')")).containsExactly("3,2,5");
    assertThat(spark.rows("SELECT commit_kind FROM t.snapshots WHERE snapshot_id = 3"))
        .containsExactly("ANALYZE");
    Statistics read =
        ReferenceTable.of(warehouse.toString(), "db", "t")
            .load(Map.of())
            .statistics()
            .orElseThrow();
    assertThat(read.snapshotId()).isEqualTo(2);
    assertThat(read.mergedRecordCount()).hasValue(2);
    assertThat(read.mergedRecordSize().orElse(0)).isPositive();
    assertThat(text(read, "k")).isEqualTo("2 1 2 0 4 4");
    assertThat(text(read, "d")).isEqualTo("2 1.50 3.25 0 8 8");
    assertThat(text(read, "s")).isEqualTo("2 null null 0 2 2");
    assertThat(text(read, "day")).isEqualTo("1 19723 19723 1 4 4");
    assertThat(text(read, "at"))
        .isEqualTo("1 2024-01-02T03:04:05.100 2024-01-02T03:04:05.100 1 8 8");
    assertThat(read.colStats()).doesNotContainKey("a");
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").problems()).isEmpty();
  }

  private static String text(Statistics read, String column) {
    var found = read.colStats().get(column);
    return found.distinctCount().getAsLong()
        + " "
        + found.min().map(String::valueOf).orElse(null)
        + " "
        + found.max().map(String::valueOf).orElse(null)
        + " "
        + found.nullCount().getAsLong()
        + " "
        + found.avgLen().getAsLong()
        + " "
        + found.maxLen().getAsLong();
  }

  @Test
  void plannersUseThem() {
    spark.session().conf().set("spark.sql.cbo.enabled", "true");
    spark.session().conf().set("spark.sql.cbo.planStats.enabled", "true");
    assertThat(estimate("SELECT * FROM t")).contains("rowCount=3");
    spark.run("CALL lake.sys.analyze(table => 't', columns => 'k, day')");
    assertThat(estimate("SELECT * FROM t")).contains("rowCount=2");
    assertThat(estimate("SELECT k FROM t GROUP BY k")).contains("rowCount=2");
    spark.run("INSERT INTO t (k, s) VALUES (7, 'z')");
    assertThat(estimate("SELECT * FROM t")).contains("rowCount=4");
    spark.run("ALTER TABLE t ADD COLUMN more INT");
    assertThat(estimate("SELECT * FROM t")).contains("rowCount=4");
  }

  private String estimate(String query) {
    return spark.value("EXPLAIN COST " + query);
  }

  @Test
  void columnsAreChosenAndChecked() {
    assertThat(spark.rows("CALL lake.sys.analyze(table => 't', columns => '')"))
        .containsExactly("3,2,0");
    assertThat(spark.rows("CALL lake.sys.analyze(table => 't', columns => 'S')"))
        .containsExactly("4,2,1");
    assertThatThrownBy(() -> spark.run("CALL lake.sys.analyze(table => 't', columns => 'nope')"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "nope");
    assertThatThrownBy(() -> spark.run("CALL lake.sys.analyze(table => 't', columns => 'a')"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "no statistics");
    spark.run("CREATE TABLE empty (k INT)");
    assertThat(spark.rows("CALL lake.sys.analyze(table => 'empty')")).containsExactly("null,0,0");
  }
}
