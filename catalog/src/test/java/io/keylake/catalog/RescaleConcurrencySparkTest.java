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
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The number of buckets changes while others write: no row is lost, none is doubled, and what a
 * statement does not do it says.
 */
class RescaleConcurrencySparkTest {
  private static final long SEED = Long.getLong("rescale.seed", 5);
  private static final String CONFLICT = "KEYLAKE_CONCURRENT_MODIFICATION";
  private static final int KEYS = 60;

  @TempDir static Path warehouse;

  private static volatile CountDownLatch started = new CountDownLatch(0);
  private static volatile CountDownLatch released = new CountDownLatch(0);

  private final SharedSpark spark = SharedSpark.over(warehouse);

  @BeforeEach
  void dropTable() {
    spark.run("DROP TABLE IF EXISTS t");
    spark
        .session()
        .udf()
        .register(
            "held",
            (UDF1<Integer, Integer>) RescaleConcurrencySparkTest::held,
            DataTypes.IntegerType);
  }

  /** Lets its row pass once the test says so. */
  private static Integer held(Integer value) throws InterruptedException {
    started.countDown();
    if (!released.await(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("Not released");
    }
    return value;
  }

  @AfterEach
  void tableIsSound() {
    released.countDown();
    SoundTable.checkAllUnder(warehouse);
  }

  /** Begins a statement, and lets it end after {@code meanwhile}. */
  private CompletableFuture<Void> during(String statement, String... meanwhile) throws Exception {
    started = new CountDownLatch(1);
    released = new CountDownLatch(1);
    CompletableFuture<Void> running = CompletableFuture.runAsync(() -> spark.sql(statement));
    assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
    spark.run(meanwhile);
    released.countDown();
    return running;
  }

  @Test
  void rowsWrittenForTheOldNumberGoToTheNewBuckets() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v INT) TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '2')",
        "INSERT INTO t SELECT CAST(id AS INT), 0 FROM range(40)");
    during(
            "INSERT INTO t SELECT held(CAST(id AS INT)), 2 FROM range(20, 60, 1, 1)",
            "INSERT INTO t SELECT CAST(id AS INT), 1 FROM range(10, 30)",
            "CALL lake.sys.rescale(table => 't', bucket_num => 5)")
        .get(1, TimeUnit.MINUTES);
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v ORDER BY v"))
        .containsExactly("0,10", "1,10", "2,40");
    assertThat(spark.value("SELECT max(bucket) FROM `t$files`")).isEqualTo("4");
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").problems()).isEmpty();
  }

  @Test
  void appendedRowsGoToTheNewBuckets() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v INT) TBLPROPERTIES ('bucket-key' = 'k', 'bucket' = '2')",
        "INSERT INTO t SELECT CAST(id AS INT), 0 FROM range(40)");
    during(
            "INSERT INTO t SELECT held(CAST(id AS INT)), 2 FROM range(20, 60, 1, 1)",
            "CALL lake.sys.rescale(table => 't', bucket_num => 3)")
        .get(1, TimeUnit.MINUTES);
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v ORDER BY v"))
        .containsExactly("0,40", "2,40");
    assertThat(spark.rows("SELECT collect_list(v) FROM t WHERE k = 25"))
        .containsExactly("ArraySeq(0, 2)");
  }

  @Test
  void aChangeOfRowsThatMovedMeanwhileIsRefused() throws Exception {
    spark.run(
        "CREATE TABLE t (k INT, v INT) TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '2')",
        "INSERT INTO t SELECT CAST(id AS INT), 0 FROM range(40)");
    CompletableFuture<Void> update =
        during(
            "UPDATE t SET v = IF(k = 3, held(v), v) + 1 WHERE k < 10",
            "CALL lake.sys.rescale(table => 't', bucket_num => 3)");
    assertThatThrownBy(() -> update.get(1, TimeUnit.MINUTES)).hasMessageContaining(CONFLICT);
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v")).containsExactly("0,40");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'sequence.field' = 'v'", "'deletion-vectors.enabled' = 'true'"})
  void oneSessionWritesWhileAnotherRescales(String options) throws Exception {
    spark.run(
        "CREATE TABLE t (p INT, k INT, v INT) PARTITIONED BY (p) TBLPROPERTIES ('primary-key' ="
            + " 'p,k', 'bucket' = '2', 'num-sorted-run.compaction-trigger' = '3', "
            + options
            + ")",
        "INSERT INTO t SELECT CAST(id % 2 AS INT), CAST(id AS INT), 0 FROM range(" + KEYS + ")");
    AtomicBoolean stopped = new AtomicBoolean();
    Semaphore turns = new Semaphore(1);
    CompletableFuture<int[]> rescales =
        CompletableFuture.supplyAsync(() -> rescaleUntil(stopped, turns));
    TreeMap<Integer, Integer> model = new TreeMap<>();
    for (int key = 0; key < KEYS; key++) {
      model.put(key, 0);
    }
    try {
      Random random = new Random(SEED);
      for (int version = 1; version <= 12; version++) {
        write(version, random.nextInt(KEYS), random.nextInt(3), model);
        turns.release();
      }
    } finally {
      stopped.set(true);
      turns.release();
    }
    int[] done = rescales.get(2, TimeUnit.MINUTES);
    System.out.println(options + ": rescaled " + done[0] + " times, conflicts " + done[1]);
    assertThat(done[0]).as("seed " + SEED).isPositive();
    List<String> expected =
        model.entrySet().stream().map(row -> row.getKey() + "," + row.getValue()).toList();
    assertThat(spark.rows("SELECT k, v FROM t ORDER BY k")).as("seed " + SEED).isEqualTo(expected);
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").problems()).isEmpty();
  }

  /** Once for each statement of the other session, so that both get their turn. */
  private static int[] rescaleUntil(AtomicBoolean stopped, Semaphore turns) {
    SharedSpark own = SharedSpark.over(warehouse);
    int[] done = new int[2];
    for (int round = 0; !stopped.get(); round++) {
      turns.acquireUninterruptibly();
      turns.drainPermits();
      try {
        own.sql("CALL lake.sys.rescale(table => 't', bucket_num => " + (2 + round % 3) + ")");
        done[0]++;
      } catch (RuntimeException e) {
        assertThat(e).hasMessageContaining(CONFLICT);
        done[1]++;
      }
    }
    return done;
  }

  /** Writes some keys; a statement that another commit was in the way of is run again. */
  private void write(int version, int from, int kind, NavigableMap<Integer, Integer> model) {
    int to = Math.min(KEYS, from + 25);
    String range = "k >= " + from + " AND k < " + to;
    String statement =
        switch (kind) {
          case 0 -> "UPDATE t SET v = " + version + " WHERE " + range;
          case 1 -> "DELETE FROM t WHERE k % 3 = 0 AND " + range;
          default ->
              "INSERT INTO t SELECT CAST(id % 2 AS INT), CAST(id AS INT), "
                  + version
                  + " FROM range("
                  + from
                  + ", "
                  + to
                  + ")";
        };
    for (boolean isDone = false; !isDone; ) {
      try {
        spark.run(statement);
        isDone = true;
      } catch (RuntimeException e) {
        assertThat(e).hasMessageContaining(CONFLICT);
      }
    }
    for (int key = from; key < to; key++) {
      int row = key;
      switch (kind) {
        case 0 -> model.computeIfPresent(row, (k, v) -> version);
        case 1 -> {
          if (row % 3 == 0) {
            model.remove(row);
          }
        }
        default -> model.put(row, version);
      }
    }
  }
}
