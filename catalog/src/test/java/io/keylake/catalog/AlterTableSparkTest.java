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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ALTER TABLE: what changes, what rows written before show afterwards, and what is refused. */
final class AlterTableSparkTest {
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

  private void createFilled() {
    spark.run(
        "CREATE TABLE t (id INT, n INT, s STRUCT<a: INT, b: STRING>, l ARRAY<STRUCT<x: INT>>,"
            + " dt STRING, PRIMARY KEY (id, dt) NOT ENFORCED) PARTITIONED BY (dt)"
            + " TBLPROPERTIES ('bucket'='1')",
        "INSERT INTO t VALUES (1, 10, named_struct('a', 1, 'b', 'x'),"
            + " array(named_struct('x', 7)), 'd')");
  }

  @Test
  void addedColumnsAreNullInOlderRows() {
    createFilled();

    spark.run(
        "ALTER TABLE t ADD COLUMNS (c STRING COMMENT 'new' AFTER id, d INT FIRST)",
        "ALTER TABLE t ADD COLUMN s.z INT",
        "ALTER TABLE t ADD COLUMN l.element.y STRING");

    assertThat(spark.session().table("t").columns())
        .containsExactly("d", "id", "c", "n", "s", "l", "dt");
    assertThat(spark.rows("SELECT d, id, c, n, s, l FROM t"))
        .containsExactly("null,1,null,10,[1,x,null],ArraySeq([7,null])");
    assertThat(spark.rows("DESCRIBE t")).contains("c,string,new");
  }

  @Test
  void olderRowsTakeTheDefaultOfAnAddedColumn() {
    createFilled();

    spark.run(
        "ALTER TABLE t ADD COLUMN k STRING DEFAULT 'old'",
        "ALTER TABLE t ALTER COLUMN k SET DEFAULT 'new'",
        "INSERT INTO t (id, dt) VALUES (2, 'd')");

    assertThat(spark.rows("SELECT id, k FROM t ORDER BY id")).containsExactly("1,old", "2,new");
    assertThat(spark.value("SHOW CREATE TABLE t")).doesNotContain("exists-default");
  }

  @Test
  void droppedDefaultGivesNull() {
    spark.run(
        "CREATE TABLE u (id INT, v INT DEFAULT 5)",
        "ALTER TABLE u ALTER COLUMN v DROP DEFAULT",
        "INSERT INTO u (id) VALUES (1)");

    assertThat(spark.rows("SELECT * FROM u")).containsExactly("1,null");
  }

  @Test
  void renamedColumnsKeepTheirValues() {
    createFilled();

    spark.run(
        "ALTER TABLE t RENAME COLUMN n TO amount",
        "ALTER TABLE t RENAME COLUMN s.a TO first",
        "ALTER TABLE t RENAME COLUMN id TO key");

    assertThat(spark.rows("SELECT key, amount, s.first FROM t")).containsExactly("1,10,1");
    assertThat(spark.value("SHOW CREATE TABLE t")).contains("PRIMARY KEY (key, dt)");
  }

  @Test
  void droppedAndAddedColumnOfTheSameNameIsANewColumn() {
    createFilled();

    spark.run(
        "ALTER TABLE t DROP COLUMN n",
        "ALTER TABLE t ADD COLUMN n INT",
        "ALTER TABLE t DROP COLUMN IF EXISTS missing",
        "ALTER TABLE t DROP COLUMN s.b");

    assertThat(spark.rows("SELECT id, n, s FROM t")).containsExactly("1,null,[1]");
  }

  @Test
  void columnsMoveAndWiden() {
    createFilled();

    spark.run(
        "ALTER TABLE t ALTER COLUMN n TYPE BIGINT",
        "ALTER TABLE t ALTER COLUMN n FIRST",
        "ALTER TABLE t ALTER COLUMN s.a TYPE BIGINT",
        "ALTER TABLE t ALTER COLUMN s.b FIRST",
        "ALTER TABLE t ALTER COLUMN n COMMENT 'wide'");

    assertThat(spark.rows("SELECT n + 5000000000, id, s FROM t"))
        .containsExactly("5000000010,1,[x,1]");
    assertThat(spark.rows("DESCRIBE t")).contains("n,bigint,wide");
  }

  @Test
  void notNullCanBeDropped() {
    spark.run(
        "CREATE TABLE u (id INT NOT NULL)",
        "ALTER TABLE u ALTER COLUMN id DROP NOT NULL",
        "INSERT INTO u VALUES (NULL)");

    assertThat(spark.rows("SELECT * FROM u")).containsExactly("null");
  }

