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
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows as SQL writes them: where they go, in how many files, and what is refused. */
final class WriteSparkTest {
  @TempDir private Path warehouse;

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  private List<String> files(String table) {
    return spark.rows("SELECT count(*), sum(record_count) FROM `" + table + "$files`");
  }

  @Test
  void upsertsKeepTheLastRowOfAKey() {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket'='3')",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (1, 'c')",
        "INSERT INTO t VALUES (2, 'd'), (3, NULL)");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).containsExactly("1,c", "2,d", "3,null");
  }

  @Test
  void oneStatementWritesOneFileOfEachBucketWhateverTheInput() {
    spark.run(
        "CREATE TABLE t (k BIGINT, name STRING, dt STRING, PRIMARY KEY (dt, k, name) NOT ENFORCED)"
            + " PARTITIONED BY (dt) TBLPROPERTIES ('bucket'='4')",
        "INSERT INTO t SELECT id, concat('n', id % 100), concat('d', id % 3)"
            + " FROM range(0, 20000, 1, 5)");
    assertThat(files("t")).containsExactly("12,20000");
    assertThat(spark.rows("SELECT count(*), count(DISTINCT k), min(k), max(k) FROM t"))
        .containsExactly("20000,20000,0,19999");
  }

  @Test
  void columnNamesMayHoldAnyCharacters() {
    spark.run(
        "CREATE TABLE `o d é` (`a b` INT, `c.d` STRING, `e.f` INT, `g.h` STRING,"
            + " PRIMARY KEY (`a b`, `c.d`, `e.f`) NOT ENFORCED) PARTITIONED BY (`c.d`)"
            + " TBLPROPERTIES ('bucket' = '2')",
        "INSERT INTO `o d é` VALUES (1, 'x/y', 2, 'u'), (2, 'p.q', 3, NULL)",
        "INSERT INTO `o d é` VALUES (1, 'x/y', 2, 'v')",
        "ALTER TABLE `o d é` ALTER COLUMN `g.h` COMMENT 'odd'");
    assertThat(spark.rows("SELECT * FROM `o d é` ORDER BY `a b`"))
        .containsExactly("1,x/y,2,v", "2,p.q,3,null");
    assertThat(
            spark.rows("SELECT `g.h` FROM `o d é` WHERE `c.d` = 'x/y' AND `a b` = 1 AND `e.f` > 0"))
        .containsExactly("v");
    assertThat(
            spark.rows(
                "SELECT count(*) FROM `o d é` o JOIN (SELECT 'x/y' AS p) q ON o.`c.d` = q.p"))
        .containsExactly("1");
    assertThat(spark.rows("SHOW PARTITIONS `o d é`")).hasSize(2);
    spark.run("INSERT OVERWRITE `o d é` PARTITION (`c.d` = 'x/y') VALUES (7, 8, 'w')");
    assertThat(spark.rows("SELECT `a b`, `c.d` FROM `o d é` ORDER BY `a b`"))
        .containsExactly("2,p.q", "7,x/y");
    for (String format : List.of("parquet", "orc")) {
      spark.run(
          "CREATE OR REPLACE TABLE copied TBLPROPERTIES ('file.format' = '"
              + format
              + "') AS SELECT * FROM `o d é`");
      assertThat(spark.rows("SELECT `g.h` FROM copied WHERE `c.d` = 'x/y' AND `e.f` = 8"))
          .as(format)
          .containsExactly("w");
      assertThat(spark.rows("SELECT `g.h` FROM copied WHERE `g.h` IS NULL AND `a b` < 7"))
          .as(format)
          .containsExactly("null");
    }
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE OR REPLACE TABLE copied TBLPROPERTIES ('file.format' = 'avro')"
                        + " AS SELECT * FROM `o d é`"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_FEATURE")
        .hasMessageContaining("a b");
    spark.run(
        "CREATE TABLE ticks (`e``f` INT) PARTITIONED BY (`e``f`)", "INSERT INTO ticks VALUES (1)");
    assertThat(spark.rows("SELECT * FROM ticks WHERE `e``f` = 1")).containsExactly("1");
    assertThatThrownBy(
            () ->
                spark.run(
                    "ALTER TABLE ticks SET TBLPROPERTIES ('file.format' = 'orc')",
                    "INSERT INTO ticks VALUES (2)"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_FEATURE")
        .hasMessageContaining("e`f");
  }

  @Test
  void smallPartitionsOfAnAppendTableGetOneFileEach() {
    spark.run(
        "CREATE TABLE t (v BIGINT, dt STRING) PARTITIONED BY (dt)",
        "INSERT INTO t SELECT id, concat('d', id % 20) FROM range(0, 2000, 1, 6)");
    assertThat(files("t")).containsExactly("20,2000");
    assertThat(spark.rows("SELECT count(*) FROM t WHERE dt = 'd7'")).containsExactly("100");
  }

  @Test
  void unpartitionedAppendsAreNotShuffled() {
    spark.run("CREATE TABLE t (v BIGINT)");
    assertThat(spark.value("EXPLAIN INSERT INTO t SELECT id FROM range(0, 100, 1, 3)"))
        .doesNotContain("Exchange");
    spark.run("INSERT INTO t SELECT id FROM range(0, 100, 1, 3)");
    assertThat(files("t")).containsExactly("3,100");
  }

  @Test
  void valuesAreCheckedAgainstTheDefinition() {
    spark.run(
        "CREATE TABLE t (k INT NOT NULL, c VARCHAR(3), d DECIMAL(4,1) DEFAULT 1.5,"
            + " PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket'='1')",
        "INSERT INTO t (k, c) VALUES (1, 'abc')");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,abc,1.5");
    assertThatThrownBy(() -> spark.run("INSERT INTO t VALUES (NULL, 'a', 1)"))
        .hasMessageContaining("NULL");
    assertThatThrownBy(() -> spark.run("INSERT INTO t VALUES (2, 'abcd', 1)"))
        .hasMessageContaining("EXCEED_LIMIT_LENGTH");
    assertThat(spark.rows("SELECT count(*) FROM t")).containsExactly("1");
  }

  @Test
  void overwriteReplacesThePartitionsItNames() {
    spark.run(
        "CREATE TABLE t (v INT, dt STRING) PARTITIONED BY (dt)",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')",
        "INSERT OVERWRITE t PARTITION (dt = 'a') VALUES (10)");
    assertThat(spark.rows("SELECT * FROM t ORDER BY dt")).containsExactly("10,a", "2,b", "3,c");
    spark.run("INSERT INTO t REPLACE WHERE dt IN ('b', 'c') VALUES (20, 'b')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY dt")).containsExactly("10,a", "20,b");
    spark.run("INSERT INTO t REPLACE WHERE v > 15 VALUES (20, 'b')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY dt")).containsExactly("10,a", "20,b");
    assertThatThrownBy(() -> spark.run("INSERT INTO t REPLACE WHERE v > 5 VALUES (5, 'b')"))
        .hasMessageContaining("v");
    assertThatThrownBy(() -> spark.run("INSERT INTO t REPLACE WHERE dt = 'b' VALUES (6, 'z')"))
        .hasMessageContaining("z");
    spark.run("SET spark.sql.sources.partitionOverwriteMode=dynamic");
    spark.run("INSERT OVERWRITE t VALUES (30, 'c'), (40, 'b')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY dt")).containsExactly("10,a", "40,b", "30,c");
    spark.run("SET spark.sql.sources.partitionOverwriteMode=static");
    spark.run("INSERT OVERWRITE t VALUES (50, 'e')");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("50,e");
  }

  @Test
  void anEmptyInsertMakesNoSnapshot() {
    spark.run(
        "CREATE TABLE t (k INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket'='2')",
        "INSERT INTO t SELECT 1 WHERE 1 = 0");
    assertThat(spark.rows("SELECT count(*) FROM `t$snapshots`")).containsExactly("0");
  }

  @Test
  void bucketFunctionAgreesWithWriters() {
    spark.run(
        "CREATE TABLE t (k STRING, v INT, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket'='5')",
        "INSERT INTO t SELECT concat('key-', id), id FROM range(50)");
    assertThat(spark.rows("SELECT count(*) FROM t WHERE lake.bucket(5, k) <> _bucket"))
        .containsExactly("0");
  }
}
