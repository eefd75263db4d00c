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

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;

/**
 * What a trigger of a stream costs the driver when the table has nothing new: Spark's own count of
 * the whole trigger, over a table of few and of many snapshots.
 */
final class IdleTriggerBenchmark {
  static final String RUN = "changes-idle";

  private static final List<Integer> SNAPSHOTS = List.of(10, 300);
  private static final int TRIGGERS = 200;
  private static final long MILLIS_BETWEEN = 10;

  private IdleTriggerBenchmark() {}

  static void run(Settings settings) {
    System.out.printf(
        Locale.ROOT, "idle trigger of a stream, median and slowest of %d%n", TRIGGERS);
    for (int snapshots : SNAPSHOTS) {
      String times =
          ChildProcess.call(RUN, settings.path("idle-" + snapshots), Integer.toString(snapshots));
      System.out.printf(Locale.ROOT, "  table of %d snapshots: %s%n", snapshots, times.trim());
    }
  }

  /** Child: makes a table and streams it until enough triggers found nothing. */
  static String measure(List<String> arguments) {
    String folder = arguments.get(1);
    int snapshots = Integer.parseInt(arguments.get(2));
    Map<String, String> everyTrigger =
        Map.of(
            "spark.sql.streaming.noDataProgressEventInterval",
            "0",
            "spark.sql.streaming.numRecentProgressUpdates",
            Integer.toString(2 * TRIGGERS));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2, everyTrigger)) {
      SparkSession spark = session.spark();
      spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.bench");
      spark.sql("DROP TABLE IF EXISTS lake.bench.idle");
      spark.sql(
          "CREATE TABLE lake.bench.idle (k INT, v INT) TBLPROPERTIES ('primary-key' = 'k',"
              + " 'bucket' = '1', 'changelog-producer' = 'input', 'write-only' = 'true')");
      for (int i = 0; i < snapshots; i++) {
        spark.sql("INSERT INTO lake.bench.idle VALUES (" + i + ", 0)");
      }
      StreamingQuery query =
          spark
              .readStream()
              .table("lake.bench.idle")
              .writeStream()
              .format("noop")
              .trigger(Trigger.ProcessingTime(MILLIS_BETWEEN))
              .start();
      query.processAllAvailable();
      int busy = query.recentProgress().length;
      while (query.recentProgress().length < busy + TRIGGERS) {
        query.awaitTermination(MILLIS_BETWEEN);
      }
      query.stop();
      return text(query.recentProgress(), busy);
    } catch (TimeoutException | StreamingQueryException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(StreamingQueryProgress[] all, int busy) {
    long[] millis =
        Arrays.stream(all)
            .skip(busy)
            .filter(progress -> progress.numInputRows() == 0)
            .mapToLong(progress -> progress.durationMs().get("triggerExecution"))
            .sorted()
            .toArray();
    return String.format(
        Locale.ROOT, "%d ms, %d ms", millis[millis.length / 2], millis[millis.length - 1]);
  }
}
