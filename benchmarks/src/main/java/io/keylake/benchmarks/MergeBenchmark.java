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

package io.keylake.benchmarks;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;

/**
 * Row-level statements on a keyed table of four buckets, beside the same statements on Delta tables
 * of four files with the same rows, with and without deletion vectors. Each run starts from a copy
 * of one prepared table, each statement of each side is measured in a process of its own, and all
 * sides must end with the same rows.
 */
final class MergeBenchmark {
  static final String PREPARE = "merge-prepare";
  static final String RUN = "merge-run";

  private static final int FILES = 4;
  private static final String BASE = "base";

  /**
   * How one statement went on one side.
   *
   * @param bytes median size of the files that a run added
   * @param rows count and checksum of the table's rows after it
   */
  private record Outcome(Measurement measured, long bytes, String rows) {}

  private MergeBenchmark() {}

  static void run(Settings settings) {
    String folder = settings.path("merge-" + settings.rows());
    List<MergeSide> sides = new ArrayList<>(List.of(MergeSide.values()));
    if (sides.removeIf(side -> !side.isAvailable())) {
      System.out.println("Delta is not on the class path: start this with ./keylake bench merge");
    }
    sides.forEach(side -> prepareOnce(side, folder, settings.rows()));
    System.out.printf(
        Locale.ROOT,
        "%d keyed rows x 10 columns in %d files, 2 cores, median of %d runs after two that warm up,"
            + " each from the same prepared table, one process per line%n",
        settings.rows(),
        FILES,
        settings.runs());
    Map<MergeSide, Outcome> inserts = new LinkedHashMap<>();
    for (MergeStatement statement : MergeStatement.values()) {
      System.out.println(statement.title());
      Map<MergeSide, Outcome> outcomes = new LinkedHashMap<>();
      for (MergeSide side : sides) {
        if (statement.runsOn(side)) {
          outcomes.put(side, measured(settings, folder, side, statement));
          System.out.println(line(side, statement, outcomes, inserts));
        }
      }
      checkEqual(statement, outcomes);
      if (statement == MergeStatement.INSERT) {
        inserts.putAll(outcomes);
      }
    }
  }

  private static void prepareOnce(MergeSide side, String folder, long rows) {
    Path done = Path.of(folder, "done-" + side);
    if (Files.exists(done)) {
      return;
    }
    ChildProcess.call(PREPARE, folder, Long.toString(rows), side.name());
    try {
      Files.createFile(done);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Outcome measured(
      Settings settings, String folder, MergeSide side, MergeStatement statement) {
    List<String> flags = settings.heap() == null ? List.of() : List.of("-Xmx" + settings.heap());
    String answer =
        ChildProcess.call(
            flags, RUN, folder, Integer.toString(settings.runs()), side.name(), statement.name());
    String[] parts = answer.split(";", -1);
    return new Outcome(Measurement.parse(parts[0]), Long.parseLong(parts[1]), parts[2]);
  }

  private static String line(
      MergeSide side,
      MergeStatement statement,
      Map<MergeSide, Outcome> outcomes,
      Map<MergeSide, Outcome> inserts) {
    Outcome outcome = Objects.requireNonNull(outcomes.get(side));
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "  %-26s %-26s cpu %8.0f ms %9.2f MB written",
                side.title(),
                outcome.measured().wallText(),
                outcome.measured().cpuMillis(),
                outcome.bytes() / 1e6));
    Outcome ours = outcomes.get(MergeSide.KEYLAKE);
    Outcome insert = inserts.get(side);
    if (!side.isKeyed() && ours != null) {
      line.append(ratio("keylake is", ours, outcome));
    } else if (statement == MergeStatement.UPSERT && insert != null) {
      line.append(ratio("to INSERT", outcome, insert));
    }
    return line.toString();
  }

  private static String ratio(String title, Outcome one, Outcome other) {
    return String.format(
        Locale.ROOT,
        "   %s %.2fx wall, %.2fx cpu, %.2fx bytes",
        title,
        one.measured().wallMillis() / other.measured().wallMillis(),
        one.measured().cpuMillis() / other.measured().cpuMillis(),
        (double) one.bytes() / other.bytes());
  }

