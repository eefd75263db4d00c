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

package io.keylake.catalog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.SharedSpark;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamSinkSparkTest {
  private static final String T = "lake.db.t";
  private static final String KV = "k INT, v STRING";

  @TempDir private Path folder;
  private SharedSpark spark;
  private JsonStream stream;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(folder.resolve("w"));
    spark.session().conf().set("spark.sql.jsonGenerator.ignoreNullFields", "false");
    stream = new JsonStream(spark, folder.resolve("s"));
  }

  private static String kv(int k, String v) {
    return "{\"k\": %d, \"v\": \"%s\"}".formatted(k, v);
  }

  private void createKeyed(String properties) {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '2'"
            + properties
            + ")");
  }

  private StreamingQuery run() throws Exception {
    return stream.run(stream.rows(KV).writeStream(), T);
  }

  private List<String> rows() {
    return spark.rows("SELECT * FROM t ORDER BY ALL");
  }

  private List<String> commits() {
    return spark.rows(
        "SELECT commit_kind, commit_identifier FROM `t$snapshots` ORDER BY snapshot_id");
  }

  private Path table() {
    return folder.resolve("w/db.db/t");
  }

  private void assertSound() throws Exception {
    SoundTable.checkEverything(table());
    ReferenceTable reference = ReferenceTable.of(folder.resolve("w").toString(), "db", "t");
    assertThat(reference.problems()).isEmpty();
    assertThat(spark.sql("SELECT * FROM t").toJSON().collectAsList())
        .containsExactlyInAnyOrderElementsOf(reference.rows());
  }

  private long dataFiles() throws IOException {
    try (Stream<Path> files = Files.walk(table())) {
      return files.filter(file -> file.getFileName().toString().startsWith("data-")).count();
    }
  }

  @Test
  void eachEpochIsOneSnapshotOfTheQuery() throws Exception {
    spark.run("CREATE TABLE t (k INT, v STRING)");
    stream.put(kv(1, "a"), kv(2, "b")).put(kv(1, "c")).put(kv(3, "d"));

    StreamingQuery query = run();

    assertThat(rows()).containsExactly("1,a", "1,c", "2,b", "3,d");
    assertThat(commits()).containsExactly("APPEND,0", "APPEND,1", "APPEND,2");
    assertThat(spark.rows("SELECT DISTINCT commit_user FROM `t$snapshots`"))
        .containsExactly(query.id().toString());
    assertThat(query.lastProgress().sink().numOutputRows()).isEqualTo(1);
    assertThat(query.lastProgress().sink().metrics())
        .containsEntry("snapshotId", "3")
        .containsEntry("rowsAdded", "1")
        .containsEntry("filesAdded", "1");
    assertSound();
  }

  @Test
  void repeatedEpochIsNotWrittenAgain() throws Exception {
    createKeyed("");
    stream.put(kv(1, "a")).put(kv(2, "b"));
    run();
    long files = dataFiles();
    stream.forgetEnd(1);

    run();

    assertThat(commits()).containsExactly("APPEND,0", "APPEND,1");
    assertThat(dataFiles()).isEqualTo(files);
    stream.put(kv(1, "c"));
    run();
    assertThat(rows()).containsExactly("1,c", "2,b");
    assertThat(commits()).containsExactly("APPEND,0", "APPEND,1", "APPEND,2");
    assertSound();
  }

  @Test
  void epochWithoutRowsLeavesNoSnapshotUnlessAskedFor() throws Exception {
    createKeyed("");
    stream.put(kv(1, "a")).put(kv(-1, "x")).put(kv(2, "b"));
    Dataset<Row> rows = stream.rows(KV).filter("k > 0");

    stream.run(rows.writeStream(), T);
    assertThat(commits()).containsExactly("APPEND,0", "APPEND,2");

    stream.put(kv(-1, "x"));
    stream.run(rows.writeStream().option("snapshot.ignore-empty-commit", "false"), T);
    assertThat(commits()).containsExactly("APPEND,0", "APPEND,2", "APPEND,3");
  }

  @Test
  void completeModeReplacesTheTableInOneSnapshot() throws Exception {
    spark.run("CREATE TABLE t (v STRING, n BIGINT)");
    stream.put(kv(1, "a"), kv(2, "b")).put(kv(3, "a"));
    Dataset<Row> counts = stream.rows(KV).groupBy("v").agg(functions.count("*").as("n"));

    stream.run(counts.writeStream().outputMode("complete"), T);

    assertThat(rows()).containsExactly("a,2", "b,1");
    assertThat(commits()).containsExactly("OVERWRITE,0", "OVERWRITE,1");
    stream.forgetEnd(1);
    stream.run(counts.writeStream().outputMode("complete"), T);
    assertThat(commits()).containsExactly("OVERWRITE,0", "OVERWRITE,1");
    assertSound();
  }

  @Test
  void updateModeUpsertsByTheKey() throws Exception {
    spark.run("CREATE TABLE t (v STRING, n BIGINT, PRIMARY KEY (v) NOT ENFORCED)");
    stream.put(kv(1, "a"), kv(2, "b")).put(kv(3, "a")).put(kv(4, "c"), kv(5, "c"));
    Dataset<Row> counts = stream.rows(KV).groupBy("v").agg(functions.count("*").as("n"));

    stream.run(counts.writeStream().outputMode("update"), T);

    assertThat(rows()).containsExactly("a,2", "b,1", "c,2");
    assertSound();
  }

  @Test
  void updateModeNeedsAKey() {
    spark.run("CREATE TABLE t (v STRING, n BIGINT)");
    stream.put(kv(1, "a"));
    Dataset<Row> counts = stream.rows(KV).groupBy("v").agg(functions.count("*").as("n"));

    assertThatThrownBy(() -> stream.run(counts.writeStream().outputMode("update"), T))
        .hasMessageContaining("KEYLAKE_UNSUPPORTED_OPERATION")
        .hasMessageContaining("Output mode 'update'");
    assertThat(rows()).isEmpty();
  }

  @Test
  void columnsAreFoundByNameCastAndCompleted() throws Exception {
    spark.run(
        "CREATE TABLE t (k BIGINT, v STRING, d INT DEFAULT 7, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket' = '3')");
    for (int i = 0; i < 3; i++) {
      stream.put(kv(1, "a" + i), kv(2, "b" + i), kv(3, "c" + i), kv(40, "d" + i));
    }

    stream.run(stream.rows(KV).selectExpr("v AS V", "k").writeStream(), T);

    assertThat(rows()).containsExactly("1,a2,7", "2,b2,7", "3,c2,7", "40,d2,7");
    assertSound();
  }

  @Test
  void missingKeyAndUnknownColumnAreNamed() {
    createKeyed("");
    stream.put(kv(1, "a"));

    assertThatThrownBy(() -> stream.run(stream.rows(KV).select("v").writeStream(), T))
        .hasMessageContaining("KEYLAKE_COLUMN_NOT_FOUND")
        .hasMessageContaining("no column 'k'");
    assertThatThrownBy(
            () -> stream.run(stream.rows(KV).selectExpr("k", "v", "1 AS more").writeStream(), T))
        .hasMessageContaining("more");
  }

  @Test
  void kindsComeFromAColumn() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, op STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES"
            + " ('bucket' = '1')");
    stream
        .put("{\"k\": 1, \"v\": \"a\", \"op\": \"+I\"}", "{\"k\": 2, \"v\": \"b\", \"op\": \"+I\"}")
        .put("{\"k\": 1, \"v\": \"a\", \"op\": \"-D\"}");

    stream.run(
        stream.rows("k INT, v STRING, op STRING").writeStream().option("row-kind-column", "op"), T);

    assertThat(rows()).containsExactly("2,b,+I");
  }

  @Test
  void someColumnsOfRowsAreSet() throws Exception {
    createKeyed("");
    spark.run("ALTER TABLE t ADD COLUMN n INT", "INSERT INTO t VALUES (1, 'a', 10)");
    stream.put(kv(1, "b"));

    stream.run(stream.rows(KV).writeStream().option("upsert.partial-column.name", "v"), T);

    assertThat(rows()).containsExactly("1,b,10");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRIMARY KEY (p, k) NOT ENFORCED) PARTITIONED BY (p) TBLPROPERTIES ('bucket' = '-1'",
        "PRIMARY KEY (k) NOT ENFORCED) PARTITIONED BY (p) TBLPROPERTIES ('bucket' = '-1'",
        "PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '-2'",
        "PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '2', 'deletion-vectors.enabled' ="
            + " 'true'",
        "o INT) TBLPROPERTIES ('bucket' = '2', 'bucket-key' = 'k'",
        "o INT) PARTITIONED BY (p) TBLPROPERTIES ('bucket' = '-1'"
      })
  void everyKindOfBucketTakesEpochs(String rest) throws Exception {
    boolean keyed = rest.startsWith("PRIMARY");
    spark.run("CREATE TABLE t (k INT, p STRING, v INT, " + rest + ")");
    for (int epoch = 0; epoch < 3; epoch++) {
      String[] rows = new String[12];
      for (int i = 0; i < rows.length; i++) {
        int k = i + 6 * epoch;
        rows[i] = "{\"k\": %d, \"p\": \"p%d\", \"v\": %d}".formatted(k, k % 2, epoch);
      }
      stream.put(rows);
    }

    stream.run(stream.rows("k INT, p STRING, v INT").writeStream(), T);
    stream.forgetEnd(2);
    stream.run(stream.rows("k INT, p STRING, v INT").writeStream(), T);

    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo(keyed ? "24" : "36");
    assertThat(spark.value("SELECT sum(k * 10 + v) FROM t"))
        .isEqualTo(
            spark.value(
                keyed
                    ? "SELECT sum(id * 10 + if(id < 6, 0, if(id < 12, 1, 2))) FROM range(24)"
                    : "SELECT sum((e * 6 + i) * 10 + e) FROM (SELECT a.id AS e, b.id AS i FROM"
                        + " range(3) a, range(12) b)"));
    assertSound();
  }

  @Test
  void columnsThatTheQueryAddsAreMerged() throws Exception {
    createKeyed(", 'write.merge-schema' = 'true'");
    stream.put(kv(1, "a"));
    run();
    stream.put("{\"k\": 2, \"v\": \"b\", \"n\": 5}");

    stream.run(stream.rows("k BIGINT, v STRING, n INT").writeStream(), T);

    assertThat(rows()).containsExactly("1,a,null", "2,b,5");
    assertSound();
  }

  @Test
  void columnThatIsAddedMeanwhileIsFilledByTheRunningQuery() throws Exception {
    createKeyed("");
    stream.put(kv(1, "a")).put(kv(2, "b"));
    StreamingQuery query =
        stream
            .rows(KV)
            .writeStream()
            .option("checkpointLocation", stream.checkpoint().toString())
            .toTable(T);
    query.processAllAvailable();
    spark.run("ALTER TABLE t ADD COLUMN n INT DEFAULT 3");
    stream.put(kv(4, "d"));
    query.processAllAvailable();
    query.stop();

    assertThat(rows()).containsExactly("1,a,3", "2,b,3", "4,d,3");
  }

  @Test
  void watermarkOfTheQueryOrOfAColumnIsStored() throws Exception {
    spark.run("CREATE TABLE t (k INT, e TIMESTAMP)", "CREATE TABLE u (k INT, e TIMESTAMP)");
    stream
        .put("{\"k\": 1, \"e\": \"2024-01-01 00:10:00\"}")
        .put("{\"k\": 2, \"e\": \"2024-01-01 00:20:00\"}");
    Dataset<Row> rows = stream.rows("k INT, e TIMESTAMP");

    stream.run(rows.withWatermark("e", "1 minute").writeStream(), T);
    new JsonStream(spark, folder.resolve("s2"))
        .run(
            rows.writeStream().option("watermark-column", "e").option("watermark-delay", "2 min"),
            "lake.db.u");

    assertThat(watermarks("t")).containsExactly("null", "2024-01-01 00:09:00");
    assertThat(watermarks("u")).containsExactly("2024-01-01 00:08:00", "2024-01-01 00:18:00");
  }

  private List<String> watermarks(String name) {
    return spark.rows(
        "SELECT date_format(timestamp_millis(watermark), 'yyyy-MM-dd HH:mm:ss') FROM `"
            + name
            + "$snapshots` ORDER BY snapshot_id");
  }

  @Test
  void compactionHappensInEverySoManyEpochs() throws Exception {
    createKeyed(", 'compaction.delta-commits' = '3', 'num-sorted-run.compaction-trigger' = '1'");
    for (int i = 0; i < 6; i++) {
      stream.put(kv(1, "a" + i), kv(2, "b" + i));
    }

    run();

    assertThat(commits())
        .containsExactly(
            "APPEND,0",
            "APPEND,1",
            "APPEND,2",
            "COMPACT,2",
            "APPEND,3",
            "APPEND,4",
            "APPEND,5",
            "COMPACT,5");
    assertThat(rows()).containsExactly("1,a5", "2,b5");
    assertSound();
  }

  @Test
  void fullCompactionHappensInEverySoManyEpochs() throws Exception {
    createKeyed(", 'full-compaction.delta-commits' = '2'");
    for (int i = 0; i < 4; i++) {
      stream.put(kv(1, "a" + i), kv(2, "b" + i));
    }

    run();

    assertThat(commits())
        .containsExactly("APPEND,0", "APPEND,1", "COMPACT,1", "APPEND,2", "APPEND,3", "COMPACT,3");
    assertThat(spark.rows("SELECT DISTINCT level FROM `t$files`")).containsExactly("5");
  }

  @Test
  void staticSideOfAJoinIsTheNewestOfEachEpoch() throws Exception {
    spark.run("CREATE TABLE t (k INT, v STRING, n INT)", "CREATE TABLE names (k INT, n INT)");
    spark.run("INSERT INTO names VALUES (1, 10)");
    stream.put(kv(1, "a"));
    Dataset<Row> joined = stream.rows(KV).join(spark.session().table("names"), "k");
    StreamingQuery query =
        joined
            .writeStream()
            .option("checkpointLocation", stream.checkpoint().toString())
            .toTable(T);
    query.processAllAvailable();
    spark.run("INSERT OVERWRITE names VALUES (1, 11)");
    stream.put(kv(1, "b"));
    query.processAllAvailable();
    query.stop();

    assertThat(rows()).containsExactly("1,a,10", "1,b,11");
  }

  @Test
  void tableIsMadeWhenItIsMissing() throws Exception {
    stream.put(kv(1, "a")).put(kv(2, "b"));

    stream.run(stream.rows(KV).writeStream().format("keylake").partitionBy("v"), T);

    assertThat(rows()).containsExactly("1,a", "2,b");
    assertThat(spark.rows("SHOW PARTITIONS t")).containsExactly("v=a", "v=b");
  }

  @Test
  void pathIsWrittenAndMadeWhenItIsMissing() throws Exception {
    String path = folder.resolve("p").toString();
    stream.put(kv(1, "a")).put(kv(2, "b")).put(kv(1, "c"));

    for (int round = 0; round < 2; round++) {
      stream
          .rows(KV)
          .writeStream()
          .format("keylake")
          .option("primary-key", "k")
          .option("bucket", "2")
          .option("checkpointLocation", stream.checkpoint().toString())
          .trigger(Trigger.AvailableNow())
          .start(path)
          .awaitTermination();
      stream.put(kv(5, "e"));
    }

    assertThatThrownBy(
            () -> spark.session().readStream().format("keylake").load(path + "x").isStreaming())
        .hasMessageContaining("KEYLAKE_REFERENCE_NOT_FOUND");
    assertThat(spark.session().read().format("keylake").load(path).toJSON().collectAsList())
        .containsExactlyInAnyOrder(
            "{\"k\":1,\"v\":\"c\"}", "{\"k\":2,\"v\":\"b\"}", "{\"k\":5,\"v\":\"e\"}");
    SoundTable.checkEverything(Path.of(path));
  }

  @Test
  void unknownOptionValuesAreRefused() {
    createKeyed("");
    stream.put(kv(1, "a"));
    for (Map.Entry<String, String> option :
        Map.of("watermark-column", "v", "compaction.delta-commits", "0").entrySet()) {
      assertThatThrownBy(
              () ->
                  stream.run(
                      stream.rows(KV).writeStream().option(option.getKey(), option.getValue()), T))
          .hasMessageContaining("KEYLAKE_INVALID_OPTION")
          .hasMessageContaining(option.getKey());
    }
  }
}
