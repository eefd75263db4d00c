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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CREATE TABLE AS SELECT and REPLACE TABLE: all of it or nothing. */
final class ReplaceSparkTest {
  private static final String FAILING = "SELECT id, raise_error('no') AS v FROM range(10)";

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

  @Test
  void tableIsMadeFromAQuery() {
    spark.run(
        "CREATE TABLE t PARTITIONED BY (p) TBLPROPERTIES ('primary-key'='p,id','bucket'='2')"
            + " COMMENT 'made' AS SELECT id, id % 2 AS p FROM range(4)");

    assertThat(spark.rows("SELECT * FROM t ORDER BY id"))
        .containsExactly("0,0", "1,1", "2,0", "3,1");
    assertThat(spark.rows("SELECT snapshot_id, commit_kind FROM t.snapshots"))
        .containsExactly("1,APPEND");
    assertThat(spark.session().table("t").schema().apply("id").nullable()).isFalse();
  }

  @Test
  void aQueryWithoutRowsMakesAnEmptyTable() {
    spark.run("CREATE TABLE t AS SELECT id FROM range(4) WHERE id > 10");

    assertThat(spark.rows("SELECT * FROM t")).isEmpty();
  }

  @Test
  void columnsOfAQueryAreNullable() {
    spark.run("CREATE TABLE t AS SELECT 1 AS id", "INSERT INTO t VALUES (NULL)");

    assertThat(spark.rows("SELECT count(*) FROM t")).containsExactly("2");
  }

  @Test
  void failedQueryLeavesNoTable() {
    assertThatThrownBy(() -> spark.run("CREATE TABLE t AS " + FAILING)).hasMessageContaining("no");

    assertThat(spark.rows("SHOW TABLES")).isEmpty();
    assertThat(warehouse.resolve("db.db")).isEmptyDirectory();
    spark.run("CREATE TABLE t AS SELECT 1 AS id");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1");
  }

  @Test
  void existingTableIsKept() {
    spark.run("CREATE TABLE t AS SELECT 1 AS id");

    assertThatThrownBy(() -> spark.run("CREATE TABLE t AS SELECT 2 AS id"))
        .hasMessageContaining("TABLE_OR_VIEW_ALREADY_EXISTS");
    spark.run("CREATE TABLE IF NOT EXISTS t AS SELECT 3 AS id");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1");
  }

  @Test
  void replacedTableHasNewColumnsAndKeepsItsHistory() {
    spark.run("CREATE TABLE t AS SELECT 1 AS id, 'a' AS v");

    spark.run("CREATE OR REPLACE TABLE t AS SELECT 'x' AS v, 2L AS n");

    assertThat(spark.session().table("t").columns()).containsExactly("v", "n");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("x,2");
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 1")).containsExactly("1,a");
    spark.run("INSERT INTO t VALUES ('y', 3)");
    assertThat(spark.rows("SELECT v FROM t ORDER BY v")).containsExactly("x", "y");
  }

  @Test
  void queryMayReadTheTableItReplaces() {
    spark.run(
        "CREATE TABLE t AS SELECT id FROM range(5)",
        "CREATE OR REPLACE TABLE t AS SELECT id * 10 AS ten FROM t WHERE id > 2");

    assertThat(spark.rows("SELECT ten FROM t ORDER BY ten")).containsExactly("30", "40");
  }

