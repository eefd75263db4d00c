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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/** What Spark's planner leaves to a scan, and that rows stay right. */
final class PushDownSparkTest {
  @TempDir private static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void makeTables() {
    spark =
        SharedSpark.newSession(
            Map.of(
                "spark.sql.adaptive.enabled", "false",
                "spark.sql.optimizer.dynamicPartitionPruning.fallbackFilterRatio", "0.9"));
    for (int part = 0; part < 4; part++) {
      write(
          "SELECT id, 'v' || id AS v, named_struct('a', id, 'b', 'b' || id) AS s, 'p%d' AS pt FROM range(%d, %d)"
              .formatted(part, part * 10, part * 10 + 10),
          "append_parts",
          Map.of());
    }
    write(
        "SELECT id, id * 2 AS n, CAST(id AS DOUBLE) AS d FROM range(0, 100)",
        "keyed",
        Map.of("primary-key", "id", "bucket", "4"));
    write("SELECT 5L AS id, 500L AS n, 0D AS d", "keyed", Map.of());
    spark
        .read()
        .format("keylake")
        .load(folder.resolve("append_parts").toString())
        .createOrReplaceTempView("parts");
    spark
        .read()
        .format("keylake")
        .load(folder.resolve("keyed").toString())
        .createOrReplaceTempView("keyed");
  }

  private static void write(String select, String table, Map<String, String> options) {
    String mode = Files.exists(folder.resolve(table)) ? "append" : "errorifexists";
    var writer = spark.sql(select).write().format("keylake").mode(mode).options(options);
    (table.equals("append_parts") ? writer.partitionBy("pt") : writer)
        .save(folder.resolve(table).toString());
  }

  private static Dataset<Row> sql(String text) {
    return spark.sql(text);
  }

  private static SparkPlan executed(Dataset<Row> rows) {
    return ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution().executedPlan();
  }

  private static Optional<BatchScanExec> scan(Dataset<Row> rows) {
    return leaves(executed(rows)).stream()
        .filter(BatchScanExec.class::isInstance)
        .map(BatchScanExec.class::cast)
        .findFirst();
  }

  private static List<SparkPlan> leaves(SparkPlan plan) {
    return CollectionConverters.asJava(plan.collectLeaves());
  }

  private static long metric(Dataset<Row> executedRows, String name) {
    return scan(executedRows).orElseThrow().metrics().apply(name).value();
  }

  private static List<String> text(Dataset<Row> rows) {
    return SharedSpark.sortedText(rows);
  }

  @Test
  void partitionConditionsAreExact() {
    Dataset<Row> rows = sql("SELECT sum(length(v)) AS n FROM parts WHERE pt IN ('p1', 'p2')");

    assertThat(text(rows)).containsExactly("{\"n\":60}");
    assertThat(metric(rows, "keylakeFiles")).isEqualTo(2);
    assertThat(executed(rows).toString())
        .contains("pushed=[pt IN ('p1', 'p2')], residual=[]")
        .doesNotContain("Filter (");
  }

  @Test
  void conditionsOnPartitionsThatOnlySparkUnderstandsAreExactToo() {
    Dataset<Row> rows = sql("SELECT id FROM parts WHERE reverse(pt) LIKE '3%' AND id > 35");

    assertThat(text(rows))
        .containsExactly("{\"id\":36}", "{\"id\":37}", "{\"id\":38}", "{\"id\":39}");
    assertThat(metric(rows, "keylakeFiles")).isEqualTo(1);
    assertThat(executed(rows).toString()).contains("residual=[id IS NOT NULL, id > 35]");
  }

  @Test
  void conditionsOnValuesSkipFilesAndAreEvaluatedAgain() {
    Dataset<Row> rows = sql("SELECT v FROM parts WHERE id BETWEEN 18 AND 21");

    assertThat(text(rows))
        .containsExactly(
            "{\"v\":\"v18\"}", "{\"v\":\"v19\"}", "{\"v\":\"v20\"}", "{\"v\":\"v21\"}");
    assertThat(metric(rows, "keylakeFiles")).isEqualTo(2);
    assertThat(executed(rows).toString()).contains("Filter").contains("snapshot=4");
  }

  @Test
  void keyOfOneRowIsLookedForInItsBucketOnly() {
    Dataset<Row> rows = sql("SELECT n FROM keyed WHERE id = 7");

    assertThat(text(rows)).containsExactly("{\"n\":14}");
    Dataset<Row> all = sql("SELECT id FROM keyed");
    assertThat(all.count()).isEqualTo(100);
    assertThat(metric(rows, "keylakeFiles")).isLessThanOrEqualTo(2);
    assertThat(scan(all).orElseThrow().scan().description()).contains("residual=[]");
  }

  @Test
  void newerRowIsSeenThroughAConditionThatOnlyTheOlderOneFulfils() {
    assertThat(text(sql("SELECT id, n FROM keyed WHERE n = 10"))).isEmpty();
    assertThat(text(sql("SELECT id FROM keyed WHERE n = 500"))).containsExactly("{\"id\":5}");
    Dataset<Row> all = sql("SELECT sum(n) AS n FROM keyed WHERE d >= 0");
    assertThat(text(all)).containsExactly("{\"n\":10390}");
    assertThat(metric(all, "keylakeRowsMasked")).isEqualTo(1);
  }

