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
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns that statements with schema evolution add and widen, and what they leave alone. */
final class SchemaEvolutionSparkTest {
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

  private String columns(String table) {
    return spark.sql("SELECT * FROM " + table).schema().toDDL();
  }

  private List<String> rows(String table) {
    return spark.rows("SELECT * FROM " + table + " ORDER BY 1");
  }

  @Test
  void insertAddsColumnsByPositionAndByName() {
    spark.run(
        "CREATE TABLE t (id INT, v STRING) TBLPROPERTIES ('primary-key'='id','bucket'='1')",
        "INSERT INTO t VALUES (1, 'a')",
        "INSERT WITH SCHEMA EVOLUTION INTO t SELECT 2, 'b', 20 AS n",
        "INSERT WITH SCHEMA EVOLUTION INTO t BY NAME SELECT 'x' AS w, 3 AS id");
    assertThat(columns("t")).isEqualTo("id INT NOT NULL,v STRING,n INT,w STRING");
    assertThat(rows("t")).containsExactly("1,a,null,null", "2,b,20,null", "3,null,null,x");
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 1")).containsExactly("1,a");
    assertThatThrownBy(() -> spark.run("INSERT INTO t SELECT 4, 'd', 1, 'w', 'more'"))
        .hasMessageContaining("TOO_MANY_DATA_COLUMNS");
  }

  @Test
  void nestedFieldsAreAddedInArraysAndMaps() {
    spark.run(
        "CREATE TABLE t (id INT, s STRUCT<a: INT>, l ARRAY<STRUCT<a: INT>>,"
            + " m MAP<STRING, STRUCT<a: INT>>)",
        "INSERT INTO t VALUES (1, struct(1), array(struct(1)), map('k', struct(1)))",
        "INSERT WITH SCHEMA EVOLUTION INTO t BY NAME SELECT 2 AS id,"
            + " named_struct('a', 2, 'b', 'x') AS s, array(named_struct('a', 2L, 'b', 'y')) AS l,"
            + " map('k', named_struct('a', 2, 'b', 'z')) AS m");
    assertThat(rows("t"))
        .containsExactly(
            "1,[1,null],ArraySeq([1,null]),Map(k -> [1,null])",
            "2,[2,x],ArraySeq([2,y]),Map(k -> [2,z])");
    assertThat(columns("t"))
        .isEqualTo(
            "id INT,s STRUCT<a: INT, b: STRING>,l ARRAY<STRUCT<a: BIGINT, b: STRING>>,"
                + "m MAP<STRING, STRUCT<a: INT, b: STRING>>");
  }

  @Test
  void typesAreWidenedByTheRulesOfTheTableAndNeverNarrowed() {
    spark.run(
        "CREATE TABLE t (id INT, n INT, f FLOAT, d DECIMAL(5,2), s STRING, b BIGINT)",
        "INSERT INTO t VALUES (1, 1, 1.5F, 1.25, 'a', 7)",
        "INSERT WITH SCHEMA EVOLUTION INTO t"
            + " SELECT 2, 5000000000L, 2.5D, CAST(12345678.25 AS DECIMAL(10,2)), 3, 8");
    assertThat(columns("t"))
        .isEqualTo("id INT,n BIGINT,f DOUBLE,d DECIMAL(10,2),s STRING,b BIGINT");
    assertThat(rows("t")).containsExactly("1,1,1.5,1.25,a,7", "2,5000000000,2.5,12345678.25,3,8");
  }

  @Test
  void keyPartitionAndBucketColumnsKeepTheirTypes() {
    spark.run(
        "CREATE TABLE t (id INT, p INT, v INT) PARTITIONED BY (p)"
            + " TBLPROPERTIES ('primary-key'='id,p','bucket'='2')",
        "CREATE TABLE b (id INT, v INT) TBLPROPERTIES ('bucket'='2','bucket-key'='id')",
        "INSERT INTO b VALUES (1, 1)",
        "INSERT WITH SCHEMA EVOLUTION INTO t SELECT 1L, 2L, 3L",
        "INSERT WITH SCHEMA EVOLUTION INTO b SELECT 1L, 3L");
    assertThat(columns("t")).isEqualTo("id INT NOT NULL,p INT NOT NULL,v BIGINT");
    assertThat(columns("b")).isEqualTo("id INT,v BIGINT");
    assertThatThrownBy(
            () -> spark.run("INSERT WITH SCHEMA EVOLUTION INTO t SELECT 5000000000L, 2, 3"))
        .hasMessageContaining("CAST_OVERFLOW");
    assertThat(rows("t")).containsExactly("1,2,3");
  }

