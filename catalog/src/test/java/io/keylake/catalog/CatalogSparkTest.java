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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables as SQL creates, lists, describes, renames and drops them. */
final class CatalogSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  @Test
  void createdTableIsAFolderWithItsSchema() {
    spark.run("CREATE TABLE t (id INT, v STRING)");

    assertThat(warehouse.resolve("db.db/t/schema/schema-0")).isRegularFile();
    assertThat(spark.rows("SHOW TABLES")).containsExactly("db,t,false");
    assertThat(spark.rows("SELECT * FROM t")).isEmpty();
  }

  @Test
  void constraintAndPropertyDeclareThePrimaryKeyAlike() {
    spark.run(
        "CREATE TABLE a (x INT, y INT, v INT, PRIMARY KEY (Y, x) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket'='2')",
        "CREATE TABLE b (x INT, y INT, v INT) TBLPROPERTIES ('primary-key'='Y, x','bucket'='2')");

    for (String table : new String[] {"a", "b"}) {
      assertThat(spark.rows("DESCRIBE " + table).subList(0, 3))
          .containsExactly("x,int,null", "y,int,null", "v,int,null");
      assertThat(spark.value("SHOW CREATE TABLE " + table)).contains("PRIMARY KEY (y, x)");
    }
  }

  @Test
  void contradictingKeysAreRefused() {
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE TABLE t (x INT, y INT, PRIMARY KEY (x) NOT ENFORCED)"
                        + " TBLPROPERTIES ('primary-key'='y','bucket'='1')"))
        .hasMessageContaining("KEYLAKE_INVALID_TABLE_DEFINITION")
        .hasMessageContaining("primary-key");
  }

  @Test
  void showCreateTableRoundTrips() {
    spark.run(
        """
        CREATE TABLE t (
          id INT NOT NULL COMMENT 'the id', name STRING DEFAULT 'no; one', n DECIMAL(10,2),
          s STRUCT<a: INT, b: ARRAY<MAP<STRING, BIGINT>>>, dt DATE,
          PRIMARY KEY (id, dt) NOT ENFORCED)
        PARTITIONED BY (dt)
        COMMENT 'all of it'
        TBLPROPERTIES ('bucket'='3', 'snapshot.num-retained.max'='7')\
        """);
    String first = spark.value("SHOW CREATE TABLE t");

    spark.run("DROP TABLE t", first);

    assertThat(spark.value("SHOW CREATE TABLE t")).isEqualTo(first);
    assertThat(first)
        .contains("'snapshot.num-retained.max' = '7'")
        .contains("PARTITIONED BY (dt)")
        .contains("COMMENT 'all of it'")
        .contains("PRIMARY KEY (id, dt)");
  }

  @Test
  void describeExtendedShowsPlaceOwnerAndProvider() {
    spark.run("CREATE TABLE t (id INT) COMMENT 'mine'");

    assertThat(spark.rows("DESCRIBE EXTENDED t"))
        .anyMatch(row -> row.startsWith("Provider,keylake"))
        .anyMatch(row -> row.startsWith("Comment,mine"))
        .anyMatch(row -> row.startsWith("Owner,"))
        .anyMatch(row -> row.startsWith("Location,") && row.contains("db.db/t"));
  }

  @Test
  void defaultsOfTheCatalogFillWhatIsLeftOpen() {
    spark.session().conf().set("spark.sql.catalog.other", KeylakeCatalog.class.getName());
    spark.session().conf().set("spark.sql.catalog.other.warehouse", warehouse.toString());
    spark
        .session()
        .conf()
        .set("spark.sql.catalog.other.table-default.snapshot.num-retained.max", "9");
    spark.run(
        "CREATE TABLE other.db.a (id INT)",
        "CREATE TABLE other.db.b (id INT) TBLPROPERTIES ('snapshot.num-retained.max'='8')");

    assertThat(spark.rows("SHOW TBLPROPERTIES other.db.a ('snapshot.num-retained.max')"))
        .containsExactly("snapshot.num-retained.max,9");
    assertThat(spark.rows("SHOW TBLPROPERTIES other.db.b ('snapshot.num-retained.max')"))
        .containsExactly("snapshot.num-retained.max,8");
  }

  @Test
  void otherProvidersAndPlacesAreRefused() {
    assertThatThrownBy(() -> spark.run("CREATE TABLE t (id INT) USING parquet"))
        .hasMessageContaining("parquet");
    assertThatThrownBy(() -> spark.run("CREATE TABLE t (id INT) LOCATION '/elsewhere'"))
        .hasMessageContaining("KEYLAKE_FORBIDDEN_PATH");
    spark.run("CREATE TABLE a (id INT) USING keylake", "CREATE TABLE b (id INT) USING paimon");
    assertThat(spark.rows("SHOW TABLES")).hasSize(2);
  }

  @Test
  void transformsAreRefusedByName() {
    assertThatThrownBy(
            () -> spark.run("CREATE TABLE t (id INT, ts TIMESTAMP) PARTITIONED BY (days(ts))"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_FEATURE")
        .hasMessageContaining("days(ts)");
  }

  @Test
  void otherConstraintsAreRefusedByName() {
    assertThatThrownBy(
            () -> spark.run("CREATE TABLE t (id INT, CONSTRAINT positive CHECK (id > 0))"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_FEATURE")
        .hasMessageContaining("positive");
  }

  @Test
  void unknownKeyColumnIsNamed() {
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE TABLE t (id INT) TBLPROPERTIES ('primary-key'='nope','bucket'='1')"))
        .hasMessageContaining("KEYLAKE_COLUMN_NOT_FOUND")
        .hasMessageContaining("nope");
  }

  @Test
  void duplicateKeyColumnIsNamed() {
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE TABLE t (id INT) TBLPROPERTIES ('primary-key'='id,id','bucket'='1')"))
        .hasMessageContaining("KEYLAKE_INVALID_TABLE_DEFINITION")
        .hasMessageContaining("id");
  }

  @Test
  void badOptionIsNamed() {
    assertThatThrownBy(
            () -> spark.run("CREATE TABLE t (id INT) TBLPROPERTIES ('target-file-size'='big')"))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("target-file-size");
    assertThat(spark.rows("SHOW TABLES")).isEmpty();
  }

  @Test
  void missingTableAndWrongColumnAreSparksOwnErrors() {
    spark.run("CREATE TABLE t (id INT)");

    assertThatThrownBy(() -> spark.sql("SELECT * FROM nowhere"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    assertThatThrownBy(() -> spark.sql("SELECT idd FROM t"))
        .hasMessageContaining("UNRESOLVED_COLUMN")
        .hasMessageContaining("`id`");
  }

  @Test
  void existingTableIsNotCreatedTwice() {
    spark.run("CREATE TABLE t (id INT)");

    assertThatThrownBy(() -> spark.run("CREATE TABLE t (x INT)"))
        .hasMessageContaining("TABLE_OR_VIEW_ALREADY_EXISTS");
    spark.run("CREATE TABLE IF NOT EXISTS t (x INT)");
    assertThat(spark.session().table("t").columns()).containsExactly("id");
  }

  @Test
  void droppedTableIsGone() {
    spark.run("CREATE TABLE t (id INT)", "DROP TABLE t");

    assertThat(warehouse.resolve("db.db/t")).doesNotExist();
    assertThatThrownBy(() -> spark.run("DROP TABLE t"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    spark.run("CREATE TABLE t (id INT)", "DROP TABLE t PURGE", "DROP TABLE IF EXISTS t");
  }

  @Test
  void renameMovesTheTableAlsoToAnotherNamespace() {
    spark.run(
        "CREATE NAMESPACE other",
        "CREATE TABLE t (id INT)",
        "INSERT INTO t VALUES (1)",
        "ALTER TABLE t RENAME TO u",
        "ALTER TABLE u RENAME TO other.v");

    assertThat(spark.rows("SHOW TABLES")).isEmpty();
    assertThat(spark.rows("SELECT * FROM other.v")).containsExactly("1");
  }

  @Test
  void renameToATakenOrInvalidNameIsRefused() {
    spark.run("CREATE TABLE t (id INT)", "CREATE TABLE u (id INT)");

    assertThatThrownBy(() -> spark.run("ALTER TABLE t RENAME TO u"))
        .hasMessageContaining("ALREADY_EXISTS");
    assertThatThrownBy(() -> spark.run("ALTER TABLE t RENAME TO `../u`"))
        .hasMessageContaining("KEYLAKE_INVALID_TABLE_DEFINITION");
    assertThatThrownBy(() -> spark.run("ALTER TABLE t RENAME TO nowhere.u"))
        .hasMessageContaining("nowhere");
  }

  @Test
  void namesThatLeaveTheWarehouseAreRefused() {
    for (String name : new String[] {"../t", "a/b", "a$b", "x$snapshots", ".."}) {
      assertThatThrownBy(() -> spark.run("CREATE TABLE `" + name + "` (id INT)"))
          .hasMessageContaining("KEYLAKE_INVALID_TABLE_DEFINITION");
      assertThatThrownBy(() -> spark.sql("SELECT * FROM `" + name + "`"))
          .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    }
    assertThat(warehouse.resolve("db.db")).isEmptyDirectory();
  }

  @Test
  void metadataTableHasTwoNames() {
    spark.run("CREATE TABLE t (id INT)", "INSERT INTO t VALUES (1)");

    assertThat(spark.rows("SELECT snapshot_id FROM `t$snapshots`")).containsExactly("1");
    assertThat(spark.rows("SELECT snapshot_id FROM t.snapshots")).containsExactly("1");
    assertThat(spark.rows("SELECT snapshot_id FROM db.t.snapshots")).containsExactly("1");
    assertThat(spark.rows("SELECT snapshot_id FROM lake.db.t.snapshots")).containsExactly("1");
    assertThatThrownBy(() -> spark.sql("SELECT * FROM `t$nonsense`"))
        .hasMessageContaining("nonsense");
  }

  @Test
  void messagesNameMetadataTableOnce() {
    spark.run("CREATE TABLE t (k INT)");

    assertThatThrownBy(() -> spark.run("DELETE FROM `t$files` WHERE true"))
        .hasMessageEndingWith(".t$files.");
  }

  @Test
  void metadataTablesCannotBeDroppedOrRenamed() {
    spark.run("CREATE TABLE t (id INT)");

    assertThatThrownBy(() -> spark.run("DROP TABLE `t$snapshots`"))
        .hasMessageContaining("t$snapshots");
    assertThatThrownBy(() -> spark.run("ALTER TABLE `t$snapshots` RENAME TO u"))
        .hasMessageContaining("t$snapshots");
    assertThat(spark.rows("SHOW TABLES")).hasSize(1);
  }

  @Test
  void tableLikeAnotherHasItsKeysPartitionsAndOptions() {
    spark.run(
        "CREATE TABLE a (id INT, dt STRING, PRIMARY KEY (dt, id) NOT ENFORCED)"
            + " PARTITIONED BY (dt) TBLPROPERTIES ('bucket'='3')",
        "CREATE TABLE b LIKE a");

    assertThat(spark.value("SHOW CREATE TABLE b").replace("db.b", "db.a").replace("b_pk", "a_pk"))
        .isEqualTo(spark.value("SHOW CREATE TABLE a"));
  }

  @Test
  void namespaceIsDroppedWithItsTablesOnlyWithCascade() {
    spark.run("CREATE NAMESPACE n", "CREATE TABLE n.t (id INT)");

    assertThatThrownBy(() -> spark.run("DROP NAMESPACE n")).hasMessageContaining("EMPTY");
    spark.run("DROP NAMESPACE n CASCADE");
    assertThat(Files.exists(warehouse.resolve("n.db"))).isFalse();
  }

  @Test
  void namespacesAreDescribed() {
    spark.run(
        "CREATE NAMESPACE n COMMENT 'about' WITH DBPROPERTIES ('k'='v')",
        "ALTER NAMESPACE n SET DBPROPERTIES ('l'='w')");

    assertThat(spark.rows("SHOW NAMESPACES IN lake")).contains("db", "n");
    assertThat(spark.rows("DESCRIBE NAMESPACE EXTENDED n"))
        .anyMatch(row -> row.equals("Comment,about"))
        .anyMatch(row -> row.contains("(k,v)") && row.contains("(l,w)"));
  }

  @Test
  void unknownProcedureIsNamed() {
    assertThatThrownBy(() -> spark.run("CALL sys.no_such_thing()"))
        .hasMessageContaining("no_such_thing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "read.report-partitioning",
        "scan.visibility",
        "read.batch-size",
        "isolation-level",
        "commit.max-retries"
      })
  void aValueThatAnOptionCannotHaveIsRefusedWhereItIsGiven(String option) {
    spark.run("CREATE TABLE t (k INT, PRIMARY KEY (k) NOT ENFORCED)", "INSERT INTO t VALUES (1)");
    String setting = "`spark.keylake." + option + "`";
    spark.run("SET " + setting + " = nothing");
    try {
      for (String statement :
          List.of("SELECT * FROM t", "INSERT INTO t VALUES (2)", "DELETE FROM t WHERE k = 1")) {
        assertRefused(option, statement);
      }
    } finally {
      spark.run("RESET " + setting);
    }
    assertRefused(option, "SELECT * FROM t WITH ('" + option + "' = 'nothing')");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1");
  }

  private void assertRefused(String option, String statement) {
    assertThatThrownBy(() -> spark.rows(statement))
        .as(statement)
        .hasStackTraceContaining("[KEYLAKE_INVALID_OPTION]")
        .hasStackTraceContaining("'" + option + "'")
        .hasStackTraceContaining("SQLSTATE: 22023");
  }
}
