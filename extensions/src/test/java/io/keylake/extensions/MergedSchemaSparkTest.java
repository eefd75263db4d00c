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

import java.nio.file.Path;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes that add columns because an option of the write, the session or the table says so. */
final class MergedSchemaSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.withRules(warehouse);
    spark.run("CREATE TABLE t (id INT, v INT)", "INSERT INTO t VALUES (1, 10)");
  }

  private String columns() {
    return spark.sql("SELECT * FROM t").schema().toDDL();
  }

  @Test
  void optionOfAFrameAddsColumnsByCatalogAndByPath() throws Exception {
    spark
        .sql("SELECT 20L AS v, 2 AS id, 'a' AS w")
        .write()
        .option("mergeSchema", "true")
        .mode("append")
        .saveAsTable("t");
    spark
        .sql("SELECT 3 AS id, true AS flag")
        .write()
        .format("keylake")
        .option("write.merge-schema", "true")
        .mode("append")
        .save(warehouse.resolve("db.db/t").toString());
    spark.sql("SELECT 4 AS id, 1.5D AS d").writeTo("t").option("mergeSchema", "true").append();

    assertThat(columns()).isEqualTo("id INT,v BIGINT,w STRING,flag BOOLEAN,d DOUBLE");
    assertThat(spark.rows("SELECT * FROM t ORDER BY id"))
        .containsExactly(
            "1,10,null,null,null",
            "2,20,a,null,null",
            "3,null,null,true,null",
            "4,null,null,null,1.5");
    spark
        .sql("SELECT 5 AS id, 'x' AS e")
        .writeTo("t")
        .option("mergeSchema", "true")
        .overwrite(functions.lit(true));
    assertThat(spark.rows("SELECT id, e FROM t")).containsExactly("5,x");
  }

  @Test
  void propertyOfTheTableAddsColumnsInSql() {
    spark.run(
        "ALTER TABLE t SET TBLPROPERTIES ('write.merge-schema' = 'true')",
        "INSERT INTO t SELECT 2, 20, 'a' AS w",
        "INSERT OVERWRITE t BY NAME SELECT 'y' AS x, 3 AS id");
    assertThat(columns()).isEqualTo("id INT,v INT,w STRING,x STRING");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("3,null,null,y");
  }

  @Test
  void settingOfTheSessionAndExplicitCasts() {
    spark.run(
        "SET `spark.keylake.write.merge-schema`=`true`",
        "SET `spark.keylake.write.merge-schema.explicit-cast`=`true`",
        "INSERT INTO t SELECT 2, 'many', 7 AS n");
    assertThat(columns()).isEqualTo("id INT,v STRING,n INT");
    assertThat(spark.rows("SELECT * FROM t ORDER BY id")).containsExactly("1,10,null", "2,many,7");
  }

  @Test
  void withoutTheOptionColumnsAreCompared() {
    assertThatThrownBy(() -> spark.run("INSERT INTO t SELECT 2, 20, 'a' AS w"))
        .hasMessageContaining("TOO_MANY_DATA_COLUMNS");
    assertThat(columns()).isEqualTo("id INT,v INT");
  }

  @Test
  void anythingButTrueAndFalseIsRefused() {
    for (String option : new String[] {"mergeSchema", "write.merge-schema"}) {
      assertThatThrownBy(
              () -> spark.run("INSERT INTO t WITH ('" + option + "' = 'maybe') SELECT 2, 20"))
          .as(option)
          .hasMessageContaining("[KEYLAKE_INVALID_OPTION]")
          .hasMessageContaining("Allowed: true or false");
    }
  }
}
