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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of tables of every engine, and the changes between their states, see {@link
 * DifferenceHistory}. {@code -Ddifference.seed} and {@code -Ddifference.runs} choose others.
 */
class DifferenceHistoryTest {
  private static final long SEED = 1;
  private static final long RUNS = 40;
  private static final long SOAK_RUNS = 10_000;

  @TempDir Path folder;

  @Test
  void everyStateWithItsChangesGivesTheNext() {
    run(RUNS);
  }

  @Test
  @Tag("soak")
  void everyStateOfManyHistoriesWithItsChangesGivesTheNext() {
    run(SOAK_RUNS);
  }

  private void run(long runs) {
    long first = Long.getLong("difference.seed", SEED);
    List<Long> seeds =
        LongStream.range(first, first + Long.getLong("difference.runs", runs)).boxed().toList();
    String place = folder.toString();
    List<Object> outcomes =
        WriteFixture.spark()
            .parallelize(seeds, Math.min(seeds.size(), 100))
            .map(seed -> DifferenceHistory.run(Path.of(place), seed))
            .collect();
    assertThat(outcomes.stream().filter(String.class::isInstance)).isEmpty();
    assertThat(outcomes.stream().mapToInt(Integer.class::cast).sum())
        .as("changes that were found")
        .isGreaterThan(seeds.size() * 20);
  }
}