  @Test
  void propertiesAndCommentChange() {
    createFilled();

    spark.run(
        "ALTER TABLE t SET TBLPROPERTIES ('snapshot.num-retained.max'='20', 'comment'='now')");
    assertThat(spark.value("SHOW CREATE TABLE t"))
        .contains("'snapshot.num-retained.max' = '20'")
        .contains("COMMENT 'now'");

    spark.run("ALTER TABLE t UNSET TBLPROPERTIES ('snapshot.num-retained.max', 'comment')");
    assertThat(spark.value("SHOW CREATE TABLE t")).doesNotContain("num-retained", "COMMENT 'now'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SET TBLPROPERTIES ('bucket'='-1') | bucket",
        "SET TBLPROPERTIES ('primary-key'='id') | primary-key",
        "SET TBLPROPERTIES ('merge-engine'='first-row') | merge-engine",
        "SET TBLPROPERTIES ('location'='/x') | location",
        "SET TBLPROPERTIES ('provider'='parquet') | provider",
        "UNSET TBLPROPERTIES ('bucket') | bucket",
        "DROP COLUMN id | id",
        "DROP COLUMN dt | dt",
        "RENAME COLUMN dt TO day | dt",
        "ALTER COLUMN id TYPE BIGINT | id",
        "ALTER COLUMN id DROP NOT NULL | id",
        "ADD COLUMN c INT NOT NULL | c",
        "ADD COLUMN _SEQUENCE_NUMBER INT | _SEQUENCE_NUMBER",
        "ADD COLUMN c INTERVAL DAY | INTERVAL",
        "ADD CONSTRAINT more PRIMARY KEY (n) NOT ENFORCED | more",
        "DROP CONSTRAINT t_pk | primary key",
        "DROP CONSTRAINT other | other",
        "SET TBLPROPERTIES ('target-file-size'='big') | target-file-size",
        "SET LOCATION '/x' | "
      })
  void whatWouldBreakTheTableIsRefusedAndChangesNothing(String change, String named)
      throws Exception {
    createFilled();

    assertThatThrownBy(() -> spark.run("ALTER TABLE t " + change))
        .hasMessageContaining(named == null ? "" : named);
    assertThat(spark.rows("SELECT id, n, dt FROM t")).containsExactly("1,10,d");
    try (Stream<Path> schemas = Files.list(warehouse.resolve("db.db/t/schema"))) {
      assertThat(schemas.filter(file -> !file.getFileName().toString().startsWith("."))).hasSize(1);
    }
  }

  @Test
  void severalChangesAreOneOrNone() {
    createFilled();

    assertThatThrownBy(
            () ->
                spark.run(
                    "ALTER TABLE t SET TBLPROPERTIES"
                        + " ('snapshot.num-retained.max'='20', 'bucket'='-1')"))
        .hasMessageContaining("KEYLAKE_IMMUTABLE_OPTION");
    assertThat(spark.value("SHOW CREATE TABLE t")).doesNotContain("num-retained");
  }

  @Test
  void primaryKeyOfAnEmptyTableCanBeDropped() {
    spark.run(
        "CREATE TABLE u (id INT, PRIMARY KEY (id) NOT ENFORCED) TBLPROPERTIES ('bucket'='1')",
        "ALTER TABLE u DROP CONSTRAINT u_pk");

    assertThat(spark.value("SHOW CREATE TABLE u")).doesNotContain("PRIMARY KEY");
  }

  @Test
  void partitionsAreShownDroppedAndTruncated() {
    spark.run(
        "CREATE TABLE p (id INT, dt STRING, h INT) PARTITIONED BY (dt, h)",
        "INSERT INTO p VALUES (1, 'a', 1), (2, 'a', 2), (3, 'b', 1), (4, NULL, 1)");

    assertThat(spark.rows("SHOW PARTITIONS p PARTITION (dt = 'a')"))
        .containsExactlyInAnyOrder("dt=a/h=1", "dt=a/h=2");
    spark.run(
        "ALTER TABLE p DROP PARTITION (dt = 'a', h = 1)",
        "TRUNCATE TABLE p PARTITION (dt = 'b')",
        "ALTER TABLE p ADD PARTITION (dt = 'c', h = 9)");
    assertThat(spark.rows("SELECT id FROM p ORDER BY id")).containsExactly("2", "4");
    assertThatThrownBy(() -> spark.run("ALTER TABLE p ADD PARTITION (dt = 'a', h = 2)"))
        .hasMessageContaining("ALREADY_EXIST");
    spark.run("TRUNCATE TABLE p");
    assertThat(spark.rows("SELECT id FROM p")).isEmpty();
    assertThat(spark.rows("SELECT count(*) FROM p VERSION AS OF 1")).containsExactly("4");
  }

  @Test
  void refreshIsAccepted() {
    createFilled();

    spark.run("REFRESH TABLE t");
    assertThat(spark.rows("SELECT id FROM t")).containsExactly("1");
  }
}
