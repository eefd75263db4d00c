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

package io.keylake.catalog.stream;

import io.keylake.catalog.SharedSpark;
import io.keylake.catalog.stream.HistoryTable.Buckets;
import io.keylake.catalog.stream.HistoryTable.Engine;
import io.keylake.catalog.stream.HistoryTable.Producer;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of statements on tables of every engine, changelog producer and kind of buckets:
 * whoever reads the changes of such a table reads the same ones.
 *
 * <ol>
 *   <li>{@code CHANGES} of the whole history, of each version, and a {@code .changes()} stream that
 *       is stopped and fails in between have the same changes of each version.
 *   <li>With producer none and lookup these are exactly what each version differs in from the one
 *       before; with full-compaction they replay to the table at each full compaction; with input
 *       they are the rows that statements wrote.
 *   <li>The audit log has them, too, read by snapshot or as a stream: its stored changelog, and
 *       compared versions.
 *   <li>A stream of the reference gets of each snapshot what our audit log has of it. It passes
 *       over OVERWRITE snapshots.
 *   <li>What an expiry keeps still has the same changes, and the consumer of the stream keeps what
 *       that has not read.
 * </ol>
 *
 * A seed covers a quarter of all kinds of tables, four seeds in a row cover each once. {@code
 * -Dchanges.seed} and {@code -Dchanges.runs} choose others.
 */
final class ChangeEqualitySparkTest {
  private static final long SEED = 1;
  private static final long SOAK_RUNS = 400;

  @TempDir private static Path warehouse;
  @TempDir private static Path checkpoints;
  private static int tables;

  static Stream<Arguments> histories() {
    return histories(Long.getLong("changes.runs", 1));
  }

  static Stream<Arguments> manyHistories() {
    return histories(Long.getLong("changes.runs", SOAK_RUNS));
  }

  private static Stream<Arguments> histories(long runs) {
    long first = Long.getLong("changes.seed", SEED);
    return LongStream.range(first, first + runs)
        .boxed()
        .flatMap(seed -> kinds(seed).stream().map(kind -> Arguments.of(seed, kind)));
  }

  private static List<HistoryTable> kinds(long seed) {
    String wanted = System.getProperty("changes.kinds", "");
    List<HistoryTable> kinds = new ArrayList<>();
    for (Engine engine : Engine.values()) {
      for (Producer producer : Producer.values()) {
        for (Buckets buckets : Buckets.values()) {
          HistoryTable kind = new HistoryTable(engine, producer, buckets);
          if (kind.isAllowed()
              && kind.isOfQuarter(seed)
              && kind.name().matches(".*" + wanted + ".*")) {
            kinds.add(kind);
          }
        }
      }
    }
    return kinds;
  }

  @ParameterizedTest
  @MethodSource("histories")
  void everyReaderOfChangesReadsTheSame(long seed, HistoryTable kind) {
    run(seed, kind);
  }

  @ParameterizedTest
  @MethodSource("manyHistories")
  @Tag("soak")
  void everyReaderOfManyHistoriesReadsTheSame(long seed, HistoryTable kind) {
    run(seed, kind);
  }

  private static void run(long seed, HistoryTable kind) {
    SharedSpark spark = SharedSpark.over(warehouse);
    spark.session().conf().set("spark.sql.codegen.wholeStage", "false");
    spark.session().conf().set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    String name = kind.name() + "_" + seed + "_" + tables++;
    ChangeHistory history = new ChangeHistory(spark, warehouse, checkpoints, kind, name, seed);
    try {
      history.run();
      SoundTable.checkAllUnder(warehouse);
      spark.run("DROP TABLE " + name);
    } catch (Exception | AssertionError failure) {
      throw new AssertionError(
          "-Dchanges.seed=" + seed + " -Dchanges.kinds=" + kind.name() + "\n" + history.log(),
          failure);
    }
  }
}
