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

import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of tables, written by Spark and the reference in turns, with changes of the
 * schema between: after each step both read the same rows, and filters, aggregates and time travel
 * give what a naive evaluation over these rows gives. {@code -Dhistory.seed} and {@code
 * -Dhistory.runs} choose other histories.
 */
class HistoryModelTest {
  @TempDir static Path warehouse;

  static LongStream seeds() {
    long first = Long.getLong("history.seed", 22);
    return LongStream.range(first, first + Long.getLong("history.runs", 1));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyHistoryReadsAsTheReferenceReadsIt(long seed) throws Exception {
    RandomHistory history =
        new RandomHistory(SharedSpark.over(warehouse), warehouse, new Random(seed), "t" + seed);
    try {
      history.create();
      int steps = 7;
      for (int step = 0; step < steps; step++) {
        history.step();
        history.check();
      }
      history.checkTimeTravel();
      SoundTable.checkAllUnder(warehouse);
      if (!history.keyRenamed()) {
        assertThat(history.reference().problems()).isEmpty();
      }
    } catch (Throwable failure) {
      throw new AssertionError("seed " + seed + "\n" + history.log(), failure);
    }
    assertThat(history.reference().rows(Map.of())).isNotNull();
  }
}
