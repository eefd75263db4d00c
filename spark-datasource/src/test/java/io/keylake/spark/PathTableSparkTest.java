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

package io.keylake.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.spark.testing.SharedSpark;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables reached by their path, written and read without a catalog. */
final class PathTableSparkTest {
  private static SparkSession spark;
  @TempDir private Path folder;

  @BeforeAll
  static void startSession() {
    spark = SharedSpark.newSession();
  }

  private String path() {
    return folder.resolve("t").toString();
  }

  private void append(String select, Map<String, String> options) {
    spark.sql(select).write().format("keylake").mode("append").options(options).save(path());
  }

  private Dataset<Row> read(Map<String, String> options) {
    return spark.read().format("keylake").options(options).load(path());
  }

  private List<String> rows(Map<String, String> options) {
    return SharedSpark.sortedText(read(options));
  }

  @Test
  void firstWriteMakesTheTableAndLaterOnesAddToIt() {
    append("SELECT 1 AS id, 'a' AS v", Map.of());
    append("SELECT 2 AS id, 'b' AS v", Map.of());

    assertThat(rows(Map.of())).containsExactly("{\"id\":1,\"v\":\"a\"}", "{\"id\":2,\"v\":\"b\"}");
  }

  @Test
  void optionsAndPartitionByDefineTheTable() {
    spark
        .sql("SELECT 1 AS id, 'x' AS pt, 'a' AS v")
        .write()
        .format("keylake")
        .partitionBy("pt")
        .option("primary-key", "id,pt")
        .option("bucket", "2")
        .save(path());
    append("SELECT 1 AS id, 'x' AS pt, 'b' AS v", Map.of());

    assertThat(rows(Map.of())).containsExactly("{\"id\":1,\"pt\":\"x\",\"v\":\"b\"}");
    assertThat(folder.resolve("t/pt=x")).isDirectory();
  }

  @Test
  void saveMakesTheTableOnce() {
    Dataset<Row> row = spark.sql("SELECT 1 AS id");
    row.write().format("keylake").save(path());
    row.write().format("keylake").mode("ignore").save(path());
    assertThatThrownBy(() -> row.write().format("keylake").save(path()))
        .hasMessageContaining("TABLE_OR_VIEW_ALREADY_EXISTS");

    assertThat(rows(Map.of())).containsExactly("{\"id\":1}");
  }

  @Test
  void aSaveThatFailsLeavesNoTable() {
    Dataset<Row> failing = spark.sql("SELECT raise_error('no') AS id FROM range(3)");
    assertThatThrownBy(() -> failing.write().format("keylake").save(path()));
    assertThatThrownBy(() -> read(Map.of())).hasMessageContaining("KEYLAKE_REFERENCE_NOT_FOUND");
    assertThat(folder.resolve("t")).doesNotExist();
  }

  @Test
  void overwriteReplacesAllRows() {
    append("SELECT 1 AS id", Map.of());
    spark.sql("SELECT 2 AS id").write().format("keylake").mode("overwrite").save(path());

    assertThat(rows(Map.of())).containsExactly("{\"id\":2}");
  }

  @Test
  void olderVersionsAreReadByOption() {
    append("SELECT 1 AS id", Map.of());
    append("SELECT 2 AS id", Map.of());

    for (String option : List.of("scan.snapshot-id", "scan.version", "versionAsOf")) {
      assertThat(rows(Map.of(option, "1"))).as(option).containsExactly("{\"id\":1}");
    }
    assertThat(rows(Map.of("timestampAsOf", "2999-01-01"))).hasSize(2);
    assertThatThrownBy(() -> read(Map.of("scan.timestamp", "2001-01-01 00:00:00")))
        .hasMessageContaining("KEYLAKE_VERSION_NOT_FOUND");
    assertThatThrownBy(() -> read(Map.of("scan.snapshot-id", "9")))
        .hasMessageContaining("KEYLAKE_VERSION_NOT_FOUND");
  }

  @Test
  void pathWithoutTableSaysSo() {
    assertThatThrownBy(() -> read(Map.of()))
        .hasMessageContaining("KEYLAKE_REFERENCE_NOT_FOUND")
        .hasMessageContaining(path());
  }

  @Test
  void readWithoutPathSaysWhatToDo() {
    assertThatThrownBy(() -> spark.read().format("keylake").load())
        .hasMessageContaining("load(\"/data/orders\")");
  }

  @Test
  void optionsThatAskForRowsThatAreNotThereAreRefusedByName() {
    append("SELECT 1 AS id", Map.of());

    assertThatThrownBy(() -> rows(Map.of("incremental-between", "1,2")))
        .hasMessageContaining("KEYLAKE_VERSION_NOT_FOUND")
        .hasMessageContaining("Version 2");
    assertThatThrownBy(() -> rows(Map.of("scan.mode", "incremental")))
        .hasMessageContaining("'scan.mode' = 'incremental'");
    assertThatThrownBy(() -> rows(Map.of("scan.mode", "from-snapshot")))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("scan.snapshot-id");
  }

  @Test
  void tableFormatsNameIsAnAlias() {
    append("SELECT 1 AS id", Map.of());

    assertThat(SharedSpark.text(spark.read().format("paimon").load(path())))
        .containsExactly("{\"id\":1}");
  }

  @Test
  void rowsSayWhereTheyComeFrom() {
    append("SELECT explode(sequence(1, 3)) AS id", Map.of());
    Dataset<Row> rows = read(Map.of());

    assertThat(SharedSpark.text(rows.selectExpr("id", "_pos", "_bucket", "__paimon_row_index")))
        .containsExactly(
            "{\"id\":1,\"_pos\":0,\"_bucket\":0,\"__paimon_row_index\":0}",
            "{\"id\":2,\"_pos\":1,\"_bucket\":0,\"__paimon_row_index\":1}",
            "{\"id\":3,\"_pos\":2,\"_bucket\":0,\"__paimon_row_index\":2}");
    assertThat(rows.select("_file").first().getString(0))
        .startsWith("file:/")
        .contains("/bucket-0/")
        .isEqualTo(rows.select("__paimon_file_path").first().getString(0));
  }

  @Test
  void partitionOfARowIsAStruct() {
    spark
        .sql("SELECT 1 AS id, DATE'2024-01-31' AS dt, 'x' AS pt")
        .write()
        .format("keylake")
        .partitionBy("pt", "dt")
        .save(path());

    assertThat(SharedSpark.text(read(Map.of()).selectExpr("_partition", "id")))
        .containsExactly("{\"_partition\":{\"pt\":\"x\",\"dt\":\"2024-01-31\"},\"id\":1}");
  }
}