  @Test
  void onlyTheWantedFieldsOfAStructAreRead() {
    Dataset<Row> rows = sql("SELECT s.b FROM parts WHERE pt = 'p0' AND id = 3");

    assertThat(text(rows)).containsExactly("{\"b\":\"b3\"}");
    assertThat(scan(rows).orElseThrow().scan().readSchema().catalogString())
        .isEqualTo("struct<id:bigint,s:struct<b:string>>");
  }

  @Test
  void countAndBoundsComeFromManifests() {
    Dataset<Row> rows =
        sql(
            "SELECT count(*) AS n, count(v) AS v, min(id) AS lo, max(id) AS hi, max(pt) AS pt"
                + " FROM parts WHERE pt > 'p0'");

    assertThat(text(rows)).containsExactly("{\"n\":30,\"v\":30,\"lo\":10,\"hi\":39,\"pt\":\"p3\"}");
    assertThat(scan(rows)).isEmpty();
    Dataset<Row> grouped = sql("SELECT pt, count(*) AS n, max(id) AS hi FROM parts GROUP BY pt");
    assertThat(text(grouped))
        .containsExactly(
            "{\"pt\":\"p0\",\"n\":10,\"hi\":9}",
            "{\"pt\":\"p1\",\"n\":10,\"hi\":19}",
            "{\"pt\":\"p2\",\"n\":10,\"hi\":29}",
            "{\"pt\":\"p3\",\"n\":10,\"hi\":39}");
    assertThat(scan(grouped)).isEmpty();
    assertThat(text(sql("SELECT count(*) AS n, max(id) AS hi FROM parts WHERE pt = 'none'")))
        .containsExactly("{\"n\":0,\"hi\":null}");
  }

  @Test
  void whatManifestsDoNotKnowIsRead() {
    for (String aggregate :
        List.of("max(v)", "min(s.a)", "count(DISTINCT id)", "max(id) FILTER (WHERE id < 5)")) {
      assertThat(scan(sql("SELECT " + aggregate + " FROM parts"))).as(aggregate).isPresent();
    }
    assertThat(scan(sql("SELECT count(*) FROM parts WHERE id > 3"))).isPresent();
    Dataset<Row> merged = sql("SELECT count(*) AS n, max(n) AS hi FROM keyed");
    assertThat(scan(merged)).isPresent();
    assertThat(text(merged)).containsExactly("{\"n\":100,\"hi\":500}");
    assertThat(scan(sql("SELECT max(d) FROM keyed"))).isPresent();
  }

  @Test
  void limitLeavesOutTasksThatAreNotNeeded() {
    Dataset<Row> all = sql("SELECT id FROM parts");
    Dataset<Row> some = sql("SELECT id FROM parts LIMIT 5");

    assertThat(some.collectAsList()).hasSize(5);
    assertThat(scan(all).orElseThrow().inputPartitions().size())
        .isGreaterThan(scan(some).orElseThrow().inputPartitions().size());
    assertThat(executed(some).toString()).contains("limit=5");
  }

  @Test
  void joinRestrictsPartitionsWhileTheQueryRuns() {
    Dataset<Row> rows =
        sql(
            "SELECT /*+ BROADCAST(d) */ count(v) AS n FROM parts JOIN (SELECT pt FROM parts WHERE"
                + " id = 25) d ON parts.pt = d.pt");

    assertThat(text(rows)).containsExactly("{\"n\":10}");
    assertThat(metric(rows, "keylakeFiles")).isEqualTo(1);
    assertThat(executed(rows).toString()).contains("pt IN ('p2')]");
  }

  @Test
  void sizeIsEstimatedFromRowsAndColumnsRead() {
    var stats =
        ((org.apache.spark.sql.classic.Dataset<Row>) sql("SELECT id FROM parts WHERE pt = 'p1'"))
            .queryExecution()
            .optimizedPlan()
            .stats();

    assertThat(stats.sizeInBytes().longValue()).isLessThan(1000);
    assertThat(stats.rowCount().get().longValue()).isEqualTo(10);
  }

  @Test
  void fullScanOfAPartitionedTableCanBeForbidden() {
    Dataset<Row> rows =
        spark
            .read()
            .format("keylake")
            .option("read.allow.fullScan", "false")
            .load(folder.resolve("append_parts").toString());

    assertThatThrownBy(() -> rows.filter("id = 1").collectAsList())
        .hasMessageContaining("KEYLAKE_INVALID_REQUEST")
        .hasMessageContaining("Add a condition on one of [pt]");
    assertThat(rows.filter("pt = 'p1'").collectAsList()).hasSize(10);
  }

  @Test
  void equalScansOfOneVersionAreEqual() {
    Dataset<Row> rows = sql("SELECT id FROM parts WHERE pt = 'p1' AND id > 12");
    Dataset<Row> same = sql("SELECT id FROM parts WHERE pt = 'p1' AND id > 12");
    Dataset<Row> other = sql("SELECT id FROM parts WHERE pt = 'p1' AND id > 13");

    assertThat(scan(rows).orElseThrow().batch()).isEqualTo(scan(same).orElseThrow().batch());
    assertThat(scan(rows).orElseThrow().batch()).isNotEqualTo(scan(other).orElseThrow().batch());
  }
}
