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
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;

/**
 * An upsert of a tenth of the keys of a table of four buckets, and as many new ones, with a
 * changelog beside the same without one. Each run starts from a copy of one compacted table.
 */
final class ProducingBenchmark {
  static final String PREPARE = "changes-produce-prepare";
  static final String RUN = "changes-produce";

  private static final int BUCKETS = 4;
  private static final String BASE = "base";
  private static final List<String> PRODUCERS = List.of("none", "input", "lookup");

  private ProducingBenchmark() {}

  static void run(Settings settings) {
    String folder = settings.path("changes-" + settings.rows());
    if (!Files.exists(Path.of(folder, "done"))) {
      ChildProcess.call(PREPARE, folder, Long.toString(settings.rows()));
    }
    System.out.printf(
        Locale.ROOT,
        "upsert of %d rows into a table of %d keyed rows x 10 columns in %d buckets, 2 cores,"
            + " median of %d runs after two that warm up, one process per line%n",
        settings.rows() / 5,
        settings.rows(),
        BUCKETS,
        settings.runs());
    Map<String, Measurement> measured = new TreeMap<>();
    for (String producer : PRODUCERS) {
      Measurement own =
          Measurement.parse(
              ChildProcess.call(RUN, folder, Integer.toString(settings.runs()), producer));
      measured.put(producer, own);
      Measurement plain = Objects.requireNonNull(measured.get("none"));
      System.out.printf(
          Locale.ROOT,
          "  changelog-producer %-10s %-26s cpu %8.0f ms   %.2fx wall, %.2fx cpu%n",
          producer,
          own.wallText(),
          own.cpuMillis(),
          own.wallMillis() / plain.wallMillis(),
          own.cpuMillis() / plain.cpuMillis());
    }
  }

  /** Child: makes the tables and the source, which is in random order. */
  static String prepare(List<String> arguments) {
    String folder = arguments.get(1);
    long rows = Long.parseLong(arguments.get(2));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      SparkSession spark = session.spark();
      spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.bench");
      for (String producer : PRODUCERS) {
        String table = table(producer, BASE);
        spark.sql("DROP TABLE IF EXISTS lake.bench." + table);
        spark.sql(
            "CREATE TABLE lake.bench."
                + table
                + " (k BIGINT, i1 INT, l1 BIGINT, d1 DOUBLE, d2 DOUBLE, s1 STRING, s2 STRING, dt"
                + " DATE, m1 DECIMAL(18,2), i2 INT, PRIMARY KEY (k) NOT ENFORCED)"
                + " TBLPROPERTIES ('bucket' = '"
                + BUCKETS
                + "', 'changelog-producer' = '"
                + producer
                + "')");
        GeneratedRows.rows(spark, rows, 0).writeTo("lake.bench." + table).append();
        spark.sql(
            "CALL lake.sys.compact(table => 'bench." + table + "', compact_strategy => 'full')");
      }
      GeneratedRows.tenth(spark, rows, 1)
          .union(GeneratedRows.rows(spark, rows + rows / 10, 1).where(col("k").$greater$eq(rows)))
          .repartition(BUCKETS, GeneratedRows.shuffled())
          .sortWithinPartitions(GeneratedRows.shuffled())
          .write()
          .mode("overwrite")
          .parquet(folder + "/source");
      Files.createFile(Path.of(folder, "done"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
    return "done";
  }

  /** Child: measures one producer. */
  static String measure(List<String> arguments) {
    String folder = arguments.get(1);
    int runs = Integer.parseInt(arguments.get(2));
    String producer = arguments.get(3);
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      SparkSession spark = session.spark();
      Dataset<Row> source = spark.read().parquet(folder + "/source");
      Path base = place(folder, table(producer, BASE));
      int[] copies = {0};
      Runnable restore =
          () -> {
            Folders.delete(place(folder, table(producer, "run" + copies[0])));
            copies[0]++;
            String table = table(producer, "run" + copies[0]);
            Folders.copy(base, place(folder, table), name -> name.endsWith(".parquet"));
            spark.sql("SELECT count(*) FROM lake.bench." + table).collect();
          };
      Runnable work = () -> upsert(source, table(producer, "run" + copies[0]));
      restore.run();
      work.run();
      return session.measure(runs, restore, work).text();
    }
  }

  private static void upsert(Dataset<Row> source, String table) {
    try {
      source.writeTo("lake.bench." + table).append();
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String table(String producer, String name) {
    return producer + "_" + name;
  }

  private static Path place(String folder, String table) {
    return Path.of(folder, "lake", "bench.db", table);
  }
}