  @Test
  void overwritesEvolveAsTheyReplace() throws Exception {
    spark.run(
        "CREATE TABLE t (id INT, pt STRING) PARTITIONED BY (pt)",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b')");
    spark
        .sql("SELECT 3 AS id, 'a' AS pt, 30 AS n")
        .writeTo("t")
        .withSchemaEvolution()
        .overwrite(functions.col("pt").equalTo("a"));
    assertThat(rows("t")).containsExactly("2,b,null", "3,a,30");
    spark
        .sql("SELECT 4L AS id, 'b' AS pt, 'x' AS w")
        .writeTo("t")
        .withSchemaEvolution()
        .overwritePartitions();
    assertThat(columns("t")).isEqualTo("id BIGINT,pt STRING,n INT,w STRING");
    assertThat(rows("t")).containsExactly("3,a,30,null", "4,b,null,x");
    spark.run(
        "INSERT WITH SCHEMA EVOLUTION INTO t REPLACE WHERE pt = 'a'"
            + " SELECT 5, 'a', 50, 'y', true AS flag");
    assertThat(rows("t")).containsExactly("4,b,null,x,null", "5,a,50,y,true");
    spark
        .sql("SELECT 6 AS id, 'c' AS pt, 1.5D AS d")
        .write()
        .withSchemaEvolution()
        .mode("append")
        .saveAsTable("t");
    assertThat(rows("t"))
        .containsExactly("4,b,null,x,null,null", "5,a,50,y,true,null", "6,c,null,null,null,1.5");
  }

  @Test
  void writesByPathEvolveToo() {
    spark.run("CREATE TABLE t (id INT, v INT)", "INSERT INTO t VALUES (1, 10)");
    spark
        .sql("SELECT 2 AS id, 20L AS v, 'new' AS w")
        .write()
        .format("keylake")
        .withSchemaEvolution()
        .mode("append")
        .save(warehouse.resolve("db.db/t").toString());
    assertThat(columns("t")).isEqualTo("id INT,v BIGINT,w STRING");
    assertThat(rows("t")).containsExactly("1,10,null", "2,20,new");
  }

  @Test
  void mergeAddsTheColumnsOfItsSource() {
    for (String properties : List.of("'primary-key'='id','bucket'='1'", "'bucket'='-1'")) {
      spark.run(
          "DROP TABLE IF EXISTS t",
          "CREATE TABLE t (id INT, v STRING) TBLPROPERTIES (" + properties + ")",
          "INSERT INTO t VALUES (1, 'a'), (9, 'i')",
          "MERGE WITH SCHEMA EVOLUTION INTO t USING"
              + " (SELECT 1 AS id, 'A' AS v, 3 AS extra UNION ALL SELECT 2, 'b', 4) s"
              + " ON t.id = s.id"
              + " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *");
      assertThat(rows("t")).as(properties).containsExactly("1,A,3", "2,b,4", "9,i,null");
    }
  }

  @Test
  void aPropertySwitchesEvolutionOff() {
    spark.run(
        "CREATE TABLE t (id INT) TBLPROPERTIES ('auto-schema-evolution'='false')",
        "INSERT WITH SCHEMA EVOLUTION INTO t VALUES (1)");
    assertThatThrownBy(() -> spark.run("INSERT WITH SCHEMA EVOLUTION INTO t VALUES (1, 2)"))
        .hasMessageContaining("TOO_MANY_DATA_COLUMNS");
    assertThat(columns("t")).isEqualTo("id INT");
  }

  @Test
  void explicitCastsAreAllowedOnRequest() {
    spark.run(
        "CREATE TABLE t (id INT, n INT, w BIGINT)",
        "INSERT INTO t VALUES (1, 10, 100)",
        "SET `spark.keylake.write.merge-schema.explicit-cast`=`true`",
        "INSERT WITH SCHEMA EVOLUTION INTO t SELECT 2, 'many', 200");
    assertThat(columns("t")).isEqualTo("id INT,n STRING,w INT");
    assertThat(rows("t")).containsExactly("1,10,100", "2,many,200");
  }

  @Test
  void columnsThatCannotBeStoredAreRefusedWithTheReason() {
    spark.run("CREATE TABLE t (id INT)");
    assertThatThrownBy(
            () -> spark.run("INSERT WITH SCHEMA EVOLUTION INTO t SELECT 1, INTERVAL '1' YEAR AS i"))
        .hasMessageContaining("SCHEMA_EVOLUTION")
        .hasStackTraceContaining("KEYLAKE_UNSUPPORTED_TYPE");
    assertThat(columns("t")).isEqualTo("id INT");
  }

  @Test
  void lengthsAndNotNullHoldOnEveryPath() {
    spark.run(
        "CREATE TABLE t (id INT NOT NULL, c CHAR(3), v VARCHAR(3),"
            + " s STRUCT<a: INT NOT NULL>, l ARRAY<STRUCT<v: VARCHAR(2)>>)",
        "INSERT INTO t VALUES (1, 'a', 'abc', struct(1), array(struct('xy')))");
    String path = warehouse.resolve("db.db/t").toString();
    List<String> bad =
        List.of(
            "SELECT CAST(NULL AS INT) AS id, 'a' AS c, 'a' AS v, named_struct('a', 1) AS s,"
                + " array(named_struct('v', 'x')) AS l",
            "SELECT 1 AS id, 'abcd' AS c, 'a' AS v, named_struct('a', 1) AS s,"
                + " array(named_struct('v', 'x')) AS l",
            "SELECT 1 AS id, 'a' AS c, 'abcd' AS v, named_struct('a', 1) AS s,"
                + " array(named_struct('v', 'x')) AS l",
            "SELECT 1 AS id, 'a' AS c, 'a' AS v, named_struct('a', CAST(NULL AS INT)) AS s,"
                + " array(named_struct('v', 'x')) AS l",
            "SELECT 1 AS id, 'a' AS c, 'a' AS v, named_struct('a', 1) AS s,"
                + " array(named_struct('v', 'xyz')) AS l");
    for (String select : bad) {
      refused(select, () -> spark.run("INSERT INTO t " + select));
      refused(select, () -> spark.run("INSERT WITH SCHEMA EVOLUTION INTO t " + select));
      refused(select, () -> spark.run("INSERT OVERWRITE t " + select));
      refused(select, () -> spark.sql(select).writeTo("t").append());
      refused(select, () -> spark.sql(select).writeTo("t").overwritePartitions());
      refused(select, () -> spark.sql(select).write().insertInto("t"));
      refused(select, () -> spark.sql(select).write().mode("append").saveAsTable("t"));
      refused(
          select, () -> spark.sql(select).write().format("keylake").mode("overwrite").save(path));
    }
    assertThatThrownBy(
            () ->
                spark.run(
                    "INSERT WITH SCHEMA EVOLUTION INTO t BY NAME SELECT *, 1 AS extra FROM t"))
        .hasStackTraceContaining("[KEYLAKE_UNSUPPORTED_OPERATION]")
        .hasStackTraceContaining("CHAR or VARCHAR");
    assertThat(columns("t")).doesNotContain("extra");
    assertThat(spark.rows("SELECT id, c, v FROM t")).containsExactly("1,a  ,abc");
  }

  private static void refused(String what, ThrowingStatement statement) {
    assertThatThrownBy(statement::run)
        .as(what)
        .satisfiesAnyOf(
            e -> assertThat(e).hasStackTraceContaining("NOT_NULL_ASSERT_VIOLATION"),
            e -> assertThat(e).hasStackTraceContaining("NULLABLE"),
            e -> assertThat(e).hasStackTraceContaining("EXCEED_LIMIT_LENGTH"),
            e -> assertThat(e).hasStackTraceContaining("KEYLAKE_INVALID_VALUE"));
  }

  private interface ThrowingStatement {
    void run() throws Exception;
  }

  @Test
  void namesFollowTheSettingOfTheSession() {
    spark.run(
        "CREATE TABLE t (Id INT, V STRING)",
        "INSERT INTO t BY NAME SELECT 'a' AS v, 1 AS ID",
        "INSERT WITH SCHEMA EVOLUTION INTO t BY NAME SELECT 'b' AS v, 2 AS iD, 1 AS n");
    assertThat(columns("t")).isEqualTo("Id INT,V STRING,n INT");
    assertThatThrownBy(() -> spark.run("INSERT INTO t BY NAME SELECT 1 AS id, 2 AS ID, 'c' AS v"))
        .hasMessageContaining("AMBIGUOUS_COLUMN_NAME");
    spark.run("SET spark.sql.caseSensitive=true");
    assertThatThrownBy(() -> spark.run("INSERT INTO t BY NAME SELECT 'c' AS v, 3 AS id, 2 AS n"))
        .hasMessageContaining("EXTRA_COLUMNS");
    assertThat(rows("t")).containsExactly("1,a,null", "2,b,1");
  }
}
