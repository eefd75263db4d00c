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

package io.keylake.catalog.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.catalog.SharedSpark;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rollbacks beside a writer that goes on: what they drop never comes back, what they keep stays,
 * and what begins after them arrives. {@code -Drollback.seed} chooses the versions.
 */
final class RollbackConcurrencySparkTest {
  private static final long SEED = Long.getLong("rollback.seed", 17);
  private static final int ROLLBACKS = 8;
  private static final String CONFLICT = "KEYLAKE_CONCURRENT_MODIFICATION";

  @TempDir private Path warehouse;

  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger begun = new AtomicInteger();
  private final Set<Integer> ended = new ConcurrentSkipListSet<>();
  private final Set<Integer> refused = new ConcurrentSkipListSet<>();

  /** Each statement adds one key, its number. */
  private void write(SharedSpark spark) {
    while (!stopped.get()) {
      int number = begun.incrementAndGet();
      try {
        spark.run("INSERT INTO t VALUES (" + number + ", " + number + ")");
        ended.add(number);
      } catch (RuntimeException e) {
        if (!String.valueOf(e.getMessage()).contains(CONFLICT)) {
          throw e;
        }
        refused.add(number);
      }
    }
  }

  private static Set<Integer> keys(SharedSpark spark, String version) {
    return spark.rows("SELECT k FROM t" + version).stream()
        .map(Integer::valueOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void whatARollbackDropsNeverComesBackAndWhatFollowsItStays() throws Exception {
    SharedSpark spark = SharedSpark.over(warehouse);
    spark.run(
        "CREATE TABLE t (k INT, v INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '2',"
            + " 'write-only' = 'false', 'num-sorted-run.compaction-trigger' = '3')",
        "INSERT INTO t VALUES (0, 0)");
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(() -> write(SharedSpark.over(warehouse)));
    Random random = new Random(SEED);
    Set<Integer> kept = new TreeSet<>();
    Set<Integer> dropped = new TreeSet<>();
    int lastBegun = 0;
    for (int rollback = 0; rollback < ROLLBACKS && !writer.isDone(); ) {
      Set<Integer> endedBefore = new TreeSet<>(ended);
      check(keys(spark, ""), kept, dropped, endedBefore, lastBegun);
      long newest = Long.parseLong(spark.value("SELECT max(snapshot_id) FROM `t$snapshots`"));
      if (newest > 3) {
        long version = newest - 1 - random.nextInt(3);
        kept = keys(spark, " VERSION AS OF " + version);
        dropped.addAll(endedBefore);
        dropped.removeAll(kept);
        spark.run("CALL lake.sys.rollback(table => 't', version => '" + version + "')");
        lastBegun = begun.get();
        rollback++;
      }
    }
    stopped.set(true);
    writer.get(1, TimeUnit.MINUTES);
    Set<Integer> rows = keys(spark, "");
    System.out.println(
        "seed " + SEED + ": " + begun + " statements, refused " + refused + ", dropped " + dropped);
    check(rows, kept, dropped, ended, lastBegun);
    assertThat(rows).noneMatch(refused::contains);
    assertThat(dropped).isNotEmpty();
    SoundTable.checkAllUnder(warehouse);
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", "t");
    assertThat(reference.problems()).isEmpty();
    assertThat(reference.rows()).hasSameSizeAs(rows);
  }

  /**
   * Checks what the table holds.
   *
   * @param kept keys of the version of the last rollback
   * @param dropped keys of statements that had ended before a rollback to a version without them
   * @param ended numbers of ended statements
   * @param lastBegun number of the last statement that began before the last rollback ended
   */
  private static void check(
      Set<Integer> rows,
      Set<Integer> kept,
      Set<Integer> dropped,
      Set<Integer> ended,
      int lastBegun) {
    assertThat(rows).as("rows of the version").containsAll(kept);
    assertThat(rows).as("dropped rows").noneMatch(dropped::contains);
    assertThat(rows)
        .as("rows written after the rollback")
        .containsAll(ended.stream().filter(number -> number > lastBegun).toList());
  }
}