  @Test
  void failedReplacementLeavesTheTableUntouched() {
    spark.run("CREATE TABLE t AS SELECT 1 AS id");

    assertThatThrownBy(() -> spark.run("CREATE OR REPLACE TABLE t AS " + FAILING))
        .hasMessageContaining("no");
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE OR REPLACE TABLE t TBLPROPERTIES ('primary-key'='id','bucket'='1') AS "
                        + FAILING))
        .hasMessageContaining("no");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1");
    assertThat(spark.rows("SELECT schema_id FROM t.schemas")).containsExactly("0");
  }

  @Test
  void replacementWithoutQueryEmptiesTheTable() {
    spark.run(
        "CREATE TABLE t AS SELECT 1 AS id",
        "REPLACE TABLE t (name STRING) TBLPROPERTIES ('snapshot.num-retained.max'='9')");

    assertThat(spark.rows("SELECT * FROM t")).isEmpty();
    assertThat(spark.session().table("t").columns()).containsExactly("name");
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 1")).containsExactly("1");
  }

  @Test
  void missingTableIsNotReplaced() {
    assertThatThrownBy(() -> spark.run("REPLACE TABLE t (id INT)"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    assertThatThrownBy(() -> spark.run("REPLACE TABLE t AS SELECT 1 AS id"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
  }

  @Test
  void anotherPrimaryKeyStartsAFreshHistory() {
    spark.run(
        "CREATE TABLE t AS SELECT 1 AS id, 'a' AS v",
        "CREATE OR REPLACE TABLE t TBLPROPERTIES ('primary-key'='id','bucket'='1')"
            + " AS SELECT id, 'b' AS v FROM t");

    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,b");
    assertThat(spark.rows("SELECT snapshot_id FROM t.snapshots")).containsExactly("1");
    spark.run("INSERT INTO t VALUES (1, 'c')");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1,c");
    assertThat(warehouse.resolve(".keylake-staging")).isEmptyDirectory();
  }

  @Test
  void historyThatATagKeepsIsNotEnded() {
    spark.run(
        "CREATE TABLE t AS SELECT 1 AS id", "CALL sys.create_tag(table => 't', tag => 'keep')");

    assertThatThrownBy(
            () -> spark.run("CREATE OR REPLACE TABLE t (id INT, p INT) PARTITIONED BY (p)"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_OPERATION")
        .hasMessageContaining("keep");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1");
  }

  @Test
  void tagNamesASnapshot() {
    spark.run(
        "CREATE TABLE t AS SELECT 1 AS id",
        "INSERT INTO t VALUES (2)",
        "CALL sys.create_tag(table => 't', tag => 'one', snapshot => 1)",
        "CALL lake.system.create_tag('db.t', 'newest')");

    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 'one'")).containsExactly("1");
    assertThat(spark.rows("SELECT tag_name, snapshot_id FROM t.tags ORDER BY tag_name"))
        .containsExactly("newest,2", "one,1");
    assertThatThrownBy(() -> spark.run("CALL sys.create_tag(table => 't', tag => 'one')"))
        .hasMessageContaining("KEYLAKE_REFERENCE_ALREADY_EXISTS");
    spark.run("CALL sys.delete_tag(table => 'lake.db.t', tag => 'one')");
    assertThatThrownBy(() -> spark.sql("SELECT * FROM t VERSION AS OF 'one'"))
        .hasMessageContaining("one");
  }

  @Test
  void wrongArgumentsOfProceduresAreNamed() {
    spark.run("CREATE TABLE t AS SELECT 1 AS id");

    assertThatThrownBy(() -> spark.run("CALL sys.create_tag(table => 'nope', tag => 'x')"))
        .hasMessageContaining("nope");
    assertThatThrownBy(() -> spark.run("CALL sys.create_tag(table => 't')"))
        .hasMessageContaining("tag");
    assertThatThrownBy(() -> spark.run("CALL sys.create_tag(table => 't', tag => 'x', size => 1)"))
        .hasMessageContaining("size");
    assertThatThrownBy(
            () -> spark.run("CALL sys.create_tag(table => 't', tag => 'x', snapshot => 99)"))
        .hasMessageContaining("99");
    for (String metadataTable : new String[] {"t$files", "db.t.files", "`db`.`t$files`"}) {
      String call = "CALL sys.create_tag(table => '" + metadataTable + "', tag => 'x')";
      assertThatThrownBy(() -> spark.run(call)).hasMessageContaining("metadata");
    }
    assertThatThrownBy(() -> spark.run("CALL sys.create_tag(table => 't', tag => '../x')"))
        .hasMessageContaining("../x");
  }
}
