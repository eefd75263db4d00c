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

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two Java processes work on the same tables: no row is lost, none is doubled, every snapshot that
 * is left is readable and has the rows it must have, at any time, and nothing is wrong with the
 * files. {@code -Dhistory.seed} chooses the rows and the order of maintenance, {@code
 * -Dloop.minutes} how long the soak tests take.
 */
class ConcurrentMaintenanceSparkTest {
  private static final long SEED = Long.getLong("history.seed", 31);
  private static final int SOAK_MINUTES = Integer.getInteger("loop.minutes", 60);
  private static final int SOAK_ROUND_MINUTES = 5;

  /** Statements of a table from one look at its snapshots to the next. */
  private static final int LOOK_EVERY = 4;

  private static final String COLUMNS = " (k INT NOT NULL, v INT) TBLPROPERTIES (";
  private static final String KEYED = "'primary-key' = 'k', ";
  private static final String SMALL =
      "'write-only' = 'false', 'num-sorted-run.compaction-trigger' = '3'";

  @TempDir static Path warehouse;

  private static @Nullable LoopProcess process;
  private final SharedSpark spark = SharedSpark.over(warehouse);

  private static LoopProcess other() throws Exception {
    if (process == null) {
      process = LoopProcess.start(warehouse);
    }
    return process;
  }

  @AfterAll
  static void endProcess() throws Exception {
    if (process != null) {
      process.close();
    }
  }

  @Test
  void oneProcessUpsertsWhileAnotherMaintains() throws Exception {
    upsertAndMaintain("", 50);
  }

  @Test
  void twoProcessesUpsertIntoDynamicBuckets() throws Exception {
    upsertTwice("", 10);
  }

  @Test
  @Tag("soak")
  void oneProcessUpsertsForAnHourWhileAnotherMaintains() throws Exception {
    for (int done = 0; done < SOAK_MINUTES; done += SOAK_ROUND_MINUTES) {
      int minutes = Math.min(SOAK_ROUND_MINUTES, SOAK_MINUTES - done);
      upsertAndMaintain("_" + done, minutes * 60);
    }
  }

  @Test
  @Tag("soak")
  void twoProcessesUpsertForAnHour() throws Exception {
    for (int round = 0; round < SOAK_MINUTES; round++) {
      upsertTwice("_" + round, 60);
    }
  }

  private void create(String table, String options) {
    spark.run("CREATE TABLE " + table + COLUMNS + options + ")");
  }

  private List<String> maintainedTables(String suffix) {
    String buckets = "'bucket' = '" + MaintenanceLoop.FIRST_BUCKETS + "', ";
    String vectors = "'deletion-vectors.enabled' = 'true', ";
    String dynamic = "'bucket' = '-1', 'dynamic-bucket.target-row-num' = '50', ";
    String expiring = "'snapshot.num-retained.min' = '8', 'snapshot.num-retained.max' = '12', ";
    create("fixed" + suffix, KEYED + buckets + SMALL);
    create("fixed_vectors" + suffix, KEYED + vectors + buckets + expiring + SMALL);
    create("dynamic" + suffix, KEYED + dynamic + expiring + SMALL);
    create("dynamic_vectors" + suffix, KEYED + vectors + dynamic + SMALL);
    create("append" + suffix, "'compaction.min.file-num' = '3'");
    return Stream.of("fixed", "fixed_vectors", "dynamic", "dynamic_vectors", "append")
        .map(name -> name + suffix)
        .toList();
  }

  private void upsertAndMaintain(String suffix, int seconds) throws Exception {
    List<String> tables = maintainedTables(suffix);
    RunningStatement running = RunningStatement.in(warehouse);
    running.begins();
    other().begin("maintain", SEED, tables);
    TableLoop loop = new TableLoop(spark.session(), SEED);
    stopAfter(loop, seconds);
    loop.upsert(0, tables, watch(running));
    String report = other().stop();
    System.out.println("seed " + SEED + ": " + loop.report() + ", maintenance " + report);
    for (String table : tables) {
      RetainedSnapshots retained = new RetainedSnapshots(warehouse, table, SEED);
      int snapshots = retained.checkAll(loop.done(table));
      assertThat(MaintenanceLoop.count(report, table, "compactions")).isPositive();
      assertThat(MaintenanceLoop.count(report, table, "orphan searches")).isPositive();
      if (table.startsWith("fixed")) {
        assertThat(MaintenanceLoop.count(report, table, "rescaled")).isPositive();
      }
      spark.run(compactFully(table));
      retained.checkReference(loop.done(table));
      assertThat(snapshots).as("snapshots of " + table).isBetween(1, MaintenanceLoop.RETAINED);
    }
  }

  private static TableLoop.Watch watch(RunningStatement running) {
    return new TableLoop.Watch() {
      @Override
      public void begins() throws IOException {
        running.begins();
      }

      @Override
      public void committed(String table, int number) throws Exception {
        if (number % LOOK_EVERY == 0) {
          new RetainedSnapshots(warehouse, table, SEED).checkEnds(number);
        }
      }
    };
  }

  private static String compactFully(String table) {
    return "CALL lake.sys.compact(table => 'db." + table + "', compact_strategy => 'full')";
  }

  private void upsertTwice(String suffix, int seconds) throws Exception {
    String table = "upserted" + suffix;
    create(table, KEYED + "'dynamic-bucket.target-row-num' = '50', " + SMALL);
    other().begin("upsert", SEED, List.of(table));
    TableLoop loop = new TableLoop(spark.session(), SEED);
    stopAfter(loop, seconds);
    loop.upsert(0, List.of(table));
    String report = other().stop();
    SnapshotChain chain = new SnapshotChain(warehouse, table, SEED);
    int snapshots = chain.check();
    System.out.println(
        table
            + ", seed "
            + SEED
            + ": "
            + loop.report()
            + " and "
            + report
            + ", "
            + snapshots
            + " snapshots");
    assertThat(chain.applied(0)).isEqualTo(loop.done(table)).isPositive();
    assertThat(report).startsWith("{" + table + "=" + chain.applied(1) + "}");
  }

  private static void stopAfter(TableLoop loop, int seconds) {
    CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS).execute(loop::stop);
  }

  @Test
  void maintenanceKilledInTheMiddleLeavesASoundTable() throws Exception {
    String table = "fixed_killed";
    create(table, KEYED + "'bucket' = '2', " + SMALL);
    RunningStatement running = RunningStatement.in(warehouse);
    running.begins();
    other().begin("maintain", SEED, List.of(table));
    TableLoop loop = new TableLoop(spark.session(), SEED);
    stopAfter(loop, 4);
    loop.upsert(0, List.of(table), watch(running));
    other().kill();
    process = null;
    RetainedSnapshots retained = new RetainedSnapshots(warehouse, table, SEED);
    assertThat(retained.checkAll(loop.done(table))).isPositive();
    running.begins();
    spark.run(
        compactFully(table),
        "CALL lake.sys.remove_orphan_files(table => 'db."
            + table
            + "', older_than => '"
            + running.before()
            + "')");
    retained.checkAll(loop.done(table));
    retained.checkReference(loop.done(table));
  }
}
