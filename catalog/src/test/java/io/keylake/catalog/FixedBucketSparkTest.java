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

import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows are in the buckets where the reference implementation, too, looks for them, for every bucket
 * function and type of key.
 */
class FixedBucketSparkTest {
  private static final String KEYS =
      "bo BOOLEAN, ti TINYINT, sm SMALLINT, i INT, bi BIGINT, fl FLOAT, db DOUBLE, d5 DECIMAL(5,2),"
          + " d38 DECIMAL(38,10), st STRING, by BINARY, da DATE";
  private static final String VALUES =
      "id % 2 = 0, CAST(id - 9 AS TINYINT), CAST(-7 * id AS SMALLINT), CAST(13 - id * 99 AS INT),"
          + " (10 - id) * 9876543210, CAST(id - 3.5 AS FLOAT), CAST(3 - id AS DOUBLE) / 7, CAST(id"
          + " - 6.25 AS DECIMAL(5,2)), CAST(-1234567890123456.5 * id AS DECIMAL(38,10)),"
          + " concat('é', id), CAST(concat('b', -id) AS BINARY), DATE'1970-01-05' - CAST(id AS"
          + " INT)";

  @TempDir static Path warehouse;

  private final SharedSpark spark = SharedSpark.over(warehouse);

  @BeforeEach
  void dropTable() {
    spark.run("DROP TABLE IF EXISTS t");
  }

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(warehouse);
  }

  private static ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "hive"})
  void keysOfEveryTypeAndNullsAreWhereTheReferenceLooks(String function) throws Exception {
    spark.run(
        "CREATE TABLE t ("
            + KEYS
            + ", v INT) TBLPROPERTIES ('bucket' = '5', 'bucket-key' ="
            + " 'bo,ti,sm,i,bi,fl,db,d5,d38,st,by,da', 'bucket-function.type' = '"
            + function
            + "')",
        "INSERT INTO t SELECT " + VALUES + ", CAST(id AS INT) FROM range(20)",
        "INSERT INTO t (v) VALUES (-1)");
    assertThat(reference().problems()).isEmpty();
    assertThat(reference().rows()).hasSize(21);
    List<String> literals = spark.rows("SELECT i, bi, st, v FROM t WHERE v >= 0 ORDER BY v");
    assertThat(literals).hasSize(20);
    assertThat(spark.rows("SELECT v FROM t WHERE i = 13 - 5 * 99")).containsExactly("5");
    spark.run("CALL lake.sys.rescale(table => 't', bucket_num => 3)");
    assertThat(reference().problems()).isEmpty();
    assertThat(spark.rows("SELECT i, bi, st, v FROM t WHERE v >= 0 ORDER BY v"))
        .isEqualTo(literals);
  }

  @ParameterizedTest
  @CsvSource({
    "default,INT",
    "mod,INT",
    "hive,INT",
    "default,BIGINT",
    "mod,BIGINT",
    "hive,BIGINT",
    "default,STRING",
    "hive,STRING",
    "hive,DATE",
    "default,SMALLINT"
  })
  void theReferenceWritesAndWeRead(String function, String type) throws Exception {
    reference()
        .create(
            Schema.newBuilder()
                .column("k", keyType(type))
                .column("v", DataTypes.INT())
                .option("bucket", "4")
                .option("bucket-key", "k")
                .option("bucket-function.type", function)
                .build());
    reference().write(lines(type, 0));
    spark.run("INSERT INTO t SELECT k, v + 100 FROM t");
    assertThat(reference().problems()).isEmpty();
    for (String value : keys(type)) {
      String literal = "CAST(" + value.replace('"', '\'') + " AS " + type + ")";
      assertThat(spark.rows("SELECT count(*) FROM t WHERE k = " + literal))
          .as(literal)
          .containsExactly("2");
    }
    assertThat(spark.value("SELECT count(*) FROM t WHERE k IS NULL")).isEqualTo("2");
    spark.run("DROP TABLE t");
  }

  private static org.apache.paimon.types.DataType keyType(String type) {
    return switch (type) {
      case "INT" -> DataTypes.INT();
      case "BIGINT" -> DataTypes.BIGINT();
      case "SMALLINT" -> DataTypes.SMALLINT();
      case "DATE" -> DataTypes.DATE();
      default -> DataTypes.STRING();
    };
  }

  private static List<String> keys(String type) {
    return switch (type) {
      case "DATE" -> List.of("\"1969-12-31\"", "\"2024-02-29\"", "\"0001-01-01\"");
      case "STRING" -> List.of("\"\"", "\"a\"", "\"é中😀\"", "\"long enough to be no short one\"");
      case "BIGINT" -> List.of("0", "-1", "-7", "9223372036854775807", "-9223372036854775808");
      case "INT" -> List.of("0", "-1", "-7", "2147483647", "-2147483648");
      default -> List.of("0", "-1", "-7", "32767");
    };
  }

  private static List<String> lines(String type, int value) {
    List<String> lines = new ArrayList<>();
    keys(type).forEach(key -> lines.add("{\"k\":" + key + ",\"v\":" + value + "}"));
    lines.add("{\"v\":" + value + "}");
    return lines;
  }

  @Test
  void rowsOfABucketComeTogetherForEveryFunction() {
    for (String function : List.of("default", "mod", "hive")) {
      spark.run(
          "CREATE TABLE t (k INT, v INT) TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '3',"
              + " 'bucket-function.type' = '"
              + function
              + "', 'num-sorted-run.compaction-trigger' = '2')");
      for (int round = 0; round < 3; round++) {
        spark.run("INSERT INTO t SELECT CAST(id - 20 AS INT), " + round + " FROM range(40)");
      }
      assertThat(
              spark.value("SELECT max(n) FROM (SELECT count(*) n FROM `t$files` GROUP BY bucket)"))
          .as(function)
          .isEqualTo("1");
      spark.run("ALTER TABLE t SET TBLPROPERTIES ('bucket' = '4')");
      for (int round = 3; round < 6; round++) {
        spark.run("INSERT INTO t SELECT CAST(id - 20 AS INT), " + round + " FROM range(40)");
      }
      assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v")).containsExactly("5,40");
      spark.run("DROP TABLE t");
    }
    assertThat(spark.rows("SELECT lake.bucket_mod(4, -7), lake.bucket_hive(4, 'a', 3)"))
        .containsExactly("1,2");
  }

  @Test
  void definitionsThatMakeNoSenseAreRefused() {
    refused("'primary-key' = 'a', 'bucket-key' = 'b', 'bucket' = '2'", "not in the primary key");
    refused("'bucket-key' = 'c', 'bucket' = '2'", "of type ARRAY");
    refused("'bucket-key' = 'z', 'bucket' = '2'", "does not exist");
    refused("'bucket-key' = 'a,a', 'bucket' = '2'", "twice");
    refused("'bucket-key' = 'a'", "Set 'bucket'");
    refused("'bucket-key' = 'a', 'bucket' = '0'", "at least 1");
    String mod = "'bucket' = '2', 'bucket-function.type' = 'mod', ";
    refused(mod + "'bucket-key' = 'a,b'", "exactly one INT");
    refused(mod + "'primary-key' = 'a,b'", "exactly one INT");
    refused(mod + "'bucket-key' = 's'", "exactly one INT");
    refused(
        "'bucket' = '2', 'bucket-function.type' = 'hive', 'bucket-key' = 't'", "of a TIMESTAMP");
    spark.run("CREATE TABLE t (a INT, b STRING) TBLPROPERTIES ('primary-key'='a,b','bucket'='2')");
    for (String options : List.of("'bucket-key' = 'z'", "'bucket-function.type' = 'mod'")) {
      assertThatThrownBy(() -> spark.run("ALTER TABLE t SET TBLPROPERTIES (" + options + ")"))
          .hasMessageContaining("KEYLAKE_");
    }
  }

  private void refused(String options, String problem) {
    String columns = "(a INT, b INT, s STRING, c ARRAY<INT>, t TIMESTAMP)";
    assertThatThrownBy(
            () -> spark.run("CREATE TABLE t " + columns + " TBLPROPERTIES (" + options + ")"))
        .hasMessageContaining("KEYLAKE_")
        .hasMessageContaining(problem);
  }
}
