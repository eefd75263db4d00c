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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of the rows of keys, see {@link EngineHistory}: we and the reference write, read
 * and compact tables in turns. Each table holds many keys, each with a history of its own; there is
 * one for each {@link EngineKind}, so that all engines meet all kinds of buckets, with deletion
 * vectors and without. {@code -Dengine.seed} and {@code -Dengine.runs} choose other tables; a
 * failure names its seed and shows the smallest history that was found to fail in the same way.
 */
class EngineHistoryTest {
  private static final long SEED = 1;
  private static final long TABLES = EngineKind.ALL.size();
  private static final long SOAK_TABLES = 5_000;
  private static final int KEYS = 40;
  private static final int STEPS = 5;
  private static final int SOAK_STEPS = 8;
  private static final int ATTEMPTS = Integer.getInteger("engine.attempts", 80);

  @TempDir Path warehouse;

  /**
   * How one table fared.
   *
   * @param histories how many keys it had
   * @param checkedSteps how many of our steps were compared with what the reference does
   */
  private record Outcome(long seed, int histories, int checkedSteps, @Nullable String failure)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void everyStepOfEveryHistoryGivesTheRowsOfTheReference() {
    run(TABLES, STEPS);
  }

  @Test
  @Tag("soak")
  void everyStepOfManyHistoriesGivesTheRowsOfTheReference() {
    run(SOAK_TABLES, SOAK_STEPS);
  }

  private void run(long tables, int steps) {
    long first = Long.getLong("engine.seed", SEED);
    List<Long> seeds =
        LongStream.range(first, first + Long.getLong("engine.runs", tables)).boxed().toList();
    List<Outcome> outcomes = new ArrayList<>(inTasks(seeds, warehouse.toString(), steps));
    seeds.parallelStream()
        .filter(seed -> EngineKind.of(seed).isPostponed())
        .map(seed -> outcome(warehouse, seed, steps))
        .forEachOrdered(outcomes::add);
    assertThat(outcomes).hasSameSizeAs(seeds);
    assertThat(outcomes.stream().map(Outcome::failure).filter(f -> f != null)).isEmpty();
    assertThat(outcomes.stream().mapToInt(Outcome::histories).sum())
        .as("histories")
        .isGreaterThan(seeds.size() * KEYS * 3 / 4);
    assertThat(outcomes.stream().mapToInt(Outcome::checkedSteps).sum())
        .as("steps of ours that the reference did, too")
        .isGreaterThan(seeds.size());
  }

  private static List<Outcome> inTasks(List<Long> seeds, String folder, int steps) {
    List<Long> some = seeds.stream().filter(seed -> !EngineKind.of(seed).isPostponed()).toList();
    return some.isEmpty()
        ? List.of()
        : WriteFixture.spark()
            .parallelize(some, Math.min(some.size(), 100))
            .map(seed -> outcome(Path.of(folder), seed, steps))
            .collect();
  }

  private static Outcome outcome(Path folder, long seed, int count) {
    Random random = new Random(seed * 7919);
    EngineScript script =
        EngineScript.random(random, new EngineTable(random, EngineKind.of(seed)), KEYS).upTo(count);
    int[] names = {0};
    try {
      int steps = EngineHistory.run(script, folder, "t" + seed).checkedSteps();
      return new Outcome(seed, script.histories(), steps, null);
    } catch (Exception | AssertionError failure) {
      EngineScript smallest =
          script.smallest(
              part -> {
                Throwable other = failure(part, folder, "t" + seed + "s" + names[0]++);
                return other != null && sign(other).equals(sign(failure));
              },
              ATTEMPTS);
      Throwable smaller = failure(smallest, folder, "t" + seed + "smallest");
      StringWriter trace = new StringWriter();
      (smaller == null ? failure : smaller).printStackTrace(new PrintWriter(trace));
      return new Outcome(seed, 0, 0, "seed " + seed + "\n" + smallest + trace);
    }
  }

  private static @Nullable Throwable failure(EngineScript script, Path folder, String name) {
    try {
      EngineHistory.run(script, folder, name);
      return null;
    } catch (Exception | AssertionError failure) {
      return failure;
    }
  }

  /** What tells one kind of failure from others. */
  private static String sign(Throwable failure) {
    String message = String.valueOf(failure.getMessage()).strip();
    return failure.getClass() + message.substring(0, Math.min(20, message.length()));
  }
}