  private static void checkEqual(MergeStatement statement, Map<MergeSide, Outcome> outcomes) {
    if (outcomes.values().stream().map(Outcome::rows).distinct().count() > 1) {
      throw new IllegalStateException(
          "The sides have other rows after \"" + statement.title() + "\": " + outcomes);
    }
  }

  /** Child: makes the base table of one side, and the sources if there are none. */
  static String prepare(List<String> arguments) {
    String folder = arguments.get(1);
    long rows = Long.parseLong(arguments.get(2));
    MergeSide side = MergeSide.valueOf(arguments.get(3));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2, side.settings())) {
      SparkSession spark = session.spark();
      if (!Files.exists(Path.of(folder, "doomed", "_SUCCESS"))) {
        prepareSources(spark, folder, rows);
      }
      if (side.isKeyed()) {
        spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.bench");
      }
      Folders.delete(side.folder(folder, BASE));
      spark.sql(side.createStatement(folder, BASE, FILES));
      Dataset<Row> base = GeneratedRows.rows(spark, rows, 0);
      if (side.isKeyed()) {
        base.writeTo(side.table(folder, BASE)).append();
        spark.sql(
            "CALL lake.sys.compact(table => '"
                + side.table(folder, BASE).replace("lake.", "")
                + "', compact_strategy => 'full')");
      } else {
        base.repartitionByRange(FILES, col("k"))
            .sortWithinPartitions("k")
            .writeTo(side.table(folder, BASE))
            .append();
      }
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
    return "done";
  }

  private static void prepareSources(SparkSession spark, String folder, long rows) {
    GeneratedRows.tenth(spark, rows, 1)
        .union(GeneratedRows.rows(spark, rows + rows / 100, 1).where(col("k").$greater$eq(rows)))
        .repartition(FILES, GeneratedRows.shuffled())
        .sortWithinPartitions(GeneratedRows.shuffled())
        .write()
        .mode("overwrite")
        .parquet(folder + "/changes");
    spark
        .range(0, rows, 1, FILES)
        .where(expr("pmod(xxhash64(id, 5), 100) = 0"))
        .selectExpr("id AS k")
        .repartition(1, GeneratedRows.shuffled())
        .write()
        .mode("overwrite")
        .parquet(folder + "/doomed");
  }

  /** Child: measures one statement on one side. */
  static String measure(List<String> arguments) {
    String folder = arguments.get(1);
    int runs = Integer.parseInt(arguments.get(2));
    MergeSide side = MergeSide.valueOf(arguments.get(3));
    MergeStatement statement = MergeStatement.valueOf(arguments.get(4));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2, side.settings())) {
      SparkSession spark = session.spark();
      spark.read().parquet(folder + "/changes").createOrReplaceTempView("changes");
      spark.read().parquet(folder + "/doomed").createOrReplaceTempView("doomed");
      Path base = side.folder(folder, BASE);
      int[] copies = {0};
      Runnable restore =
          () -> {
            Folders.delete(side.folder(folder, "run" + copies[0]));
            copies[0]++;
            Folders.copy(base, side.folder(folder, "run" + copies[0]), side::isImmutable);
            // Neither side's statement shall pay for opening a table that it sees first.
            spark.sql("SELECT count(*) FROM " + side.table(folder, "run" + copies[0])).collect();
          };
      Runnable work = () -> spark.sql(statement.on(side, side.table(folder, "run" + copies[0])));
      restore.run();
      work.run();
      Measurement measured = session.measure(runs, restore, work);
      String last = "run" + copies[0];
      long bytes = Folders.newBytes(side.folder(folder, last), base);
      Row found =
          spark
              .sql(
                  "SELECT concat(count(*), ' rows, checksum ', sum(CAST(xxhash64(k, i1, l1, d1, d2,"
                      + " s1, s2, dt, m1, i2) AS DECIMAL(38,0)))) FROM "
                      + side.table(folder, last))
              .head();
      Folders.delete(side.folder(folder, last));
      return measured.text() + ";" + bytes + ";" + found.getString(0);
    }
  }
}
