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
 * A write of keyed rows in random order into an empty table of four buckets, beside Spark's
 * repartition, sort within partitions and Parquet write of the same rows from the same source.
 */
final class WriteBenchmark {
  static final String PREPARE = "write-prepare";
  static final String WRITE = "write-write";

  private static final int BUCKETS = 4;

  private WriteBenchmark() {}

  static void run(Settings settings) {
    String folder = settings.path("write-" + settings.rows());
    if (!Files.exists(Path.of(folder, "done"))) {
      ChildProcess.call(PREPARE, folder, Long.toString(settings.rows()));
    }
    Measurement ours = measured(settings, folder, "keylake");
    Measurement parquet = measured(settings, folder, "parquet");
    System.out.printf(
        Locale.ROOT,
        "%d keyed rows x 10 columns into %d buckets, 2 cores, median of %d runs after warm-up, one"
            + " process per side%nkeylake upsert               %-26s cpu %8.0f ms%nsorted Parquet"
            + " write         %-26s cpu %8.0f ms%nratio                        wall %.2fx, cpu"
            + " %.2fx%n",
        settings.rows(),
        BUCKETS,
        settings.runs(),
        ours.wallText(),
        ours.cpuMillis(),
        parquet.wallText(),
        parquet.cpuMillis(),
        ours.wallMillis() / parquet.wallMillis(),
        ours.cpuMillis() / parquet.cpuMillis());
  }

  private static Measurement measured(Settings settings, String folder, String engine) {
    return Measurement.parse(
        ChildProcess.call(WRITE, folder, Integer.toString(settings.runs()), engine));
  }

  /** Child: makes the source, in random order of its keys. */
  static String prepare(List<String> arguments) {
    String folder = arguments.get(1);
    long rows = Long.parseLong(arguments.get(2));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      GeneratedRows.rows(session.spark(), rows, 0)
          .repartition(4, GeneratedRows.shuffled())
          .sortWithinPartitions(GeneratedRows.shuffled())
          .write()
          .mode("overwrite")
          .parquet(folder + "/source");
      Files.createFile(Path.of(folder, "done"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "done";
  }

  /** Child: measures one side. */
  static String write(List<String> arguments) {
    String folder = arguments.get(1);
    int runs = Integer.parseInt(arguments.get(2));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      SparkSession spark = session.spark();
      Dataset<Row> source = spark.read().parquet(folder + "/source");
      if (arguments.get(3).equals("parquet")) {
        return session
            .measure(
                runs,
                () ->
                    source
                        .repartition(BUCKETS, col("k"))
                        .sortWithinPartitions("k")
                        .write()
                        .mode("overwrite")
                        .parquet(folder + "/out"))
            .text();
      }
      spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.bench");
      return session.measure(runs, () -> upsert(spark, source)).text();
    }
  }

  private static void upsert(SparkSession spark, Dataset<Row> source) {
    spark.sql("DROP TABLE IF EXISTS lake.bench.upsert");
    spark.sql(
        "CREATE TABLE lake.bench.upsert (k BIGINT, i1 INT, l1 BIGINT, d1 DOUBLE, d2 DOUBLE, s1"
            + " STRING, s2 STRING, dt DATE, m1 DECIMAL(18,2), i2 INT, PRIMARY KEY (k) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket' = '"
            + BUCKETS
            + "')");
    try {
      source.writeTo("lake.bench.upsert").append();
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }
}
