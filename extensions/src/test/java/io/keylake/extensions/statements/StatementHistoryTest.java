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

package io.keylake.extensions.statements;

import io.keylake.catalog.KeylakeCatalog;
import io.keylake.extensions.KeylakeExtensions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random sequences of INSERT, INSERT OVERWRITE, DELETE, UPDATE, MERGE, ALTER, TRUNCATE and
 * compactions on tables of every kind: after each statement a table has the rows of a plain {@link
 * ModelTable}; the reference reads the same; what must be refused is refused and changes nothing.
 * Half of the sessions have our extensions, and the answers are the same. {@code
 * -Dstatements.seed}, {@code -Dstatements.runs}, {@code -Dstatements.steps}, {@code
 * -Dstatements.engine} and {@code -Dstatements.seeds} choose other sequences; a failure names its
 * seed and shows the smallest sequence that was found to fail in the same way.
 */
class StatementHistoryTest {
  private static final int ATTEMPTS = Integer.getInteger("statements.attempts", 60);

  @TempDir static Path warehouse;

  private static int tables;

  static LongStream seeds() {
    return seeds(22);
  }

  static LongStream manySeeds() {
    return seeds(1_100);
  }

  private static LongStream seeds(long runs) {
    long first = Long.getLong("statements.seed", 1);
    String chosen = System.getProperty("statements.seeds", "");
    if (!chosen.isEmpty()) {
      return Stream.of(chosen.split(",", -1)).mapToLong(Long::parseLong);
    }
    String only = System.getProperty("statements.engine", "");
    return LongStream.range(first, first + Long.getLong("statements.runs", runs))
        .filter(seed -> only.isEmpty() || StatementHistory.engine(seed).name().equals(only));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyStatementLeavesTheRowsOfTheModel(long seed) {
    run(seed);
  }

  @Tag("soak")
  @ParameterizedTest
  @MethodSource("manySeeds")
  void everyStatementOfManyLeavesTheRowsOfTheModel(long seed) {
    run(seed);
  }

  private static void run(long seed) {
    List<Integer> steps =
        IntStream.range(0, Integer.getInteger("statements.steps", 9)).boxed().toList();
    StringBuilder log = new StringBuilder();
    Throwable failure = failure(seed, steps, log);
    if (failure == null) {
      return;
    }
    String sign = StatementHistory.sign(failure);
    int attempts = ATTEMPTS;
    List<Integer> smallest = steps;
    for (int i = smallest.size() - 1; i >= 0 && attempts > 0; i--) {
      List<Integer> fewer = new ArrayList<>(smallest);
      fewer.remove(i);
      attempts--;
      StringBuilder shorter = new StringBuilder();
      Throwable other = failure(seed, fewer, shorter);
      if (other != null && StatementHistory.sign(other).equals(sign)) {
        smallest = fewer;
        failure = other;
        log = shorter;
        i = smallest.size();
      }
    }
    throw new AssertionError("seed " + seed + ", steps " + smallest + "\n" + log, failure);
  }

  private static @Nullable Throwable failure(long seed, List<Integer> steps, StringBuilder log) {
    StatementHistory history =
        new StatementHistory(session(seed), warehouse, "t" + seed + "_" + tables++, seed);
    try {
      history.run(steps);
      return null;
    } catch (Exception | AssertionError failure) {
      return failure;
    } finally {
      log.append(history.log());
    }
  }

  /** A session over the warehouse, with our extensions for each other seed. */
  private static SparkSession session(long seed) {
    SparkSession session = (seed % 2 == 0 ? Roots.EXTENDED : Roots.PLAIN).newSession();
    session.conf().set("spark.sql.catalog.lake", KeylakeCatalog.class.getName());
    session.conf().set("spark.sql.catalog.lake.warehouse", warehouse.toString());
    SparkSession.setActiveSession(session);
    session.sql("CREATE NAMESPACE IF NOT EXISTS lake.db");
    session.sql("USE lake.db");
    return session;
  }

  /** Extensions are those of the session that a session was made from. */
  private static final class Roots {
    static final SparkSession PLAIN = builder().create();
    static final SparkSession EXTENDED = builder().withExtensions(new KeylakeExtensions()).create();

    private static SparkSession.Builder builder() {
      return SparkSession.builder()
          .master("local[2, 2]")
          .config("spark.ui.enabled", "false")
          .config("spark.sql.session.timeZone", "UTC")
          .config("spark.sql.shuffle.partitions", "2")
          .config("spark.sql.warehouse.dir", Path.of("target", "spark-warehouse").toString());
    }
  }
}
