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

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two Java processes work on the same tables: no row is lost, none is doubled, every snapshot is
 * readable and has the rows it must have, and nothing is wrong with the files. {@code
 * -Dhistory.seed} chooses the rows.
 */
class ConcurrentCompactionSparkTest {
  private static final long SEED = Long.getLong("history.seed", 31);
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
  void oneProcessUpsertsWhileAnotherCompacts() throws Exception {
    upsertAndCompact("", 30);
  }

  @Test
  void twoProcessesUpsertIntoDynamicBuckets() throws Exception {
    upsertTwice("", 10);
  }

  @Test
  @Tag("soak")
  void oneProcessUpsertsForAnHourWhileAnotherCompacts() throws Exception {
    for (int round = 0; round < 60; round++) {
      upsertAndCompact("_" + round, 60);
    }
  }

  @Test
  @Tag("soak")
  void twoProcessesUpsertForAnHour() throws Exception {
    for (int round = 0; round < 60; round++) {
      upsertTwice("_" + round, 60);
    }
  }

  private void upsertAndCompact(String suffix, int seconds) throws Exception {
    List<String> tables = List.of("keyed" + suffix, "vectors" + suffix, "append" + suffix);
    spark.run(
        "CREATE TABLE " + tables.get(0) + COLUMNS + KEYED + "'bucket' = '2', " + SMALL + ")",
        "CREATE TABLE "
            + tables.get(1)
            + COLUMNS
            + KEYED
            + "'deletion-vectors.enabled' = 'true', 'bucket' = '1', "
            + SMALL
            + ")",
        "CREATE TABLE " + tables.get(2) + COLUMNS + "'compaction.min.file-num' = '3')");
    other().begin("compact", SEED, tables);
    TableLoop loop = new TableLoop(spark.session(), SEED);
    upsertFor(loop, seconds, tables);
    String compactions = other().stop();
    for (String table : tables) {
      SnapshotChain chain = new SnapshotChain(warehouse, table, SEED);
      int snapshots = chain.check();
      System.out.println(
          table
              + ", seed "
              + SEED
              + ": "
              + loop.report()
              + ", compactions "
              + compactions
              + ", "
              + snapshots
              + " snapshots");
      assertThat(chain.applied(0)).isEqualTo(loop.done(table)).isPositive();
      assertThat(snapshots).as("snapshots").isGreaterThan(loop.done(table));
    }
  }

  private void upsertTwice(String suffix, int seconds) throws Exception {
    String table = "dynamic" + suffix;
    spark.run(
        "CREATE TABLE "
            + table
            + COLUMNS
            + KEYED
            + "'dynamic-bucket.target-row-num' = '50', "
            + SMALL
            + ")");
    other().begin("upsert", SEED, List.of(table));
    TableLoop loop = new TableLoop(spark.session(), SEED);
    upsertFor(loop, seconds, List.of(table));
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

  private static void upsertFor(TableLoop loop, int seconds, List<String> tables)
      throws NoSuchTableException {
    CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS).execute(loop::stop);
    loop.upsert(0, tables);
  }

  @Test
  void aCompactionKilledInTheMiddleLeavesASoundTable() throws Exception {
    List<String> tables = List.of("killed");
    spark.run("CREATE TABLE killed" + COLUMNS + KEYED + "'bucket' = '2', " + SMALL + ")");
    other().begin("compact", SEED, tables);
    TableLoop loop = new TableLoop(spark.session(), SEED);
    upsertFor(loop, 4, tables);
    other().kill();
    process = null;
    SnapshotChain chain = new SnapshotChain(warehouse, "killed", SEED);
    chain.check();
    assertThat(chain.applied(0)).isEqualTo(loop.done("killed")).isPositive();
    spark.run("CALL lake.sys.compact(table => 'db.killed', compact_strategy => 'full')");
    new SnapshotChain(warehouse, "killed", SEED).check();
  }
}
