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
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;

/**
 * Reading change rows that are stored in changelog files, beside a plain Parquet scan of the same
 * rows: all columns, and few columns with a condition on the kind.
 */
final class ChangesBenchmark {
  static final String PREPARE = "changes-read-prepare";
  static final String RUN = "changes-read";

  private static final int BUCKETS = 4;
  private static final List<String> QUERIES = List.of("all", "few");

  private ChangesBenchmark() {}

  static void run(Settings settings) {
    String folder = settings.path("changes-read-" + settings.rows());
    if (!Files.exists(Path.of(folder, "done"))) {
      ChildProcess.call(PREPARE, folder, Long.toString(settings.rows()));
    }
    System.out.printf(
        Locale.ROOT,
        "read of %d change rows x 10 columns in %d buckets, 2 cores, median of %d runs after"
            + " three that warm up, one process per line%n",
        settings.rows(),
        BUCKETS,
        settings.runs());
    for (String query : QUERIES) {
      Measurement plain = measured(folder, settings, "parquet", query);
      Measurement changes = measured(folder, settings, "changes", query);
      print("parquet, " + query, plain, plain);
      print("CHANGES, " + query, changes, plain);
    }
  }

  private static Measurement measured(
      String folder, Settings settings, String source, String query) {
    return Measurement.parse(
        ChildProcess.call(RUN, folder, Integer.toString(settings.runs()), source, query));
  }

  private static void print(String what, Measurement own, Measurement plain) {
    System.out.printf(
        Locale.ROOT,
        "  %-16s %-26s cpu %8.0f ms   %.2fx wall, %.2fx cpu%n",
        what,
        own.wallText(),
        own.cpuMillis(),
        own.wallMillis() / plain.wallMillis(),
        own.cpuMillis() / plain.cpuMillis());
  }

  /** Child: makes the table with its changelog, and the same rows as Parquet files. */
  static String prepare(List<String> arguments) {
    String folder = arguments.get(1);
    long rows = Long.parseLong(arguments.get(2));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      SparkSession spark = session.spark();
      spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.bench");
      spark.sql("DROP TABLE IF EXISTS lake.bench.changing");
      spark.sql(
          "CREATE TABLE lake.bench.changing (k BIGINT, i1 INT, l1 BIGINT, d1 DOUBLE, d2 DOUBLE, s1"
              + " STRING, s2 STRING, dt DATE, m1 DECIMAL(18,2), i2 INT, PRIMARY KEY (k) NOT"
              + " ENFORCED) TBLPROPERTIES ('bucket' = '"
              + BUCKETS
              + "', 'changelog-producer' = 'input')");
      GeneratedRows.rows(spark, rows, 0).writeTo("lake.bench.changing").append();
      spark
          .table("lake.bench.changing")
          .repartition(BUCKETS, org.apache.spark.sql.functions.col("k"))
          .sortWithinPartitions("k")
          .write()
          .mode("overwrite")
          .parquet(folder + "/plain");
      Files.createFile(Path.of(folder, "done"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
    return "done";
  }

  /** Child: measures one query over one source. */
  static String measure(List<String> arguments) {
    String folder = arguments.get(1);
    int runs = Integer.parseInt(arguments.get(2));
    boolean isParquet = arguments.get(3).equals("parquet");
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      SparkSession spark = session.spark();
      Dataset<Row> rows =
          isParquet
              ? spark.read().parquet(folder + "/plain")
              : spark.read().option("startingVersion", "1").changes("lake.bench.changing");
      Dataset<Row> query =
          arguments.get(4).equals("all")
              ? rows
              : rows.where(isParquet ? "k >= 0" : "_change_type = 'insert'")
                  .select("k", "l1", "s1");
      return session
          .measure(runs, () -> {}, () -> query.write().format("noop").mode("overwrite").save())
          .text();
    }
  }
}
