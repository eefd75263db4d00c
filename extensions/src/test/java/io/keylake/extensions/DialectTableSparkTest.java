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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions of tables as Flink writes them: the same schema file as Spark's form gives. */
final class DialectTableSparkTest {
  @TempDir static Path warehouse;

  private static SharedSpark spark;

  @BeforeAll
  static void start() {
    spark = SharedSpark.withRules(warehouse);
  }

  @Test
  void bothFormsOfATableGiveTheSameSchema() {
    spark.run(
        "CREATE TABLE f (k INT, dt STRING, v DOUBLE COMMENT 'a value', PRIMARY KEY (k, dt) NOT"
            + " ENFORCED) COMMENT 'both' PARTITIONED BY (dt) WITH ('bucket' = '4',"
            + " 'connector' = 'paimon', 'password' = 'x', 'oss.endpoint' = 'y')",
        "CREATE TABLE s (k INT, dt STRING, v DOUBLE COMMENT 'a value') COMMENT 'both'"
            + " PARTITIONED BY (dt) TBLPROPERTIES ('primary-key' = 'k,dt', 'bucket' = '4')");
    assertThat(schema("f")).isEqualTo(schema("s")).doesNotContain("password", "endpoint");
  }

  @Test
  void typesOfFlinkAreStoredAsTheyAre() {
    spark.run(
        "CREATE TABLE types (a INT PRIMARY KEY NOT ENFORCED, b TIMESTAMP, c TIMESTAMP(3),"
            + " d TIMESTAMP_LTZ, e TIMESTAMP(0) WITH LOCAL TIME ZONE, f BYTES, g VARBINARY(9),"
            + " h BINARY(4), i MULTISET<STRING>, j ROW<x INT 'first', y ROW<z TIMESTAMP(3)>>,"
            + " l ROW(m BIGINT, n ARRAY<DOUBLE PRECISION NOT NULL>), o DEC(9, 2), p CHAR,"
            + " q VARCHAR(2147483647), r MAP<STRING, ARRAY<ROW<s INT>>>, t INT ARRAY, u INT NULL,"
            + " w TIME(3)) WITH ('bucket' = '1')");
    assertThat(schema("types"))
        .contains("{\"id\":0,\"name\":\"a\",\"type\":\"INTNOTNULL\"}")
        .contains("\"b\",\"type\":\"TIMESTAMP(6)\"")
        .contains("\"c\",\"type\":\"TIMESTAMP(3)\"")
        .contains("\"d\",\"type\":\"TIMESTAMP(6)WITHLOCALTIMEZONE\"")
        .contains("\"e\",\"type\":\"TIMESTAMP(0)WITHLOCALTIMEZONE\"")
        .contains("\"f\",\"type\":\"BYTES\"")
        .contains("\"g\",\"type\":\"VARBINARY(9)\"")
        .contains("\"h\",\"type\":\"BINARY(4)\"")
        .contains("{\"type\":\"MULTISET\",\"element\":\"STRING\"}")
        .contains("\"type\":\"INT\",\"description\":\"first\"")
        .contains("\"z\",\"type\":\"TIMESTAMP(3)\"")
        .contains("{\"type\":\"ARRAY\",\"element\":\"DOUBLENOTNULL\"}")
        .contains("\"o\",\"type\":\"DECIMAL(9,2)\"")
        .contains("\"p\",\"type\":\"CHAR(1)\"")
        .contains("\"q\",\"type\":\"STRING\"")
        .contains("{\"type\":\"MAP\",\"key\":\"STRINGNOTNULL\",\"value\":{\"type\":\"ARRAY\"")
        .contains("\"u\",\"type\":\"INT\"")
        .contains("\"w\",\"type\":\"TIME(3)\"")
        .contains("\"primaryKeys\":[\"a\"]")
        .doesNotContain("column-type");
    spark.run(
        "INSERT INTO types (a, b, c, g, i, w, j) VALUES (1, TIMESTAMP_NTZ '2024-01-08 10:00:00',"
            + " TIMESTAMP_NTZ '2024-01-08 10:00:00.123', X'0102', MAP['x', 2], 36000000,"
            + " ROW(1, ROW(TIMESTAMP_NTZ '2024-01-08 00:00:00')))");
    assertThat(spark.rows("SELECT b, c, hex(g), i['x'], w, j.x FROM types"))
        .containsExactly("2024-01-08T10:00,2024-01-08T10:00:00.123,0102,2,36000000,1");
  }

