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

import io.keylake.golden.GoldenTables;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables in which a key is found once whatever its partition. */
final class CrossPartitionSparkTest {
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
    return ReferenceTable.of(warehouse.toString(), "db", "t");
  }

  private void create(String properties) {
    spark.run(
        "CREATE TABLE t (k INT, p STRING, v INT, PRIMARY KEY (k) NOT ENFORCED)"
            + " PARTITIONED BY (p) TBLPROPERTIES ('dynamic-bucket.target-row-num' = '3'"
            + properties
            + ")");
  }

  private List<String> rows() {
    return spark.rows("SELECT k, p, v FROM t ORDER BY k, p");
  }

  private void assertSound() throws Exception {
    SameAsReference.check(spark, warehouse, "t");
  }

  @Test
  void keyMovesToThePartitionOfItsNewestRow() throws Exception {
    create("");
    spark.run(
        "INSERT INTO t VALUES (1, 'a', 1), (2, 'a', 2), (3, NULL, 3)",
        "INSERT INTO t VALUES (1, 'b', 10), (3, 'a', 30), (4, 'c', 4)");
    assertThat(rows()).containsExactly("1,b,10", "2,a,2", "3,a,30", "4,c,4");
    spark.run("INSERT INTO t VALUES (1, 'a', 11), (4, 'c', 44)");
    assertThat(rows()).containsExactly("1,a,11", "2,a,2", "3,a,30", "4,c,44");
    assertThat(spark.value("SELECT count(*) FROM t WHERE p = 'b'")).isEqualTo("0");
    assertSound();
  }

  @Test
  void rowsOfAKeyInOneStatementLeaveOne() throws Exception {
    create("");
    spark.run(
        "INSERT INTO t SELECT CAST(id % 5 AS INT), concat('p', id % 3), CAST(id AS INT)"
            + " FROM range(0, 60, 1, 1)",
        "INSERT INTO t SELECT CAST(id % 7 AS INT), concat('p', id % 4), CAST(id AS INT)"
            + " FROM range(0, 60, 1, 1)");
    assertThat(rows())
        .containsExactlyElementsOf(
            IntStream.range(0, 7)
                .mapToObj(k -> 53 + Math.floorMod(k - 53, 7))
                .sorted((a, b) -> a % 7 - b % 7)
                .map(id -> id % 7 + ",p" + id % 4 + "," + id)
                .toList());
    assertSound();
  }

  @Test
  void partialUpdateStaysWhereTheKeyIs() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, p STRING, a INT, b INT, PRIMARY KEY (k) NOT ENFORCED)"
            + " PARTITIONED BY (p) TBLPROPERTIES ('merge-engine' = 'partial-update')",
        "INSERT INTO t VALUES (1, 'x', 1, NULL), (2, 'x', 2, 2)",
        "INSERT INTO t VALUES (1, 'y', NULL, 5), (3, 'y', 3, 3), (3, 'z', 4, NULL)",
        "INSERT OVERWRITE t PARTITION (p = 'y') VALUES (1, 7, NULL), (9, 9, 9)");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k"))
        .containsExactly("1,x,7,5", "2,x,2,2", "9,y,9,9");
    assertSound();
  }

  @Test
  void aggregationAddsWhereTheKeyIs() throws Exception {
    create(", 'merge-engine' = 'aggregation', 'fields.v.aggregate-function' = 'sum'");
    spark.run(
        "INSERT INTO t VALUES (1, 'a', 1), (1, 'b', 2), (2, 'b', 5)",
        "INSERT INTO t VALUES (1, 'c', 4), (2, 'a', 1)",
        "UPDATE t SET p = 'd', v = 3 WHERE k = 2",
        "DELETE FROM t WHERE k = 1",
        "INSERT INTO t VALUES (1, 'q', 8), (2, 'q', 1)");
    assertThat(rows()).containsExactly("1,q,8", "2,d,4");
    assertSound();
  }

  @Test
  void firstRowDropsKnownKeys() throws Exception {
    create(", 'merge-engine' = 'first-row'");
    spark.run(
        "INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2)",
        "INSERT INTO t VALUES (1, 'c', 9), (2, 'b', 9), (3, 'a', 3), (3, 'b', 4)");
    assertThat(spark.rows("SELECT k, p IN ('a', 'b') FROM t ORDER BY k"))
        .containsExactly("1,true", "2,true", "3,true");
    assertThat(spark.rows("SELECT k, p, v FROM t WHERE k < 3 ORDER BY k"))
        .containsExactly("1,a,1", "2,b,2");
    spark.run("UPDATE t SET p = 'z' WHERE k = 1", "INSERT INTO t VALUES (1, 'a', 5)");
    assertThat(spark.rows("SELECT k, p, v FROM t WHERE k = 1")).containsExactly("1,z,1");
  }

  @Test
  void rowLevelStatementsFindTheRows() throws Exception {
    create("");
    spark.run(
        "INSERT INTO t SELECT id, concat('p', id % 3), id FROM range(30)",
        "UPDATE t SET p = 'moved', v = v + 100 WHERE k % 10 = 3",
        "UPDATE t SET v = -1 WHERE p = 'p0' AND k < 10",
        "DELETE FROM t WHERE k >= 20 AND k % 10 <> 3",
        "ALTER TABLE t SET TBLPROPERTIES ('row-level.key-update' = 'move')",
        "UPDATE t SET k = 40 - k WHERE k < 5");
    assertThat(spark.value("SELECT count(*) = count(DISTINCT k) FROM t")).isEqualTo("true");
    assertThat(spark.rows("SELECT k, v FROM t WHERE p = 'moved' ORDER BY k"))
        .containsExactly("13,113", "23,123", "37,103");
    assertThat(spark.rows("SELECT k, v FROM t WHERE p = 'p0' ORDER BY k"))
        .containsExactly("6,-1", "9,-1", "12,12", "15,15", "18,18", "40,-1");
    assertSound();
    spark.run(
        "MERGE INTO t USING (SELECT id AS k, 'm' AS p, 7 AS v FROM range(10, 16)) s ON t.k = s.k"
            + " WHEN MATCHED AND s.k % 2 = 0 THEN UPDATE SET * WHEN MATCHED THEN DELETE"
            + " WHEN NOT MATCHED THEN INSERT *",
        "MERGE INTO t USING (SELECT id AS k, 'n' AS p, 8 AS v FROM range(100, 103)) s ON t.k = s.k"
            + " WHEN NOT MATCHED THEN INSERT *");
    assertThat(spark.rows("SELECT k, v FROM t WHERE p IN ('m', 'n') ORDER BY k"))
        .containsExactly("10,7", "12,7", "14,7", "100,8", "101,8", "102,8");
    assertSound();
    assertThatThrownBy(
            () ->
                spark.run(
                    "MERGE INTO t USING (SELECT * FROM VALUES (500, 'a', 1), (500, 'b', 2)"
                        + " AS s(k, p, v)) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = 0"
                        + " WHEN NOT MATCHED THEN INSERT *"))
        .hasStackTraceContaining("KEYLAKE_DUPLICATE_KEY");
  }

  @Test
  void overwritingAPartitionTakesItsKeysFromOthers() throws Exception {
    create("");
    spark.run(
        "INSERT INTO t SELECT id, concat('p', id % 3), id FROM range(12)",
        "INSERT OVERWRITE t PARTITION (p = 'p0') VALUES (1, 10), (3, 30), (50, 5)");
    assertThat(rows())
        .containsExactly(
            "1,p0,10",
            "2,p2,2",
            "3,p0,30",
            "4,p1,4",
            "5,p2,5",
            "7,p1,7",
            "8,p2,8",
            "10,p1,10",
            "11,p2,11",
            "50,p0,5");
    assertSound();
    spark.run("INSERT OVERWRITE t VALUES (1, 'x', 1), (7, 'y', 1)");
    assertThat(rows()).containsExactly("1,x,1", "7,y,1");
    assertSound();
  }

  @Test
  void compactionLeavesEveryKeyOnce() throws Exception {
    create(", 'write-only' = 'false', 'num-sorted-run.compaction-trigger' = '2'");
    for (int i = 0; i < 4; i++) {
      spark.run(
          "INSERT INTO t SELECT id, concat('p', (id + " + i + ") % 3), " + i + " FROM range(20)");
      assertSound();
    }
    spark.run("CALL lake.sys.compact(table => 'db.t', compact_strategy => 'full')");
    assertThat(spark.value("SELECT count(*) FROM t WHERE v = 3 AND p = concat('p', k % 3)"))
        .isEqualTo("20");
    assertThat(spark.value("SELECT sum(record_count) FROM `t$files`")).isEqualTo("20");
    assertSound();
  }

  @Test
  void deletionVectorsFollowTheKey() throws Exception {
    create(", 'deletion-vectors.enabled' = 'true'");
    spark.run(
        "INSERT INTO t SELECT id, concat('p', id % 3), 1 FROM range(9)",
        "CALL lake.sys.compact(table => 'db.t')",
        "INSERT INTO t SELECT id, 'p0', 2 FROM range(5)",
        "UPDATE t SET p = 'p1' WHERE k = 0",
        "CALL lake.sys.compact(table => 'db.t')");
    assertThat(spark.value("SELECT count(*) = 9 AND count(DISTINCT k) = 9 FROM t"))
        .isEqualTo("true");
    assertThat(spark.value("SELECT count(*) FROM t WHERE p = 'p0'")).isEqualTo("5");
    assertSound();
  }

  @Test
  void keyMayHoldSomePartitionColumns() throws Exception {
    spark.run(
        "CREATE TABLE t (k STRING, p INT, q INT, v INT, PRIMARY KEY (k, q) NOT ENFORCED)"
            + " PARTITIONED BY (p, q)",
        "INSERT INTO t VALUES ('long enough key', 1, 1, 1), ('long enough key', 1, 2, 2)",
        "INSERT INTO t VALUES ('long enough key', 2, 2, 3), ('b', 1, 1, 4)");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k, q"))
        .containsExactly("b,1,1,4", "long enough key,1,1,1", "long enough key,2,2,3");
    assertSound();
  }

  @Test
  void oldFilesAreForgottenWhereTheTableSaysSo() {
    create(", 'cross-partition-upsert.index-ttl' = '1 d'");
    spark.run(
        "INSERT INTO t VALUES (1, 'a', 1)",
        "INSERT INTO t VALUES (1, 'b', 2)",
        "ALTER TABLE t SET TBLPROPERTIES ('cross-partition-upsert.index-ttl' = '0 s')",
        "INSERT INTO t VALUES (1, 'c', 3)");
    assertThat(rows()).containsExactly("1,b,2", "1,c,3");
    // Not sound: the key is in two partitions, as the option says.
    spark.run("DROP TABLE t");
  }

  @Test
  void tableOfTheReferenceIsContinued() throws Exception {
    Path database = Files.createDirectories(warehouse.resolve("db.db"));
    GoldenTables.unpack("cross_partition", database);
    Files.move(database.resolve("cross_partition"), database.resolve("t"));
    List<String> before = spark.rows("SELECT k FROM t ORDER BY k");
    spark.run("INSERT INTO t SELECT k, 'new', v FROM t");
    assertThat(spark.rows("SELECT k FROM t WHERE dt = 'new' ORDER BY k")).isEqualTo(before);
    assertSound();
    reference().write(List.of("{\"k\":1,\"dt\":\"again\",\"v\":\"r\"}"));
    assertSound();
    spark.run("INSERT INTO t VALUES (1, 'last', 'w')");
    assertThat(spark.rows("SELECT dt, v FROM t WHERE k = 1")).containsExactly("last,w");
    assertSound();
  }

  @Test
  void whatCannotBeIsRefusedByName() {
    assertThatThrownBy(() -> create(", 'sequence.field' = 'v'"))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("'sequence.field'");
    assertThatThrownBy(() -> create(", 'ignore-delete' = 'true'"))
        .hasMessageContaining("'ignore-delete'");
    create("");
    spark.run("INSERT INTO t VALUES (1, 'a', 1)");
    assertThatThrownBy(() -> spark.session().table("t").writeTo("t").overwritePartitions())
        .hasStackTraceContaining("KEYLAKE_UNSUPPORTED_OPERATION");
    assertThat(rows()).containsExactly("1,a,1");
  }

  @Test
  void writersAtTheSameTimeNeverDoubleAKey() throws Exception {
    create("");
    ExecutorService writers = Executors.newFixedThreadPool(2);
    try {
      List<Callable<Integer>> jobs =
          IntStream.range(0, 2).<Callable<Integer>>mapToObj(i -> () -> insertAll(i)).toList();
      for (Future<Integer> job : writers.invokeAll(jobs)) {
        assertThat(job.get()).as("tries that lost and were repeated").isBetween(0, 40);
      }
    } finally {
      writers.shutdownNow();
    }
    assertThat(spark.rows("SELECT count(*), count(DISTINCT k), min(k), max(k) FROM t"))
        .containsExactly("20,20,0,19");
    assertSound();
  }

  /** Inserts in four steps, each again until it succeeds; how often one failed. */
  private int insertAll(int writer) {
    SharedSpark own = SharedSpark.over(warehouse);
    List<String> failures = new ArrayList<>();
    for (int step = 0; step < 4; step++) {
      String statement =
          "INSERT INTO t SELECT CAST(id AS INT), 'w%d', %d FROM range(20)".formatted(writer, step);
      while (!succeeds(own, statement, failures)) {
        assertThat(failures).as("tries").hasSizeLessThan(20);
      }
    }
    return failures.size();
  }

  private static boolean succeeds(SharedSpark own, String statement, List<String> failures) {
    try {
      own.run(statement);
      return true;
    } catch (Exception e) {
      assertThat(e).hasStackTraceContaining("KEYLAKE_CONCURRENT_MODIFICATION");
      failures.add(e.getMessage());
      return false;
    }
  }
}
