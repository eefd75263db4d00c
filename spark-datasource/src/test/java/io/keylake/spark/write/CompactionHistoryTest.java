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

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of tables that we and the reference write and compact in turns. {@code
 * -Dhistory.seed} and {@code -Dhistory.runs} choose other histories; a failure names its seed.
 */
class CompactionHistoryTest {
  private static final long SEED = 1;
  private static final long RUNS = 300;
  private static final long SOAK_RUNS = 20_000;

  @TempDir Path warehouse;

  @Test
  void everyStepOfEveryHistoryKeepsTheRows() {
    run(RUNS);
  }

  @Test
  @Tag("soak")
  void everyStepOfManyHistoriesKeepsTheRows() {
    run(SOAK_RUNS);
  }

  private void run(long runs) {
    long first = Long.getLong("history.seed", SEED);
    List<Long> seeds =
        LongStream.range(first, first + Long.getLong("history.runs", runs)).boxed().toList();
    String folder = warehouse.toString();
    List<String> failures =
        WriteFixture.spark()
            .parallelize(seeds, Math.min(seeds.size(), 100))
            .map(seed -> failure(folder, seed))
            .filter(failure -> failure != null)
            .collect();
    assertThat(failures).isEmpty();
  }

  private static @Nullable String failure(String folder, long seed) {
    CompactionHistory history = new CompactionHistory(Path.of(folder), seed);
    try {
      history.run();
      return null;
    } catch (Exception | AssertionError failure) {
      java.io.StringWriter trace = new java.io.StringWriter();
      failure.printStackTrace(new java.io.PrintWriter(trace));
      return "seed " + seed + "\n" + history.log() + trace;
    }
  }
}