  @Test
  void clausesOfSparkKeepTheTypesOfSpark() {
    spark.run(
        "CREATE TABLE mixed (a TIMESTAMP, b BINARY, c TIMESTAMP(3), d BYTES) USING paimon"
            + " TBLPROPERTIES ('bucket' = '2', 'bucket-key' = 'a')");
    assertThat(schema("mixed"))
        .contains("\"a\",\"type\":\"TIMESTAMP(6)WITHLOCALTIMEZONE\"")
        .contains("\"b\",\"type\":\"BYTES\"")
        .contains("\"c\",\"type\":\"TIMESTAMP(3)\"")
        .contains("\"bucket\":\"2\"");
  }

  @Test
  void sparksFormCanDeclareTheseTypesToo() {
    spark.run(
        "CREATE TABLE declared (a TIMESTAMP_NTZ) TBLPROPERTIES ('column-type.A' = 'TIMESTAMP(3)')",
        "CREATE TABLE flinks (a TIMESTAMP(3))");
    assertThat(schema("declared")).isEqualTo(schema("flinks"));
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE TABLE no (a INT) TBLPROPERTIES ('column-type.a' = 'TIMESTAMP(3)')"))
        .hasMessageContaining("KEYLAKE_INVALID_TABLE_DEFINITION")
        .hasMessageContaining("Declare it as timestamp_ntz");
    assertThatThrownBy(
            () -> spark.run("CREATE TABLE no (a INT) TBLPROPERTIES ('column-type.b' = 'TIME(3)')"))
        .hasMessageContaining("KEYLAKE_COLUMN_NOT_FOUND");
  }

  @Test
  void tablesAreMadeOfQueriesAndLikeOthers() {
    spark.run(
        "CREATE TABLE IF NOT EXISTS ctas WITH ('primary-key' = 'k', 'upsert.write.bucket.num' ="
            + " '3') AS SELECT 1 AS k, ARRAY[ROW(1, 2), ROW(3, 4)] AS r",
        "CREATE TABLE alike WITH ('file.format' = 'orc') LIKE ctas (INCLUDING ALL)",
        "CREATE TABLE spread (k INT, v INT) DISTRIBUTED BY HASH(k) INTO 5 BUCKETS WITH"
            + " ('file.format' = 'avro')");
    assertThat(schema("ctas")).contains("\"bucket\":\"3\"", "\"primaryKeys\":[\"k\"]");
    assertThat(spark.rows("SELECT k, size(r) FROM ctas")).containsExactly("1,2");
    assertThat(schema("alike")).contains("\"file.format\":\"orc\"", "\"primaryKeys\":[\"k\"]");
    assertThat(schema("spread")).contains("\"bucket\":\"5\"", "\"bucket-key\":\"k\"");
  }

  @Test
  void whatTablesDoNotHaveIsRefusedByName() {
    refused("CREATE TABLE no (a INT, b AS a + 1) WITH ('bucket' = '1')", "the computed column b");
    refused(
        "CREATE TABLE no (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)",
        "has a watermark");
    refused(
        "CREATE TABLE no (a INT, p BIGINT METADATA FROM 'partition') WITH ('bucket' = '1')",
        "the metadata column p");
    refused("CREATE TABLE no (a RAW('x', 'y')) WITH ('bucket' = '1')", "KEYLAKE_UNSUPPORTED_TYPE");
    refused("CREATE TABLE no (a TIMESTAMP(3) WITH TIME ZONE)", "TIMESTAMP WITH TIME ZONE");
    refused("CREATE TEMPORARY TABLE no (a INT) WITH ('connector' = 'x')", "temporary table");
    refused("CREATE TABLE no (a INT) WITH ('bucket' = '1') LIKE x", "LIKE another table");
    refused("CREATE TABLE no WITH ('bucket' = '1') LIKE x (EXCLUDING ALL)", "EXCLUDING ALL");
  }

  @Test
  void propertiesAreSetAndReset() {
    spark.run(
        "CREATE TABLE altered (a INT) WITH ('snapshot.num-retained.max' = '20')",
        "ALTER TABLE altered SET ('snapshot.num-retained.max' = '30', 'connector' = 'x')");
    assertThat(spark.rows("SHOW TBLPROPERTIES altered ('snapshot.num-retained.max')"))
        .containsExactly("snapshot.num-retained.max,30");
    spark.run(
        "ALTER TABLE `lake`.`db`.`altered` RESET ('snapshot.num-retained.max', 'none')",
        "ALTER TABLE altered SET ('connector' = 'x')");
    assertThat(spark.rows("SHOW TBLPROPERTIES altered").toString())
        .doesNotContain("num-retained.max", "connector");
  }

  private static void refused(String statement, String why) {
    assertThatThrownBy(() -> spark.run(statement))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED")
        .hasMessageContaining(why)
        .hasMessageContaining("(line 1, position ");
  }

  private static String schema(String table) {
    try {
      return Files.readString(warehouse.resolve("db.db/" + table + "/schema/schema-0"))
          .replaceAll("\\s", "")
          .replaceAll("\"timeMillis\":\\d+", "");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
