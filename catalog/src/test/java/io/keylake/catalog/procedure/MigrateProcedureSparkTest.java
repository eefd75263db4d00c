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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of the session catalog become tables of ours, file by file. */
final class MigrateProcedureSparkTest {
  @TempDir private Path warehouse;
  @TempDir private Path sources;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
    spark.run("CREATE NAMESPACE IF NOT EXISTS spark_catalog.src");
  }

  @AfterEach
  void tablesAreSoundAndSourcesGone() {
    spark.run("DROP NAMESPACE spark_catalog.src CASCADE");
    SoundTable.checkAllUnder(warehouse);
  }

  private void source(String name, String format, String columns, String partitions) {
    spark.run(
        "CREATE TABLE spark_catalog.src."
            + name
            + " ("
            + columns
            + ") USING "
            + format
            + (partitions.isEmpty() ? "" : " PARTITIONED BY (" + partitions + ")")
            + " LOCATION '"
            + sources.resolve(name).toUri()
            + "'");
  }

  private List<String> migrate(String arguments) {
    return spark.rows("CALL lake.sys.migrate_table(" + arguments + ")");
  }

  private static long dataFiles(Path folder) throws Exception {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().startsWith("data-"))
          .count();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc"})
  void filesOfAPartitionedTableAreTakenOverAsTheyAre(String format) throws Exception {
    source("p", format, "k INT, s STRING, n DECIMAL(8, 2), dt DATE, hh STRING", "dt, hh");
    spark.run(
        "INSERT INTO spark_catalog.src.p SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'a', 1.5,"
            + " DATE'2024-01-01', 'x y'), (2, NULL, NULL, DATE'2024-01-01', 'x y'), (3, 'c', 2.5,"
            + " NULL, 'b=c')");
    String name = "source_type => '" + format + "', table => 'src.p', target_table => 'db.t'";
    assertThat(migrate(name + ", dry_run => true").get(0)).endsWith(",3,false,would be migrated");
    assertThat(spark.rows("SHOW TABLES IN lake.db")).isEmpty();
    assertThat(migrate(name).get(0)).startsWith("src.p,db.t,2,").endsWith(",3,false,migrated");
    List<String> rows =
        List.of("1,a,1.50,2024-01-01,x y", "2,null,null,2024-01-01,x y", "3,c,2.50,null,b=c");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).isEqualTo(rows);
    assertThat(spark.rows("SELECT * FROM spark_catalog.src.p ORDER BY k")).isEqualTo(rows);
    assertThat(spark.rows("SELECT k FROM t WHERE hh = 'b=c' AND dt IS NULL")).containsExactly("3");
    assertThat(dataFiles(warehouse.resolve("db.db/t"))).isEqualTo(2);
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", "t");
    assertThat(reference.rows()).hasSize(3);
    assertThat(reference.problems()).isEmpty();
    spark.run("UPDATE t SET s = 'u' WHERE k = 2", "INSERT INTO t VALUES (4, 'd', 1, NULL, 'z')");
    assertThat(spark.rows("SELECT k, s FROM t ORDER BY k"))
        .containsExactly("1,a", "2,u", "3,c", "4,d");
  }

  @Test
  void statisticsOfFootersPruneFiles() {
    source("q", "parquet", "k INT, s STRING", "");
    spark.run(
        "INSERT INTO spark_catalog.src.q SELECT /*+ COALESCE(1) */ CAST(id AS INT), 'a' FROM"
            + " range(10)",
        "INSERT INTO spark_catalog.src.q SELECT /*+ COALESCE(1) */ CAST(id AS INT), 'b' FROM"
            + " range(10, 20)");
    migrate("source_type => 'hive', table => 'src.q', target_table => 'db.t', parallelism => 1");
    assertThat(spark.rows("SELECT min_value_stats, max_value_stats FROM t.files ORDER BY 1"))
        .containsExactly("{k=0, s=a},{k=9, s=a}", "{k=10, s=b},{k=19, s=b}");
    assertThat(spark.value("SELECT count(*) FROM t WHERE k > 12")).isEqualTo("7");
  }

  @Test
  void originIsDroppedWhenAskedFor() {
    spark.run(
        "CREATE TABLE spark_catalog.src.o (k INT) USING parquet",
        "INSERT INTO spark_catalog.src.o VALUES (1)");
    assertThat(
            migrate(
                    "source_type => 'parquet', table => 'src.o', target_table => 't',"
                        + " delete_origin => true")
                .get(0))
        .endsWith(",1,true,migrated");
    assertThat(spark.rows("SELECT * FROM t")).containsExactly("1");
    assertThat(spark.rows("SHOW TABLES IN spark_catalog.src")).isEmpty();
  }

  @Test
  void fileThatDoesNotFitIsRefusedBeforeAnythingIsDone() throws Exception {
    source("w", "parquet", "k INT, s STRING", "");
    spark.run("INSERT INTO spark_catalog.src.w VALUES (1, 'a')");
    spark
        .sql("SELECT 1L AS k, 'b' AS s")
        .write()
        .mode("append")
        .parquet(sources.resolve("w").toUri().toString());
    assertThatThrownBy(
            () -> migrate("source_type => 'parquet', table => 'src.w', target_table => 't'"))
        .hasMessageContainingAll(
            "KEYLAKE_INVALID_REQUEST", "k BIGINT", "k INT", "Nothing was done");
    Files.writeString(sources.resolve("w/noise.parquet"), "this is no data file at all, is it?");
    assertThatThrownBy(
            () -> migrate("source_type => 'parquet', table => 'src.w', target_table => 't'"))
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST");
    assertThat(spark.rows("SHOW TABLES IN lake.db")).isEmpty();
    assertThat(Files.exists(warehouse.resolve("db.db/t"))).isFalse();
  }

  @Test
  void wrongArgumentsAreRefused() {
    source("a", "parquet", "k INT", "");
    source("c", "csv", "k INT", "");
    source("d", "parquet", "k INT, i INTERVAL DAY TO SECOND", "");
    source("e", "parquet", "k INT", "");
    source("z", "orc", "k INT, at TIMESTAMP", "");
    spark.run("CREATE TABLE taken (k INT)");
    String a = "source_type => 'parquet', table => 'src.a', target_table => ";
    assertThatThrownBy(() -> migrate(a + "'taken'"))
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST");
    assertThatThrownBy(() -> migrate(a + "'t', options => 'bucket=2'"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "bucket");
    assertThatThrownBy(() -> migrate("source_type => 'csv', table => 'src.a', target_table => 't'"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "csv");
    assertThatThrownBy(() -> migrate("source_type => 'orc', table => 'src.a', target_table => 't'"))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_OPERATION");
    assertThatThrownBy(
            () -> migrate("source_type => 'hive', table => 'src.c', target_table => 't'"))
        .hasMessageContainingAll("KEYLAKE_UNSUPPORTED_OPERATION", "csv");
    assertThatThrownBy(
            () -> migrate("source_type => 'hive', table => 'src.z', target_table => 't'"))
        .hasMessageContainingAll("KEYLAKE_INVALID_REQUEST", "at TIMESTAMP");
    assertThatThrownBy(
            () -> migrate("source_type => 'hive', table => 'src.nope', target_table => 't'"))
        .hasMessageContaining("KEYLAKE_REFERENCE_NOT_FOUND");
  }

  @Test
  void allTablesOfADatabaseAreMigratedAndTheOthersNamed() {
    source("a", "parquet", "k INT", "");
    source("b", "orc", "k INT", "");
    source("c", "csv", "k INT", "");
    source("d", "parquet", "k INT, i INTERVAL DAY TO SECOND", "");
    source("e", "parquet", "k INT", "");
    spark.run(
        "INSERT INTO spark_catalog.src.a VALUES (1)", "INSERT INTO spark_catalog.src.b VALUES (2)");
    String call =
        "CALL lake.sys.migrate_database(source_type => 'hive', database => 'src',"
            + " target_database => 'made'";
    List<String> rows = spark.rows(call + ")");
    assertThat(rows).hasSize(5);
    assertThat(rows.get(2)).startsWith("src.c,made.c,0,0,0,false,not migrated: ");
    assertThat(rows.get(3))
        .startsWith("src.d,made.d,0,0,0,false,not migrated: ")
        .contains("INTERVAL");
    assertThat(rows.get(4)).isEqualTo("src.e,made.e,0,0,0,false,migrated");
    assertThat(spark.rows(call + ", dry_run => true)").get(3)).contains("not migrated", "INTERVAL");
    assertThat(spark.rows("SELECT * FROM lake.made.a UNION SELECT * FROM lake.made.b ORDER BY 1"))
        .containsExactly("1", "2");
  }

  @Test
  void wrongArgumentsOfADatabaseAreRefusedBeforeAnythingIsMade() {
    source("a", "parquet", "k INT", "");
    String call = "CALL lake.sys.migrate_database(database => 'src', target_database => 'x', ";
    assertThatThrownBy(() -> spark.run(call + "source_type => 'csv')"))
        .hasMessageContaining("source_type 'csv' is unknown");
    assertThatThrownBy(() -> spark.run(call + "source_type => NULL)"))
        .hasMessageContaining("the argument source_type is NULL");
    assertThatThrownBy(() -> spark.run(call + "source_type => 'orc', options => 'bucket=2')"))
        .hasMessageContaining("options set 'bucket'");
    assertThatThrownBy(() -> spark.run(call + "source_type => 'orc', parallelism => 0)"))
        .hasMessageContaining("parallelism is 0");
    assertThat(spark.rows("SHOW NAMESPACES IN lake")).doesNotContain("x");
  }

  @Test
  void targetDatabaseMayNameTheCatalog() {
    source("a", "parquet", "k INT", "");
    spark.run("INSERT INTO spark_catalog.src.a VALUES (1)");
    spark.run(
        "CALL lake.sys.migrate_database(source_type => 'hive', database => 'src',"
            + " target_database => 'lake.made')");
    assertThat(spark.rows("SELECT * FROM lake.made.a")).containsExactly("1");
  }
}
