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
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames saved over tables that exist. */
final class SaveAsTableSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
    spark.run(
        "CREATE TABLE t (id INT, v STRING, pt STRING) PARTITIONED BY (pt) COMMENT 'mine'"
            + " TBLPROPERTIES ('primary-key'='pt,id','bucket'='2')",
        "INSERT INTO t VALUES (1, 'a', 'x'), (2, 'b', 'y')");
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private DataFrameWriter<Row> overwrite(String format, String select) {
    DataFrameWriter<Row> writer = spark.sql(select).write().mode("overwrite");
    return format.isEmpty() ? writer : writer.format(format);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "keylake"})
  void keyPartitionsOptionsAndHistoryStay(String format) {
    String before = spark.value("SHOW CREATE TABLE t");
    overwrite(format, "SELECT 3 AS id, 'c' AS v, 'x' AS pt").saveAsTable("t");

    assertThat(spark.value("SHOW CREATE TABLE t")).isEqualTo(before);
    spark.run("INSERT INTO t VALUES (3, 'C', 'x')");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("3,C,x");
    assertThat(spark.rows("SHOW PARTITIONS t")).containsExactly("pt=x");
    assertThat(spark.rows("SELECT count(*) FROM t VERSION AS OF 1")).containsExactly("2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "keylake"})
  void otherColumnsReplaceTheColumnsAndKeepTheRest(String format) {
    overwrite(format, "SELECT 'x' AS pt, 3 AS id, 1.5D AS price").saveAsTable("t");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("x,3,1.5");
    spark.run("INSERT INTO t VALUES ('x', 3, 2.5)");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("x,3,2.5");
    assertThat(spark.value("SHOW CREATE TABLE t"))
        .contains("PRIMARY KEY (pt, id)")
        .contains("COMMENT 'mine'");
    assertThat(spark.rows("SELECT v FROM t VERSION AS OF 1 ORDER BY v")).containsExactly("a", "b");
  }

  @Test
  void replaceTableStillReplacesTheDefinition() {
    spark.run("CREATE OR REPLACE TABLE t AS SELECT 1 AS a");
    assertThat(spark.value("SHOW CREATE TABLE t")).doesNotContain("PRIMARY KEY");
  }
}
