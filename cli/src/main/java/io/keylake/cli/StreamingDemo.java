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

package io.keylake.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A chain of tables that stream into each other: events of two systems, out of order and partly
 * twice, make whole orders; the changes of the orders are summed up. Printed while it runs, and
 * compared with how the orders really are at the end.
 */
final class StreamingDemo {
  private static final long SEED = 42;
  private static final int CHANGES_PER_SECOND = 200;
  private static final int SECONDS_BETWEEN_VIEWS = 10;
  private static final long SECOND_MILLIS = 1000;

  private static final String ORDERS =
      """
      CREATE TABLE orders (
        order_id BIGINT,
        status STRING, status_number BIGINT,
        cents BIGINT, cents_number BIGINT,
        PRIMARY KEY (order_id) NOT ENFORCED
      ) TBLPROPERTIES (
        'merge-engine' = 'partial-update',
        'fields.status_number.sequence-group' = 'status',
        'fields.cents_number.sequence-group' = 'cents',
        'changelog-producer' = 'lookup',
        'bucket' = '2'
      )\
      """;

  private static final String TOTALS =
      """
      CREATE TABLE totals (
        status STRING, orders BIGINT, cents BIGINT,
        PRIMARY KEY (status) NOT ENFORCED
      ) TBLPROPERTIES (
        'merge-engine' = 'aggregation',
        'fields.orders.aggregate-function' = 'sum',
        'fields.cents.aggregate-function' = 'sum',
        'bucket' = '1'
      )\
      """;

  private static final String SHOWN =
      "SELECT status, orders, cents FROM totals WHERE orders > 0 ORDER BY status";

  private final SparkSession spark;
  private final PrintStream out;
  private final Path folder;
  private final CdcEvents events = new CdcEvents(SEED);
  private int files;

  /** A demo in the session's catalog, with its events and checkpoints in {@code folder}. */
  StreamingDemo(SparkSession spark, PrintStream out, Path folder) {
    this.spark = spark;
    this.out = out;
    this.folder = folder;
  }

  /** Runs for some time; whether the sums are right in the end. */
  boolean run(int seconds) {
    try {
      return stream(seconds);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write events into " + folder, e);
    } catch (StreamingQueryException | TimeoutException e) {
      out.println(ErrorReport.of(e));
      return false;
    }
  }

  private boolean stream(int seconds)
      throws IOException, StreamingQueryException, TimeoutException {
    shows(
        "Events of two systems come late, in no order, and some of them twice. Each column of an");
    shows("order goes by the number that its own system gives: partial-update, sequence groups.");
    statement(ORDERS);
    shows("The changes of the orders, before and after, are added up: nothing is computed anew.");
    statement(TOTALS);
    Files.createDirectories(folder.resolve("events"));
    deliver(events.next(CHANGES_PER_SECOND));
    StreamingQuery ingest = ingest();
    StreamingQuery sums = sums();
    try {
      for (int second = 1; second <= seconds; second++) {
        if (sums.awaitTermination(SECOND_MILLIS)) {
          break;
        }
        deliver(events.next(CHANGES_PER_SECOND));
        if (second % SECONDS_BETWEEN_VIEWS == 0) {
          view(second, ingest, sums);
        }
      }
      deliver(events.rest());
      ingest.processAllAvailable();
      sums.processAllAvailable();
    } finally {
      sums.stop();
      ingest.stop();
    }
    view(seconds, ingest, sums);
    return isRight();
  }

  private StreamingQuery ingest() throws TimeoutException {
    return spark
        .readStream()
        .schema(
            "order_id BIGINT, status STRING, status_number BIGINT, cents BIGINT, cents_number"
                + " BIGINT")
        .json(folder.resolve("events").toString())
        .writeStream()
        .option("checkpointLocation", folder.resolve("checkpoints/orders").toString())
        .trigger(Trigger.ProcessingTime(SECOND_MILLIS))
        .toTable("orders");
  }

  private StreamingQuery sums() throws TimeoutException {
    Dataset<Row> changes =
        spark
            .readStream()
            .changes("orders")
            .selectExpr(
                "coalesce(status, '') AS status",
                "coalesce(cents, 0) AS cents",
                "if(_change_type IN ('insert', 'update_postimage'), 1, -1) AS sign")
            .selectExpr("status", "CAST(sign AS BIGINT) AS orders", "sign * cents AS cents");
    return changes
        .writeStream()
        .option("checkpointLocation", folder.resolve("checkpoints/totals").toString())
        .trigger(Trigger.ProcessingTime(SECOND_MILLIS))
        .toTable("totals");
  }

  private void deliver(List<String> delivered) throws IOException {
    Path hidden = folder.resolve("events/." + files);
    Files.write(hidden, delivered);
    Files.move(hidden, folder.resolve("events/%06d.json".formatted(files)));
    files++;
  }

  private void view(int second, StreamingQuery ingest, StreamingQuery sums) {
    out.printf(
        Locale.ROOT,
        "%nAfter %d s: %s. Epochs: orders %d, totals %d.%n%n",
        second,
        events.summary(),
        epochs(ingest),
        epochs(sums));
    new StatementRunner(spark, ResultFormat.TABLE.printer(), out).run(SHOWN);
    out.flush();
  }

  private static long epochs(StreamingQuery query) {
    return query.lastProgress() == null ? 0 : query.lastProgress().batchId() + 1;
  }

  private boolean isRight() {
    List<String> summed =
        spark.sql(SHOWN).collectAsList().stream().map(row -> row.mkString(",")).toList();
    boolean right = summed.equals(events.totals());
    out.println();
    out.println(
        right
            ? "The sums are those of the orders as they really are: each event counted once."
            : "The sums are wrong, they should be " + events.totals() + ".");
    return right;
  }

  private void shows(String line) {
    out.println(line);
  }

  private void statement(String sql) {
    out.println();
    out.println(sql.indent(4).stripTrailing() + ";");
    out.println();
    out.flush();
    spark.sql(sql);
  }
}
