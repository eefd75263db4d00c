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

import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of tables whose engine makes new rows of the stored ones. */
final class FoldedReadSparkTest {
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

  private void createSummed(String more) {
    spark.run(
        "CREATE TABLE t (k INT, dt STRING, n INT, s STRING, PRIMARY KEY (k, dt) NOT ENFORCED)"
            + " PARTITIONED BY (dt) TBLPROPERTIES ('bucket' = '1', 'write-only' = 'true',"
            + " 'merge-engine' = 'aggregation', 'fields.n.aggregate-function' = 'sum'"
            + more
            + ")",
        "INSERT INTO t VALUES (1, 'a', 10, 'x'), (2, 'a', 20, 'y'), (3, 'b', 30, 'z')",
        "INSERT INTO t VALUES (1, 'a', 5, NULL), (3, 'b', 4, 'w'), (4, 'b', 1, NULL)");
  }

  @Test
  void conditionsLookAtFoldedValues() {
    createSummed("");

    assertThat(spark.rows("SELECT k, n, s FROM t WHERE n = 15")).containsExactly("1,15,x");
    assertThat(spark.rows("SELECT k FROM t WHERE n > 33 AND s = 'w'")).containsExactly("3");
    assertThat(spark.rows("SELECT k FROM t WHERE n IN (10, 5, 30)")).isEmpty();
    assertThat(spark.rows("SELECT dt, n FROM t WHERE k = 3")).containsExactly("b,34");
    assertThat(spark.rows("SELECT n FROM t WHERE dt = 'b' ORDER BY k")).containsExactly("34", "1");
  }

  @Test
  void rowsAreCountedOncePerKey() {
    createSummed("");

    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("4");
    assertThat(spark.value("SELECT count(s) FROM t")).isEqualTo("3");
    assertThat(spark.rows("SELECT dt, count(*), max(n) FROM t GROUP BY dt ORDER BY dt"))
        .containsExactly("a,2,20", "b,2,34");
    assertThat(spark.rows("SELECT k FROM t LIMIT 3")).hasSize(3);
  }

  @Test
  void metadataColumnsTellOfTheNewestRow() {
    createSummed("");

    assertThat(spark.rows("SELECT k, _pos, _bucket, _partition.dt FROM t ORDER BY k"))
        .containsExactly("1,0,0,a", "2,1,0,a", "3,0,0,b", "4,1,0,b");
    assertThat(
            spark.value(
                "SELECT count(DISTINCT _file) FROM t WHERE dt = 'b' AND endswith(_file,"
                    + " 'parquet')"))
        .isEqualTo("1");
  }

  @Test
  void earlierVersionsAreFoldedAsTheyWere() {
    createSummed("");

    assertThat(spark.rows("SELECT k, n FROM t VERSION AS OF 1 ORDER BY k"))
        .containsExactly("1,10", "2,20", "3,30");
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc", "avro"})
  void filesOfOlderSchemasAreFoldedWithNewerOnes(String format) {
    createSummed(", 'file.format' = '" + format + "'");

    spark.run(
        "ALTER TABLE t ADD COLUMN d INT",
        "ALTER TABLE t DROP COLUMN s",
        "ALTER TABLE t ALTER COLUMN n TYPE BIGINT",
        "ALTER TABLE t RENAME COLUMN k TO key",
        "INSERT INTO t (key, dt, n, d) VALUES (1, 'a', 5000000000, NULL), (2, 'a', 1, 8)");

    assertThat(spark.rows("SELECT key, n, d, dt FROM t ORDER BY key"))
        .containsExactly("1,5000000015,null,a", "2,21,8,a", "3,34,null,b", "4,1,null,b");
  }

  @Test
  void fieldsThatFoldsLookAtAreReadThoughNotWanted() {
    spark.run(
        "CREATE TABLE o (id INT, lines ARRAY<STRUCT<line: INT, what: STRING, n: INT>>,"
            + " at STRUCT<a: INT, b: INT>, PRIMARY KEY (id) NOT ENFORCED) TBLPROPERTIES"
            + " ('bucket' = '1', 'write-only' = 'true', 'merge-engine' = 'aggregation',"
            + " 'fields.lines.aggregate-function' = 'nested_update',"
            + " 'fields.lines.nested-key' = 'line')",
        "INSERT INTO o VALUES (1, array(named_struct('line', 1, 'what', 'a', 'n', 1),"
            + " named_struct('line', 2, 'what', 'b', 'n', 2)), named_struct('a', 1, 'b', 2))",
        "INSERT INTO o VALUES (1, array(named_struct('line', 2, 'what', 'c', 'n', 3)), NULL)");

    assertThat(spark.rows("SELECT l.what FROM o LATERAL VIEW explode(lines) AS l ORDER BY l.what"))
        .containsExactly("a", "c");
    assertThat(spark.rows("SELECT at.b FROM o")).containsExactly("2");
    assertThat(spark.rows("SELECT array_sort(lines.n), at.a FROM o"))
        .containsExactly("ArraySeq(1, 3),1");
  }

  @Test
  void groupFieldsAreReadThoughNotWanted() {
    spark.run(
        "CREATE TABLE g (k INT, v STRING, at INT, w STRING, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket' = '1', 'write-only' = 'true',"
            + " 'merge-engine' = 'partial-update', 'fields.at.sequence-group' = 'v')",
        "INSERT INTO g VALUES (1, 'late', 9, 'x'), (2, 'only', 1, NULL)",
        "INSERT INTO g VALUES (1, 'early', 3, NULL)");

    assertThat(spark.rows("SELECT v FROM g ORDER BY v")).containsExactly("late", "only");
    assertThat(spark.rows("SELECT w FROM g WHERE k = 1")).containsExactly("x");
  }

  @Test
  void theFirstRowStaysAndTheCompactedViewHidesLevelZero() {
    spark.run(
        "CREATE TABLE f (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES"
            + " ('bucket' = '1', 'write-only' = 'true', 'merge-engine' = 'first-row')",
        "INSERT INTO f VALUES (1, 'a'), (2, 'b')",
        "INSERT INTO f VALUES (2, 'c'), (3, 'd')",
        "INSERT INTO f VALUES (1, 'e'), (3, 'f')");

    assertThat(spark.rows("SELECT k, v FROM f ORDER BY k")).containsExactly("1,a", "2,b", "3,d");
    assertThat(spark.rows("SELECT v FROM f WHERE v > 'c'")).containsExactly("d");
    assertThat(spark.value("SELECT count(*) FROM f")).isEqualTo("3");
    assertThat(spark.rows("SELECT * FROM f WITH (`scan.visibility` = 'compacted')")).isEmpty();
  }
}
