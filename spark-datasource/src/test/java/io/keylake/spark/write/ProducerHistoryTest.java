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
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of tables with a changelog, of every engine and producer, see {@link
 * EngineHistory}: we and the reference write and compact them in turns. {@code -Dproducer.seed} and
 * {@code -Dproducer.runs} choose other tables.
 */
class ProducerHistoryTest {
  private static final List<String> PRODUCERS =
      List.of("lookup", "full-compaction", "lookup", "input");
  private static final long TABLES = 12;
  private static final long SOAK_TABLES = 3_000;
  private static final int KEYS = 25;
  private static final int ATTEMPTS = Integer.getInteger("producer.attempts", 60);

  @TempDir Path warehouse;

  private record Outcome(int checkedChanges, @Nullable String failure) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void changelogOfEveryStepIsThatOfTheReferenceAndReplaysToTheTable() {
    run(TABLES);
  }

  @Test
  @Tag("soak")
  void changelogOfManyHistoriesIsThatOfTheReferenceAndReplaysToTheTable() {
    run(SOAK_TABLES);
  }

  private void run(long tables) {
    long first = Long.getLong("producer.seed", 1);
    List<Long> seeds =
        LongStream.range(first, first + Long.getLong("producer.runs", tables)).boxed().toList();
    String folder = warehouse.toString();
    List<Outcome> outcomes =
        WriteFixture.spark()
            .parallelize(seeds, Math.min(seeds.size(), 100))
            .map(seed -> outcome(Path.of(folder), seed))
            .collect();
    assertThat(outcomes.stream().map(Outcome::failure).filter(f -> f != null)).isEmpty();
    assertThat(outcomes.stream().mapToInt(Outcome::checkedChanges).sum())
        .as("steps of ours whose changelog the reference wrote, too")
        .isGreaterThan(seeds.size());
  }

  private static Outcome outcome(Path folder, long seed) {
    String producer = PRODUCERS.get((int) (seed % PRODUCERS.size()));
    Random random = new Random(seed * 104_729);
    EngineScript script = EngineScript.random(random, new EngineTable(random, producer), KEYS);
    int[] names = {0};
    try {
      return new Outcome(EngineHistory.run(script, folder, "p" + seed).checkedChanges(), null);
    } catch (Exception | AssertionError failure) {
      EngineScript smallest =
          script.smallest(
              part -> failure(part, folder, "p" + seed + "s" + names[0]++) != null, ATTEMPTS);
      Throwable smaller = failure(smallest, folder, "p" + seed + "smallest");
      StringWriter trace = new StringWriter();
      (smaller == null ? failure : smaller).printStackTrace(new PrintWriter(trace));
      return new Outcome(0, "seed " + seed + "\n" + smallest + trace);
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
}
