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

package io.keylake.catalog.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.SharedSpark;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of tables, and the check of what a warehouse holds. */
final class CopyProcedureSparkTest {
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

  private ReferenceTable reference() {
    return ReferenceTable.of(warehouse.toString(), "db", "c");
  }

  private String copy(String arguments) {
    return spark
        .rows("CALL lake.sys.copy(source_table => 't', target_table => 'c'" + arguments + ")")
        .get(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'bucket' = '2'",
        "'bucket' = '-1'",
        "'bucket' = '1', 'deletion-vectors.enabled' = 'true'",
        "'bucket' = '1', 'merge-engine' = 'aggregation', 'fields.v.aggregate-function' = 'sum'"
      })
  void keyedTablesAreCopiedWithAllLevels(String properties) throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v BIGINT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ("
            + properties
            + ")",
        "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)",
        "CALL lake.sys.compact(table => 't')",
        "ALTER TABLE t ADD COLUMN w STRING",
        "INSERT INTO t VALUES (2, 21, 'new'), (4, 40, 'new')");
    List<String> rows = spark.rows("SELECT * FROM t ORDER BY k");
    assertThat(copy(", dry_run => true")).endsWith("files would be copied");
    assertThat(spark.rows("SHOW TABLES IN lake.db")).hasSize(1);
    assertThat(copy("")).startsWith("db.c,").endsWith(",files copied");
    assertThat(spark.rows("SELECT * FROM c ORDER BY k")).isEqualTo(rows);
    String levels = "SELECT level, count(*) FROM %s.files GROUP BY level ORDER BY level";
    assertThat(spark.rows(levels.formatted("c"))).isEqualTo(spark.rows(levels.formatted("t")));
    assertThat(reference().problems()).isEmpty();
    spark.run("INSERT INTO c VALUES (1, 5, 'c')", "CALL lake.sys.compact(table => 'c')");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).isEqualTo(rows);
    assertThat(spark.rows("SELECT count(*) FROM c")).containsExactly("4");
    assertThat(reference().rows()).hasSize(4);
    spark.run("DROP TABLE t");
    assertThat(spark.rows("SELECT k FROM c ORDER BY k")).containsExactly("1", "2", "3", "4");
  }

  @Test
  void conditionOnPartitionsChoosesFilesAndAnyOtherChoosesRows() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, dt STRING) PARTITIONED BY (dt)",
        "INSERT INTO t VALUES (1, 'a'), (2, 'a'), (3, 'b')");
    assertThat(copy(", where => \"dt = 'a'\"")).startsWith("db.c,1,").endsWith(",files copied");
    assertThat(spark.rows("SELECT * FROM c ORDER BY k")).containsExactly("1,a", "2,a");
    assertThat(reference().problems()).isEmpty();
    spark.run("DROP TABLE c");
    assertThat(copy(", where => 'k > 1'")).endsWith("rows written anew");
    assertThat(spark.rows("SELECT * FROM c ORDER BY k")).containsExactly("2,a", "3,b");
    assertThat(reference().rows()).hasSize(2);
    assertThatThrownBy(() -> copy("")).hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "db.c");
    spark.run("DROP TABLE c");
    assertThatThrownBy(() -> copy(", where => 'nope = 1'"))
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST");
    assertThatThrownBy(() -> copy(", where => 'k >'"))
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST");
    assertThat(spark.rows("SHOW TABLES IN lake.db")).hasSize(1);
  }

  @Test
  void tableWithoutPartitionsIsCopiedUnderAnyCondition() {
    spark.run("CREATE TABLE t (k INT)", "INSERT INTO t VALUES (1), (2)");
    assertThat(copy(", where => 'true'")).endsWith("rows written anew");
    assertThat(spark.rows("SELECT * FROM c ORDER BY k")).containsExactly("1", "2");
    assertThatThrownBy(() -> copy(", where => 'nope = 1'")).hasMessageContaining("db.c already");
    spark.run("DROP TABLE c");
    assertThatThrownBy(() -> copy(", where => 'nope = 1'"))
        .hasMessageContaining("`nope` cannot be resolved")
        .message()
        .doesNotContain("Filter");
  }

  @Test
  void copyThatFailsLeavesNoTable() throws Exception {
    spark.run("CREATE TABLE t (k INT)", "INSERT INTO t VALUES (1)");
    try (var files = Files.walk(warehouse.resolve("db.db/t/bucket-0"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(() -> copy("")).hasMessageContaining("data-");
    assertThat(spark.rows("SHOW TABLES IN lake.db")).hasSize(1);
    spark.run("DROP TABLE t");
  }

  @Test
  void repairChecksTablesAndMendsHints() throws Exception {
    spark.run("CREATE TABLE t (k INT)", "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2)");
    assertThat(spark.rows("CALL lake.sys.repair()")).containsExactly("db.t,2,null,none");
    Path hint = warehouse.resolve("db.db/t/snapshot/LATEST");
    Files.write(hint, "9".getBytes(StandardCharsets.UTF_8));
    Files.deleteIfExists(warehouse.resolve("db.db/t/snapshot/.LATEST.crc"));
    assertThat(spark.rows("CALL lake.sys.repair('db.t', true)").get(0))
        .contains("LATEST says '9'", "hint written anew");
    assertThat(Files.readString(hint)).isEqualTo("9");
    spark.run("CALL lake.sys.repair(database_or_table => 'db')");
    assertThat(Files.readString(hint)).isEqualTo("2");
    assertThatThrownBy(() -> spark.run("CALL lake.sys.repair('db.nope')"))
        .hasMessageContaining("KEYLAKE_REFERENCE_NOT_FOUND");
  }
}
