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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Scans of primary-key tables beside {@code spark.read.parquet} of the same rows: as written by one
 * insert (raw), with five overlapping upserts of a tenth of the keys each (merged), and with four
 * of them in tables whose engines fold rows (aggregation, partial-update). Two cores, two buckets,
 * two Parquet files, the same codec.
 */
final class ScanBenchmark {
  static final String PREPARE = "scan-prepare";
  static final String QUERY = "scan-query";

  private static final String KEYLAKE = "keylake";
  private static final String VISIBLE = "parquet";
  private static final String STORED = "stored";

  private enum Variant {
    RAW(0, ""),
    MERGED(5, ""),
    SUMMED(
        4,
        ", 'merge-engine' = 'aggregation', 'fields.i1.aggregate-function' = 'max',"
            + " 'fields.l1.aggregate-function' = 'min', 'fields.d1.aggregate-function' = 'sum',"
            + " 'fields.d2.aggregate-function' = 'sum', 'fields.m1.aggregate-function' = 'sum'"),
    PARTIAL(4, ", 'merge-engine' = 'partial-update'");

    private final int upserts;
    private final String properties;

    Variant(int upserts, String properties) {
      this.upserts = upserts;
      this.properties = properties;
    }

    private boolean measures(Query query) {
      return properties.isEmpty() || (query != Query.COUNT && query != Query.SELECTIVE);
    }
  }

  private enum Query {
    KEY_AND_NUMERIC("key and 1 numeric"),
    NUMERICS("4 numeric columns"),
    ALL_COLUMNS("all columns"),
    COUNT("count(*)"),
    SELECTIVE("filter on 1 % of the keys");

    private final String title;

    Query(String title) {
      this.title = title;
    }

    private void run(Dataset<Row> table, long rows) {
      switch (this) {
        case KEY_AND_NUMERIC -> table.selectExpr("max(k)", "sum(d1)").collectAsList();
        case NUMERICS ->
            table.selectExpr("sum(i1)", "max(l1)", "sum(d1)", "sum(d2)").collectAsList();
        case ALL_COLUMNS -> table.write().format("noop").mode("overwrite").save();
        case COUNT -> table.selectExpr("count(*)").collectAsList();
        case SELECTIVE ->
            table
                .where(col("k").between(rows / 2, rows / 2 + rows / 100))
                .selectExpr("sum(d1)", "max(s1)")
                .collectAsList();
      }
    }
  }

  private ScanBenchmark() {}

  static void run(Settings settings) {
    String folder = settings.path("scan-" + settings.rows());
    if (!Files.exists(Path.of(folder, "done"))) {
      ChildProcess.call(PREPARE, folder, Long.toString(settings.rows()));
    }
    System.out.printf(
        Locale.ROOT,
        "%d rows x 10 columns, 2 cores, median of %d runs after warm-up, one process per line and"
            + " side; ratios to plain Parquet%nwith the rows that are stored (merged: 1.5 times"
            + " those that are visible, summed and partial: 1.4 times), and in brackets with the"
            + " rows that are visible%n%-8s %-26s %-16s %-16s %10s   %-24s %-24s%n",
        settings.rows(),
        settings.runs(),
        "table",
        "query",
        "wall",
        "cpu",
        "cpu ns/row",
        "keylake",
        "parquet, stored rows");
    for (Variant variant : Variant.values()) {
      for (Query query : Query.values()) {
        if (variant.measures(query)) {
          line(settings, folder, variant, query);
        }
      }
    }
  }

  private static void line(Settings settings, String folder, Variant variant, Query query) {
    Measurement ours = measured(settings, folder, KEYLAKE, variant, query);
    Measurement visible = measured(settings, folder, VISIBLE, variant, query);
    Measurement stored =
        variant == Variant.RAW ? visible : measured(settings, folder, STORED, variant, query);
    System.out.printf(
        Locale.ROOT,
        "%-8s %-26s %6.2fx (%5.2fx) %6.2fx (%5.2fx) %10.1f   %-24s %-24s%n",
        variant.name().toLowerCase(Locale.ROOT),
        query.title,
        ours.wallMillis() / stored.wallMillis(),
        ours.wallMillis() / visible.wallMillis(),
        ours.cpuMillis() / stored.cpuMillis(),
        ours.cpuMillis() / visible.cpuMillis(),
        ours.cpuMillis() * 1e6 / settings.rows(),
        ours.wallText(),
        stored.wallText());
  }

  private static Measurement measured(
      Settings settings, String folder, String engine, Variant variant, Query query) {
    return Measurement.parse(
        ChildProcess.call(
            QUERY,
            folder,
            Long.toString(settings.rows()),
            Integer.toString(settings.runs()),
            engine,
            variant.name(),
            query.name()));
  }

  /** Child: makes the tables and their Parquet twins. */
  static String prepare(List<String> arguments) {
    String folder = arguments.get(1);
    long rows = Long.parseLong(arguments.get(2));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      SparkSession spark = session.spark();
      spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.bench");
      for (Variant variant : Variant.values()) {
        String table = "lake.bench." + variant.name().toLowerCase(Locale.ROOT);
        spark.sql("DROP TABLE IF EXISTS " + table);
        spark.sql(
            "CREATE TABLE "
                + table
                + " (k BIGINT, i1 INT, l1 BIGINT, d1 DOUBLE, d2 DOUBLE, s1 STRING, s2 STRING, dt"
                + " DATE, m1 DECIMAL(18,2), i2 INT, PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES"
                + " ('bucket' = '2', 'write-only' = 'true'"
                + variant.properties
                + ")");
        insert(GeneratedRows.rows(spark, rows, 0), table);
        twin(GeneratedRows.rows(spark, rows, 0), folder, variant, STORED);
        for (int i = 1; i <= variant.upserts; i++) {
          Dataset<Row> upsert = GeneratedRows.tenth(spark, rows, i);
          insert(upsert, table);
          twin(upsert, folder, variant, STORED);
        }
        twin(spark.table(table), folder, variant, VISIBLE);
      }
      Files.createFile(Path.of(folder, "done"));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return "done";
  }

  private static void insert(Dataset<Row> rows, String table) {
    try {
      rows.writeTo(table).append();
    } catch (org.apache.spark.sql.catalyst.analysis.NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds rows, sorted by key in two files, as the table stores those of one insert. */
  private static void twin(Dataset<Row> rows, String folder, Variant variant, String side) {
    rows.repartition(2, col("k"))
        .sortWithinPartitions("k")
        .write()
        .mode("append")
        .parquet(folderOf(folder, variant, side));
  }

  private static String folderOf(String folder, Variant variant, String side) {
    return folder + "/" + side + "-" + variant.name().toLowerCase(Locale.ROOT);
  }

  /** Child: measures one query. */
  static String query(List<String> arguments) {
    String folder = arguments.get(1);
    long rows = Long.parseLong(arguments.get(2));
    int runs = Integer.parseInt(arguments.get(3));
    Variant variant = Variant.valueOf(arguments.get(5));
    Query query = Query.valueOf(arguments.get(6));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      SparkSession spark = session.spark();
      String side = arguments.get(4);
      String table = "lake.bench." + variant.name().toLowerCase(Locale.ROOT);
      return session
          .measure(
              runs,
              () ->
                  query.run(
                      side.equals(KEYLAKE)
                          ? spark.table(table)
                          : spark.read().parquet(folderOf(folder, variant, side)),
                      rows))
          .text();
    }
  }
}
