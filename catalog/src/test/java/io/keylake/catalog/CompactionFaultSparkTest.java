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

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.maintenance.CompactionRequest;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.CompactionRequest.Strategy;
import io.keylake.spark.maintenance.CompactionSummary;
import io.keylake.spark.maintenance.PartitionChoice;
import io.keylake.spark.maintenance.TableCompaction;
import io.keylake.table.LakeTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compactions that fail, are cancelled, or meet other commits leave no trace and lose no row. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CompactionFaultSparkTest {
  private static final CompactionRequest FULL =
      new CompactionRequest(Strategy.FULL, PartitionChoice.ALL, Optional.empty(), Execution.RUN);

  @TempDir private Path warehouse;
  private SharedSpark spark;

  /** Buckets 0 and 1 of table t have two runs each. */
  @BeforeEach
  void makeTable() {
    spark = SharedSpark.over(warehouse, HookedFileSystem.OPTIONS);
    spark.run(
        "CREATE TABLE t (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' ="
            + " '2', 'write-only' = 'true')");
    for (int i = 0; i < 2; i++) {
      spark.run("INSERT INTO t SELECT CAST(id AS INT), '" + i + "' FROM range(0, 100)");
    }
  }

  @AfterEach
  void unhook() {
    HookedFileSystem.unhook();
  }

  private SparkContext context() {
    return spark.session().sparkContext();
  }

  /** All data files there are, referred to or not. */
  private List<String> stored() {
    try (Stream<Path> files = Files.walk(warehouse.resolve("db.db/t"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("data-") || name.contains("index-"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertUntouched(List<String> before) {
    assertThat(stored()).isEqualTo(before);
    assertThat(spark.value("SELECT count(*) FROM `t$snapshots`")).isEqualTo("2");
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v")).containsExactly("1,100");
  }

  private static boolean isIn(org.apache.hadoop.fs.Path file, int bucket) {
    return file.getParent().getName().equals("bucket-" + bucket)
        && file.getName().startsWith("data-");
  }

  @Test
  void taskThatFailsUndoesTheWholeJob() {
    List<String> before = stored();
    HookedFileSystem.hook(
        file -> {
          if (isIn(file, 1)) {
            throw new IOException("no space");
          }
        });
    assertThatThrownBy(() -> spark.sql("CALL lake.sys.compact(table => 't')"))
        .hasMessageContaining("no space");
    assertUntouched(before);
  }

  @Test
  void taskThatIsRetriedLeavesNoSecondFile() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    HookedFileSystem.hook(
        file -> {
          if (isIn(file, 1) && tries.incrementAndGet() == 1) {
            throw new IOException("once");
          }
        });
    assertThat(spark.rows("CALL lake.sys.compact(table => 't')").get(0)).startsWith("2,2,4,2,");
    assertThat(tries).hasValue(2);
    assertThat(stored()).hasSize(6);
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v")).containsExactly("1,100");
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").problems()).isEmpty();
  }

  @Test
  void cancelledJobDeletesFilesOfFinishedAndOfRunningTasks() throws Exception {
    List<String> before = stored();
    CountDownLatch running = new CountDownLatch(1);
    HookedFileSystem.hook(
        file -> {
          if (isIn(file, 1)) {
            running.countDown();
            waitForInterrupt();
          }
        });
    TaskEnds ends = new TaskEnds();
    context().addSparkListener(ends);
    try {
      CompletableFuture<Void> call =
          CompletableFuture.runAsync(
              () -> {
                context().setJobGroup("mine", "upkeep", false);
                spark.sql("CALL lake.sys.compact(table => 't')");
              });
      running.await();
      ends.first.await();
      context().cancelJobGroup("mine");
      assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("cancelled");
    } finally {
      context().removeSparkListener(ends);
    }
    assertUntouched(before);
  }

  /** Waits until the thread is interrupted. */
  private static void waitForInterrupt() throws IOException {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** Tells when a task has ended. */
  private static final class TaskEnds extends SparkListener {
    private final CountDownLatch first = new CountDownLatch(1);

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      first.countDown();
    }
  }

  @Test
  void interruptedCallerCancelsItsJob() throws Exception {
    List<String> before = stored();
    CountDownLatch running = new CountDownLatch(1);
    HookedFileSystem.hook(
        file -> {
          if (isIn(file, 1)) {
            running.countDown();
            waitForInterrupt();
          }
        });
    TaskEnds ends = new TaskEnds();
    context().addSparkListener(ends);
    try {
      CompletableFuture<Throwable> failure = new CompletableFuture<>();
      Thread caller =
          new Thread(
              () -> {
                try {
                  spark.sql("CALL lake.sys.compact(table => 't')");
                  failure.complete(new AssertionError("not interrupted"));
                } catch (Throwable e) {
                  failure.complete(e);
                }
              });
      caller.start();
      running.await();
      ends.first.await();
      caller.interrupt();
      assertThat(failure.get(60, TimeUnit.SECONDS)).hasMessageContaining("interrupted");
    } finally {
      context().removeSparkListener(ends);
    }
    assertUntouched(before);
  }

  /**
   * Runs {@code work} each time a compaction has planned and is about to start its job: it asks for
   * an id for its jobs, then in each round for three: of index files, of data files, of the commit.
   */
  private CompactionSummary compactBeside(Runnable work) {
    AtomicInteger asked = new AtomicInteger();
    Ids random = Ids.random();
    Ids ids =
        () -> {
          if (asked.getAndIncrement() % 3 == 1) {
            work.run();
          }
          return random.next();
        };
    LakeTable table =
        LakeTable.load(
            "lake.db.t",
            HadoopFileIO.of(new Configuration()),
            new Location(warehouse.resolve("db.db/t").toUri().toString()));
    TableName name = new TableName("lake", List.of("db"), "t");
    return new TableCompaction(
            (org.apache.spark.sql.classic.SparkSession) spark.session(),
            name,
            table,
            Clock.systemDefaultZone(),
            ids)
        .run(FULL);
  }

  private void insert(int from, int to, String value) {
    spark.run(
        "INSERT INTO t SELECT CAST(id AS INT), '"
            + value
            + "' FROM range("
            + from
            + ", "
            + to
            + ")");
  }

  @Test
  void rowsThatOthersAddAreInNobodysWay() throws Exception {
    CompactionSummary summary = compactBeside(() -> insert(0, 10, "new"));
    assertThat(summary.bucketsCompacted()).isEqualTo(2);
    assertThat(summary.bucketsDropped()).isZero();
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v ORDER BY v"))
        .containsExactly("1,90", "new,10");
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").problems()).isEmpty();
  }

  @Test
  void bucketsThatOthersCompactedAreDoneAgain() throws Exception {
    AtomicInteger times = new AtomicInteger();
    CompactionSummary summary =
        compactBeside(
            () -> {
              if (times.getAndIncrement() == 0) {
                spark.sql("CALL lake.sys.compact(table => 't')");
                insert(0, 100, "new");
              }
            });
    assertThat(times).hasValue(2);
    assertThat(summary.bucketsCompacted()).isEqualTo(2);
    assertThat(summary.rowsIn()).isEqualTo(200);
    assertThat(summary.bucketsDropped()).isZero();
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v")).containsExactly("new,100");
    assertThat(spark.rows("SELECT level, count(*) FROM `t$files` GROUP BY level"))
        .containsExactly("5,2");
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").problems()).isEmpty();
  }

  @Test
  void bucketsThatAreAlwaysInUseAreLeftInTheEnd() throws Exception {
    AtomicInteger times = new AtomicInteger();
    CompactionSummary summary =
        compactBeside(
            () -> {
              spark.sql("CALL lake.sys.compact(table => 't')");
              insert(0, 100, "new" + times.getAndIncrement());
            });
    assertThat(times).hasValue(4);
    assertThat(summary.bucketsCompacted()).isZero();
    assertThat(summary.bucketsDropped()).isEqualTo(2);
    assertThat(spark.rows("SELECT v, count(*) FROM t GROUP BY v")).containsExactly("new3,100");
    int referred = Integer.parseInt(spark.value("SELECT count(*) FROM `t$files`"));
    assertThat(referred).isEqualTo(4);
    assertThat(stored()).hasSize(2 * 2 + 4 * 2 + 4 * 2);
    assertThat(ReferenceTable.of(warehouse.toString(), "db", "t").problems()).isEmpty();
  }
}
