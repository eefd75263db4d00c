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

import io.keylake.reference.ReferenceTable;
import java.io.IOException;
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

/** Writes compact the buckets they wrote, when it is time. */
final class CompactingWriteSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse, HookedFileSystem.OPTIONS);
  }

  @AfterEach
  void unhook() {
    HookedFileSystem.unhook();
  }

  private void create(String options) {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ("
            + options
            + ")");
  }

  private void upsert(int times) {
    for (int i = 0; i < times; i++) {
      spark.run("INSERT INTO t SELECT CAST(id AS INT), 'v" + i + "' FROM range(" + i + ", 100)");
    }
  }

  private List<String> kinds() {
    return spark.rows("SELECT commit_kind FROM `t$snapshots` ORDER BY snapshot_id");
  }

  private List<String> levels() {
    return spark.rows(
        "SELECT level, count(*), sum(record_count) FROM `t$files` GROUP BY level ORDER BY level");
  }

  private List<String> values() {
    return spark.rows("SELECT v, count(*) FROM t GROUP BY v ORDER BY v");
  }

  private void assertSound() throws Exception {
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"'bucket' = '2'", "'dynamic-bucket.target-row-num' = '50'"})
  void fifthRunOfABucketCompactsIt(String buckets) throws Exception {
    create(buckets);
    upsert(4);
    assertThat(kinds()).containsExactly("APPEND", "APPEND", "APPEND", "APPEND");
    spark.run("INSERT INTO t SELECT CAST(id AS INT), 'v4' FROM range(4, 100)");
    assertThat(kinds()).hasSize(6).endsWith("APPEND", "COMPACT");
    assertThat(levels()).hasSize(1).first().asString().matches("5,[24],100");
    assertThat(values()).containsExactly("v0,1", "v1,1", "v2,1", "v3,1", "v4,96");
    assertThat(spark.value("SELECT count(*) FROM t VERSION AS OF 5 WHERE v = 'v4'"))
        .isEqualTo("96");
    assertSound();
    upsert(9);
    assertThat(values()).first().isEqualTo("v0,1");
    assertSound();
  }

  @Test
  void writeOnlyTablesAreNeverCompactedByWrites() {
    create("'bucket' = '1', 'write-only' = 'true'");
    upsert(7);
    assertThat(kinds()).hasSize(7).containsOnly("APPEND");
    assertThat(levels()).hasSize(1).first().asString().startsWith("0,7,");
    spark.run("INSERT INTO t WITH ('write-only' = 'false') VALUES (1, 'x')");
    assertThat(kinds()).hasSize(9).last().isEqualTo("COMPACT");
    assertThat(levels()).containsExactly("5,1,100");
  }

  @Test
  void fullCompactionAfterEveryWriteWhenAsked() throws Exception {
    create("'bucket' = '1', 'full-compaction.delta-commits' = '3'");
    upsert(2);
    assertThat(kinds()).containsExactly("APPEND", "COMPACT", "APPEND", "COMPACT");
    assertThat(levels()).containsExactly("5,1,100");
    assertThat(values()).containsExactly("v0,1", "v1,99");
    assertSound();
  }

  @Test
  void deletionVectorsMarkOlderRowsAtEveryWrite() throws Exception {
    create("'bucket' = '1', 'deletion-vectors.enabled' = 'true'");
    upsert(3);
    assertThat(kinds())
        .containsExactly("APPEND", "COMPACT", "APPEND", "COMPACT", "APPEND", "COMPACT");
    assertThat(values()).containsExactly("v0,1", "v1,1", "v2,98");
    assertThat(spark.value("SELECT count(*) FROM `t$files` WHERE level = 0")).isEqualTo("0");
    assertSound();
    spark.sql("CALL lake.sys.compact(table => 't')");
    assertThat(levels()).containsExactly("5,1,100");
    assertSound();
  }

  @Test
  void everyPartitionIsCompactedByItself() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING, p STRING, PRIMARY KEY (k, p) NOT ENFORCED) PARTITIONED BY"
            + " (p) TBLPROPERTIES ('bucket' = '2', 'num-sorted-run.compaction-trigger' = '3')",
        "INSERT INTO t SELECT CAST(id AS INT), 'a', 'p0' FROM range(0, 20)",
        "INSERT INTO t SELECT CAST(id AS INT), 'b', concat('p', id % 2) FROM range(0, 40)",
        "INSERT INTO t SELECT CAST(id AS INT), 'c', concat('p', id % 2) FROM range(0, 40)");
    assertThat(kinds()).containsExactly("APPEND", "APPEND", "APPEND", "COMPACT");
    assertThat(
            spark.rows(
                "SELECT `partition`, level, count(*) FROM `t$files` GROUP BY 1, 2 ORDER BY 1, 2"))
        .hasSize(2)
        .satisfiesExactly(
            first -> assertThat(first).endsWith(",3,2"),
            second -> assertThat(second).endsWith(",0,4"));
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v ORDER BY v"))
        .containsExactly("a,10", "c,40");
    assertSound();
  }

  @Test
  void overwritesStartAnew() throws Exception {
    create("'bucket' = '1', 'num-sorted-run.compaction-trigger' = '2'");
    upsert(1);
    spark.run("INSERT OVERWRITE t VALUES (1, 'x')", "INSERT OVERWRITE t VALUES (1, 'y')");
    assertThat(kinds()).containsExactly("APPEND", "OVERWRITE", "OVERWRITE");
    assertThat(values()).containsExactly("y,1");
    assertSound();
  }

  @Test
  void bucketsOfAppendTablesKeepTheOrderOfRows() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v STRING) TBLPROPERTIES ('bucket' = '1', 'bucket-key' = 'k',"
            + " 'compaction.min.file-num' = '3')",
        "INSERT INTO t VALUES (3, 'a'), (1, 'b')",
        "INSERT INTO t VALUES (2, 'c')",
        "INSERT INTO t VALUES (1, 'd')");
    assertThat(kinds()).containsExactly("APPEND", "APPEND", "APPEND", "COMPACT");
    assertThat(levels()).containsExactly("0,1,4");
    assertThat(spark.rows("SELECT k, v FROM t")).containsExactly("3,a", "1,b", "2,c", "1,d");
    assertSound();
  }

  @Test
  void appendTablesWithoutBucketsAreLeftAlone() {
    spark.run("CREATE TABLE t (k INT, v STRING)");
    upsert(7);
    assertThat(kinds()).hasSize(7).containsOnly("APPEND");
  }

  @Test
  void tablesByPathAreCompactedByOneTaskOfABucket() throws Exception {
    Path path = warehouse.resolve("db.db/t");
    for (int i = 0; i < 6; i++) {
      spark
          .session()
          .range(i, 100)
          .selectExpr("CAST(id AS INT) AS k", "'v" + i + "' AS v")
          .repartition(3)
          .write()
          .format("keylake")
          .option("primary-key", "k")
          .option("bucket", "2")
          .mode("append")
          .save(path.toString());
    }
    assertThat(kinds()).contains("COMPACT");
    assertThat(values()).containsExactly("v0,1", "v1,1", "v2,1", "v3,1", "v4,1", "v5,95");
    assertSound();
  }

  @Test
  void failedCompactionUndoesTheWrite() throws IOException {
    create("'bucket' = '2', 'num-sorted-run.compaction-trigger' = '2'");
    upsert(1);
    HookedFileSystem.hook(HookedFileSystem.failingAt(3));
    assertThatThrownBy(() -> spark.run("INSERT INTO t SELECT CAST(id AS INT), 'x' FROM range(100)"))
        .hasStackTraceContaining("no space");
    HookedFileSystem.unhook();
    assertThat(values()).containsExactly("v0,100");
    assertThat(kinds()).containsExactly("APPEND");
    try (Stream<Path> files = Files.walk(warehouse.resolve("db.db/t"))) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("data-")))
          .hasSize(2);
    }
  }

  @Test
  void droppedRowsOfTheSameStatementAreGone() throws Exception {
    create("'bucket' = '1', 'num-sorted-run.compaction-trigger' = '2'");
    spark.run("INSERT INTO t VALUES (1, 'a'), (1, 'b')", "INSERT INTO t VALUES (1, 'c'), (1, 'd')");
    assertThat(values()).containsExactly("d,1");
    assertThat(levels()).containsExactly("2,1,1");
    assertSound();
  }
}
