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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;

/**
 * A full compaction of five overlapping runs in one bucket, beside reading the same stored rows and
 * writing them sorted by key with Spark's Parquet writer: as a global sort on all cores, and inside
 * one task, which spares the shuffle. About two fifths of the stored rows are older versions of
 * other rows.
 */
final class CompactBenchmark {
  static final String PREPARE = "compact-prepare";
  static final String COMPACT = "compact-compact";

  private static final int RUNS = 5;
  private static final String SOURCE = "runs";

  private enum Side {
    KEYLAKE("keylake full compaction"),
    SORTED("Parquet, global sort"),
    ONE_TASK("Parquet, sort in one task");

    private final String title;

    Side(String title) {
      this.title = title;
    }
  }

  private CompactBenchmark() {}

  static void run(Settings settings) {
    String folder = settings.path("compact-" + settings.rows());
    if (!Files.exists(Path.of(folder, "done"))) {
      ChildProcess.call(List.of(), PREPARE, folder, Long.toString(settings.rows()));
    }
    long rows = RUNS * settings.rows();
    double megabytes =
        Folders.bytes(Path.of(folder, "lake", "bench.db", SOURCE), CompactBenchmark::isData) / 1e6;
    System.out.printf(
        Locale.ROOT,
        "%d runs x %d keyed rows x 10 columns in one bucket, %.0f MB, 2 cores, median of %d runs"
            + " after one that warms up, one process per side%s%n",
        RUNS,
        settings.rows(),
        megabytes,
        settings.runs(),
        settings.heap() == null ? "" : " of -Xmx" + settings.heap());
    Measurement ours = measured(settings, folder, Side.KEYLAKE);
    line(Side.KEYLAKE, ours, rows, megabytes, "");
    for (Side side : List.of(Side.SORTED, Side.ONE_TASK)) {
      Measurement peer = measured(settings, folder, side);
      String ratio =
          String.format(
              Locale.ROOT,
              "   keylake: wall %.2fx, cpu %.2fx",
              ours.wallMillis() / peer.wallMillis(),
              ours.cpuMillis() / peer.cpuMillis());
      line(side, peer, rows, megabytes, ratio);
    }
  }

  private static void line(
      Side side, Measurement measured, long rows, double megabytes, String ratio) {
    System.out.printf(
        Locale.ROOT,
        "%-26s %-26s cpu %8.0f ms %10.0f rows/s %8.1f MB/s%s%n",
        side.title,
        measured.wallText(),
        measured.cpuMillis(),
        rows / measured.wallMillis() * 1e3,
        megabytes / measured.wallMillis() * 1e3,
        ratio);
  }

  private static Measurement measured(Settings settings, String folder, Side side) {
    List<String> flags = settings.heap() == null ? List.of() : List.of("-Xmx" + settings.heap());
    return Measurement.parse(
        ChildProcess.call(flags, COMPACT, folder, Integer.toString(settings.runs()), side.name()));
  }

  /** Child: makes the table with its runs and their Parquet twins. */
  static String prepare(List<String> arguments) {
    String folder = arguments.get(1);
    long rows = Long.parseLong(arguments.get(2));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      SparkSession spark = session.spark();
      spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.bench");
      spark.sql("DROP TABLE IF EXISTS lake.bench." + SOURCE);
      spark.sql(
          "CREATE TABLE lake.bench."
              + SOURCE
              + " (k BIGINT, i1 INT, l1 BIGINT, d1 DOUBLE, d2 DOUBLE, s1 STRING, s2 STRING, dt"
              + " DATE, m1 DECIMAL(18,2), i2 INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES"
              + " ('bucket' = '1', 'write-only' = 'true')");
      for (int i = 0; i < RUNS; i++) {
        Dataset<Row> run = GeneratedRows.run(spark, rows, i);
        run.writeTo("lake.bench." + SOURCE).append();
        run.coalesce(1)
            .sortWithinPartitions("k")
            .write()
            .mode(i == 0 ? "overwrite" : "append")
            .parquet(folder + "/stored");
      }
      Files.createFile(Path.of(folder, "done"));
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "done";
  }

  /** Child: measures one side. */
  static String compact(List<String> arguments) {
    String folder = arguments.get(1);
    int runs = Integer.parseInt(arguments.get(2));
    Side side = Side.valueOf(arguments.get(3));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      SparkSession spark = session.spark();
      if (side == Side.KEYLAKE) {
        Path tables = Path.of(folder, "lake", "bench.db");
        Measurement measured =
            session.measure(
                runs,
                () ->
                    Folders.copy(
                        tables.resolve(SOURCE), tables.resolve("copy"), CompactBenchmark::isData),
                () ->
                    spark.sql(
                        "CALL lake.sys.compact(table => 'bench.copy', compact_strategy =>"
                            + " 'full')"));
        checkCompacted(spark);
        return measured.text();
      }
      Dataset<Row> stored = spark.read().parquet(folder + "/stored");
      Dataset<Row> sorted =
          side == Side.SORTED
              ? stored.orderBy(col("k"))
              : stored.coalesce(1).sortWithinPartitions("k");
      return session
          .measure(
              runs, () -> {}, () -> sorted.write().mode("overwrite").parquet(folder + "/sorted"))
          .text();
    }
  }

  /** A compaction that did nothing would be fast. */
  private static void checkCompacted(SparkSession spark) {
    Row found =
        spark
            .sql(
                "SELECT count(DISTINCT level), min(level), sum(record_count) - (SELECT count(*)"
                    + " FROM lake.bench.copy) FROM `lake`.`bench`.`copy$files`")
            .head();
    if (found.getLong(0) != 1 || found.getInt(1) == 0 || found.getLong(2) != 0) {
      throw new IllegalStateException("The table is not fully compacted: " + found);
    }
  }

  private static boolean isData(String fileName) {
    return fileName.startsWith("data-");
  }
}
