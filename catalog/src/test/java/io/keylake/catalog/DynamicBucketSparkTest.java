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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Primary-key tables that name no number of buckets. */
final class DynamicBucketSparkTest {
  private static final String KEYED =
      "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED)";

  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(warehouse);
  }

  private ReferenceTable reference(String table) {
    return ReferenceTable.of(warehouse.toString(), "db", table);
  }

  private void assertSound(String table) throws Exception {
    assertThat(reference(table).problems()).isEmpty();
    List<String> ours = spark.sql("SELECT * FROM " + table).toJSON().collectAsList();
    assertThat(ours).containsExactlyInAnyOrderElementsOf(reference(table).rows());
  }

  private List<String> buckets(String table) {
    return spark.rows("SELECT DISTINCT bucket FROM `" + table + "$files` ORDER BY bucket");
  }

  @Test
  void tableNeedsNoBucketNumber() throws Exception {
    spark.run(
        KEYED,
        "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (1, 'c')",
        "INSERT INTO t VALUES (2, 'd'), (3, NULL)");
    assertThat(spark.rows("SELECT * FROM t ORDER BY k")).containsExactly("1,c", "2,d", "3,null");
    assertThat(spark.rows("SELECT * FROM t VERSION AS OF 1 ORDER BY k"))
        .containsExactly("1,c", "2,b");
    assertThat(spark.rows("SELECT v FROM t WHERE k = 2")).containsExactly("d");
    assertThat(spark.value("SHOW CREATE TABLE t")).doesNotContain("'bucket'");
    assertThat(spark.rows("DESCRIBE TABLE t")).contains("k,int,null", "v,string,null");
    assertThat(spark.value("SELECT sum(record_count) FROM `t$buckets`")).isEqualTo("4");
    assertThat(reference("t").problems()).isEmpty();
  }

  @Test
  void keysNeverMoveWhateverTheNumberOfAssigners() throws Exception {
    spark.run(KEYED + " TBLPROPERTIES ('dynamic-bucket.target-row-num' = '7')");
    for (int assigners : new int[] {1, 4, 3, 2}) {
      spark.run(
          "ALTER TABLE t SET TBLPROPERTIES ('dynamic-bucket.initial-buckets' = '"
              + assigners
              + "')",
          "INSERT INTO t SELECT CAST(id * 13 % 101 AS INT), 'a"
              + assigners
              + "' FROM range(0, 60, 1, 3)");
      assertSound("t");
    }
    assertThat(spark.value("SELECT count(*) - count(DISTINCT k) FROM t")).isEqualTo("0");
    assertThat(buckets("t")).hasSizeGreaterThanOrEqualTo(8);
  }

  @Test
  void bucketThatSeveralTasksWriteIsCompactedByItsOwner() throws Exception {
    spark.run(
        KEYED
            + " TBLPROPERTIES ('dynamic-bucket.initial-buckets' = '1', 'write-only' = 'false',"
            + " 'num-sorted-run.compaction-trigger' = '2')",
        "INSERT INTO t SELECT CAST(id AS INT), 'a' FROM range(40)",
        "ALTER TABLE t SET TBLPROPERTIES ('dynamic-bucket.initial-buckets' = '4')",
        "INSERT INTO t SELECT CAST(id AS INT), 'b' FROM range(0, 40, 1, 4)",
        "INSERT INTO t SELECT CAST(id AS INT), 'c' FROM range(0, 44, 1, 4)");
    assertSound("t");
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v")).containsExactly("c,44");
    assertThat(spark.rows("SELECT DISTINCT commit_kind FROM `t$snapshots` ORDER BY 1"))
        .containsExactly("APPEND", "COMPACT");
  }

  @Test
  void everyKeyIsFoundInItsBucket() {
    spark.run(
        KEYED + " TBLPROPERTIES ('dynamic-bucket.target-row-num' = '5')",
        "INSERT INTO t SELECT CAST(id AS INT), 'x' FROM range(40)");
    for (int key = 0; key < 40; key += 9) {
      assertThat(spark.rows("SELECT k FROM t WHERE k = " + key)).containsExactly("" + key);
    }
    assertThat(spark.value("SELECT count(*) FROM t WHERE k IN (1, 11, 21, 99)")).isEqualTo("3");
  }

  @Test
  void optionsBoundTheBuckets() throws Exception {
    spark.run(
        KEYED
            + " TBLPROPERTIES ('dynamic-bucket.target-row-num' = '2',"
            + " 'dynamic-bucket.max-buckets' = '3')",
        "INSERT INTO t SELECT CAST(id AS INT), 'x' FROM range(100)",
        "INSERT INTO t SELECT CAST(id AS INT), 'y' FROM range(50, 150)");
    assertThat(buckets("t")).containsExactly("0", "1", "2");
    assertSound("t");
    spark.run("INSERT INTO t VALUES (1000, 'a')");
    assertThat(buckets("t")).containsExactly("0", "1", "2");
  }

  @Test
  void tableOfTheReferenceIsContinued() throws Exception {
    Path database = Files.createDirectories(warehouse.resolve("db.db"));
    GoldenTables.unpack("dyn_bucket", database);
    List<String> before = buckets("dyn_bucket");
    spark.run("INSERT INTO dyn_bucket SELECT p, k, concat(v, '!') FROM dyn_bucket");
    assertThat(buckets("dyn_bucket")).isEqualTo(before);
    assertThat(spark.value("SELECT count(*) FROM dyn_bucket WHERE v LIKE '%!'")).isEqualTo("100");
    assertSound("dyn_bucket");

    spark.run("INSERT INTO dyn_bucket SELECT id % 3, id, 'new' FROM range(90, 180)");
    assertSound("dyn_bucket");
    reference("dyn_bucket")
        .write(
            IntStream.range(100, 160)
                .mapToObj(k -> "{\"p\":" + k % 4 + ",\"k\":" + k + ",\"v\":\"r\"}")
                .toList());
    assertSound("dyn_bucket");
    spark.run("INSERT INTO dyn_bucket SELECT id % 4, id, 'last' FROM range(110, 190)");
    assertSound("dyn_bucket");
    assertThat(spark.value("SELECT count(*) FROM dyn_bucket WHERE v = 'last'")).isEqualTo("80");
  }

  @Test
  void overwritingStartsAnEmptyIndex() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, p STRING, v INT, PRIMARY KEY (p, k) NOT ENFORCED)"
            + " PARTITIONED BY (p) TBLPROPERTIES ('dynamic-bucket.target-row-num' = '3')",
        "INSERT INTO t SELECT id % 20, concat('p', id % 2), id FROM range(40)",
        "INSERT OVERWRITE t PARTITION (p = 'p0') SELECT id, 1 FROM range(100, 103)");
    assertSound("t");
    assertThat(
            spark.value(
                "SELECT count(DISTINCT bucket) <= 3 FROM `t$files` WHERE partition = '{p0}'"))
        .isEqualTo("true");
    spark.run("INSERT INTO t SELECT id, 'p0', 2 FROM range(0, 110)");
    assertSound("t");
    spark.run("INSERT OVERWRITE t VALUES (7, 'p9', 0)");
    assertSound("t");
    assertThat(buckets("t")).hasSize(1);
    spark.run("TRUNCATE TABLE t", "INSERT INTO t VALUES (7, 'p9', 1), (8, 'p9', 1)");
    assertThat(spark.rows("SELECT k, p, v FROM t ORDER BY k")).containsExactly("7,p9,1", "8,p9,1");
    assertSound("t");
  }

  @Test
  void tablesMadeOfQueriesHaveDynamicBuckets() throws Exception {
    String properties =
        " TBLPROPERTIES ('primary-key' = 'k', 'dynamic-bucket.target-row-num' = '4')";
    spark.run("CREATE TABLE t" + properties + " AS SELECT id AS k, 'a' AS v FROM range(20)");
    assertSound("t");
    spark.run("INSERT INTO t SELECT id, 'b' FROM range(10, 30)");
    assertSound("t");
    spark.run(
        "CREATE OR REPLACE TABLE t"
            + properties
            + " AS SELECT id + 5 AS k, 'c' AS v FROM range(6)");
    assertSound("t");
    spark.run(
        "REPLACE TABLE t" + properties + " AS SELECT id + 1 AS k, 'd' AS v FROM range(30)",
        "INSERT INTO t SELECT id, 'e' FROM range(10)");
    assertSound("t");
    assertThat(spark.value("SELECT count(*) FROM t")).isEqualTo("31");
  }

  @Test
  void bucketNumberIsFixedOnceThereIsData() {
    spark.run(KEYED, "ALTER TABLE t SET TBLPROPERTIES ('bucket' = '2')");
    spark.run("ALTER TABLE t UNSET TBLPROPERTIES ('bucket')", "INSERT INTO t VALUES (1, 'a')");
    assertThatThrownBy(() -> spark.run("ALTER TABLE t SET TBLPROPERTIES ('bucket' = '2')"))
        .hasMessageContaining("KEYLAKE_IMMUTABLE_OPTION")
        .hasMessageContaining("'bucket'");
    assertThatThrownBy(
            () ->
                spark.run(
                    "CREATE TABLE u (k INT NOT NULL) TBLPROPERTIES"
                        + " ('primary-key' = 'k', 'bucket-key' = 'k')"))
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("'bucket-key'");
  }

  @Test
  void sessionCatalogHasDynamicBucketsToo() {
    SharedSpark session = SharedSpark.inSessionCatalog(warehouse);
    session.run(
        "CREATE TABLE dynamic_t (k INT NOT NULL, v STRING) USING keylake"
            + " TBLPROPERTIES ('primary-key' = 'k', 'dynamic-bucket.target-row-num' = '3')",
        "INSERT INTO dynamic_t SELECT CAST(id AS INT), 'a' FROM range(20)",
        "INSERT INTO dynamic_t SELECT CAST(id AS INT), 'b' FROM range(10, 25)");
    assertThat(session.rows("SELECT v, count(*) FROM dynamic_t GROUP BY v ORDER BY v"))
        .containsExactly("a,10", "b,15");
    session.run("DROP TABLE dynamic_t");
  }

  @Test
  void writersAtTheSameTimeNeverDoubleAKey() throws Exception {
    spark.run(KEYED + " TBLPROPERTIES ('dynamic-bucket.target-row-num' = '10')");
    ExecutorService writers = Executors.newFixedThreadPool(2);
    try {
      List<Callable<Integer>> jobs =
          IntStream.range(0, 2).<Callable<Integer>>mapToObj(i -> () -> insertAll(i)).toList();
      int failures = 0;
      for (Future<Integer> job : writers.invokeAll(jobs)) {
        failures += job.get();
      }
      assertThat(failures).as("tries that lost and were repeated").isBetween(0, 40);
    } finally {
      writers.shutdownNow();
    }
    assertThat(spark.rows("SELECT count(*), count(DISTINCT k), min(k), max(k) FROM t"))
        .containsExactly("70,70,0,69");
    assertSound("t");
  }

  /** Inserts in five steps, each again until it succeeds; how often one failed. */
  private int insertAll(int writer) {
    SharedSpark own = SharedSpark.over(warehouse);
    List<String> failures = new ArrayList<>();
    for (int step = 0; step < 5; step++) {
      String statement =
          "INSERT INTO t SELECT CAST(id AS INT), 'w%d' FROM range(%d, %d)"
              .formatted(writer, step * 10 + writer * 10, step * 10 + 30);
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
