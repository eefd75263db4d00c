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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;

/**
 * A join and an aggregation on bucket keys, with the layout of the buckets reported to Spark and
 * without, when it shuffles both sides. Tables have the same keys in buckets of the same number, or
 * of twice the number, each in a file of the top level under one of a tenth of the keys at level 0.
 */
final class JoinBenchmark {
  static final String PREPARE = "join-prepare";
  static final String RUN = "join-run";

  private static final Map<String, Integer> BUCKETS = Map.of("a", 4, "b", 4, "c", 8);
  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.sql.extensions",
          "io.keylake.extensions.KeylakeExtensions",
          "spark.sql.autoBroadcastJoinThreshold",
          "-1");

  /** What is measured. */
  private enum Query {
    JOIN(
        "join on the key, 4 and 4 buckets",
        "SELECT count(*), sum(a.l1 % 1000 + b.i1), max(concat(a.s1, b.s2)) FROM lake.bench.a a"
            + " JOIN lake.bench.b b ON a.k = b.k"),
    JOIN_OF_OTHER_COUNT(
        "join on the key, 4 and 8 buckets",
        "SELECT count(*), sum(a.l1 % 1000 + c.i1), max(concat(a.s1, c.s2)) FROM lake.bench.a a"
            + " JOIN lake.bench.c c ON a.k = c.k"),
    AGGREGATION(
        "aggregation by the key",
        "SELECT count(*), sum(l), max(s) FROM (SELECT k, sum(l1 % 1000) AS l, max(s1) AS s"
            + " FROM lake.bench.a GROUP BY k)");

    private final String title;
    private final String text;

    Query(String title, String text) {
      this.title = title;
      this.text = text;
    }
  }

  /** Whether Spark is told of the layout: values of the read option. */
  private enum Layout {
    AUTO("layout reported"),
    NEVER("shuffled");

    private final String title;

    Layout(String title) {
      this.title = title;
    }
  }

  /**
   * How a query went.
   *
   * @param measured times
   * @param shuffled bytes that a run wrote for shuffles
   * @param rows the result
   */
  private record Outcome(Measurement measured, long shuffled, String rows) {}

  private JoinBenchmark() {}

  static void run(Settings settings) {
    String folder = settings.path("join-" + settings.rows());
    prepareOnce(folder, settings.rows());
    System.out.printf(
        Locale.ROOT,
        "Tables of %d keyed rows x 10 columns, 2 cores, median of %d runs after three that warm up,"
            + " one process per line%n",
        settings.rows(),
        settings.runs());
    for (Query query : Query.values()) {
      System.out.println(query.title);
      Outcome reported = measured(settings, folder, query, Layout.AUTO);
      System.out.println(line(Layout.AUTO, reported));
      Outcome shuffled = measured(settings, folder, query, Layout.NEVER);
      System.out.printf(
          Locale.ROOT,
          "%s   layout reported is %.2fx wall, %.2fx cpu%n",
          line(Layout.NEVER, shuffled),
          reported.measured().wallMillis() / shuffled.measured().wallMillis(),
          reported.measured().cpuMillis() / shuffled.measured().cpuMillis());
      if (!reported.rows().equals(shuffled.rows())) {
        throw new IllegalStateException(
            "\"" + query.title + "\" has other rows: " + reported + ", " + shuffled);
      }
    }
  }

  private static String line(Layout layout, Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "  %-16s %-26s cpu %8.0f ms %9.2f MB shuffled   %s",
        layout.title,
        outcome.measured().wallText(),
        outcome.measured().cpuMillis(),
        outcome.shuffled() / 1e6,
        outcome.rows());
  }

  private static void prepareOnce(String folder, long rows) {
    Path done = Path.of(folder, "done");
    if (Files.exists(done)) {
      return;
    }
    ChildProcess.call(PREPARE, folder, Long.toString(rows));
    try {
      Files.createFile(done);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Outcome measured(Settings settings, String folder, Query query, Layout layout) {
    List<String> flags = settings.heap() == null ? List.of() : List.of("-Xmx" + settings.heap());
    String answer =
        ChildProcess.call(
            flags, RUN, folder, Integer.toString(settings.runs()), query.name(), layout.name());
    String[] parts = answer.split(";", -1);
    return new Outcome(Measurement.parse(parts[0]), Long.parseLong(parts[1]), parts[2]);
  }

  /** Child: makes the tables. */
  static String prepare(List<String> arguments) {
    String folder = arguments.get(1);
    long rows = Long.parseLong(arguments.get(2));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2, SETTINGS)) {
      SparkSession spark = session.spark();
      spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.bench");
      for (Map.Entry<String, Integer> table : BUCKETS.entrySet()) {
        String name = "lake.bench." + table.getKey();
        spark.sql("DROP TABLE IF EXISTS " + name);
        spark.sql(
            "CREATE TABLE "
                + name
                + " (k BIGINT NOT NULL, i1 INT, l1 BIGINT, d1 DOUBLE, d2 DOUBLE, s1 STRING,"
                + " s2 STRING, dt DATE, m1 DECIMAL(18,2), i2 INT, PRIMARY KEY (k) NOT ENFORCED)"
                + " TBLPROPERTIES ('bucket' = '"
                + table.getValue()
                + "')");
        GeneratedRows.rows(spark, rows, 0).writeTo(name).append();
        spark.sql(
            "CALL lake.sys.compact(table => 'bench."
                + table.getKey()
                + "', compact_strategy => 'full')");
        GeneratedRows.tenth(spark, rows, 1).writeTo(name).append();
      }
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
    return "done";
  }

  /** Child: measures one query. */
  static String measure(List<String> arguments) {
    String folder = arguments.get(1);
    int runs = Integer.parseInt(arguments.get(2));
    Query query = Query.valueOf(arguments.get(3));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2, SETTINGS)) {
      SparkSession spark = session.spark();
      spark
          .conf()
          .set("spark.keylake.read.report-partitioning", arguments.get(4).toLowerCase(Locale.ROOT));
      Measurement measured = session.measure(runs, () -> spark.sql(query.text).collect());
      long before = session.shuffledBytes();
      String rows = spark.sql(query.text).head().mkString(", ");
      long shuffled = session.shuffledBytes() - before;
      return measured.text() + ";" + shuffled + ";" + rows;
    }
  }
}
