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

package io.keylake.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Compacts, rescales and expires tables and removes their orphan files while another process writes
 * to them, in rounds until it is told to stop. A round does everything once with every table, in
 * random order; expiry and the removal of orphans come once more at the end. Only a rescale may
 * meet a conflict, which has to be named.
 */
final class MaintenanceLoop {
  /** So many snapshots stay that no statement runs for as long as they are made. */
  static final int RETAINED = 10;

  /** What tables of fixed buckets begin with. */
  static final int FIRST_BUCKETS = 2;

  private static final int MOST_BUCKETS = 5;

  private enum Task {
    COMPACT,
    COMPACT_MANIFEST,
    RESCALE,
    EXPIRE,
    REMOVE_ORPHANS
  }

  private record Step(Task task, String table) {}

  private final SparkSession spark;
  private final Path warehouse;
  private final RunningStatement writer;
  private final Random random;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Map<String, Integer> buckets = new HashMap<>();
  private final Map<String, Long> counters = new TreeMap<>();

  MaintenanceLoop(SparkSession spark, Path warehouse, long seed) {
    this.spark = spark;
    this.warehouse = warehouse;
    this.writer = RunningStatement.in(warehouse);
    this.random = new Random(seed);
  }

  /** Ends the loop, once the first round is complete. */
  void stop() {
    stopped.set(true);
  }

  /** What was done, as {@code {table.what=count, ...}}. */
  String report() {
    return counters.toString();
  }

  /** One counter of a report. */
  static long count(String report, String table, String what) {
    for (String counter : report.substring(1, report.length() - 1).split(", ", -1)) {
      if (counter.startsWith(table + "." + what + "=")) {
        return Long.parseLong(counter.substring(counter.indexOf('=') + 1));
      }
    }
    return 0;
  }

  void run(List<String> tables) throws IOException {
    List<Step> round = new ArrayList<>();
    for (String table : tables) {
      for (Task task : Task.values()) {
        if (task != Task.RESCALE || table.startsWith("fixed")) {
          round.add(new Step(task, table));
        }
      }
    }
    for (boolean first = true; !stopped.get(); first = false) {
      Collections.shuffle(round, random);
      for (Step step : round) {
        if (first || !stopped.get()) {
          run(step.task(), step.table());
        }
      }
    }
    for (String table : tables) {
      expire(table);
      removeOrphans(table);
    }
  }

  private void run(Task task, String table) throws IOException {
    switch (task) {
      case COMPACT -> {
        String strategy = random.nextInt(3) == 0 ? "full" : "minor";
        call("compact", table, ", compact_strategy => '" + strategy + "'");
        count(table, "compactions", 1);
      }
      case COMPACT_MANIFEST -> {
        call("compact_manifest", table, "");
        count(table, "manifest compactions", 1);
      }
      case RESCALE -> rescale(table);
      case EXPIRE -> {
        Row row =
            call(
                "expire_snapshots",
                table,
                ", retain_max => "
                    + RETAINED
                    + ", retain_min => "
                    + (1 + random.nextInt(RETAINED)));
        count(table, "expired", row.<Number>getAs("deleted_snapshots_count").longValue());
      }
      case REMOVE_ORPHANS -> removeOrphans(table);
    }
  }

  private void expire(String table) {
    Row row = call("expire_snapshots", table, ", retain_max => " + RETAINED);
    count(table, "expired", row.<Number>getAs("deleted_snapshots_count").longValue());
  }

  private void rescale(String table) {
    int before = buckets.getOrDefault(table, FIRST_BUCKETS);
    int number = 1 + (before + random.nextInt(MOST_BUCKETS - 1)) % MOST_BUCKETS;
    try {
      Row row = call("rescale", table, ", bucket_num => " + number);
      buckets.put(table, number);
      count(table, "rescaled", row.<Number>getAs("partitions_rescaled").longValue());
    } catch (RuntimeException e) {
      if (!String.valueOf(e.getMessage()).contains(TableLoop.CONFLICT)) {
        throw e;
      }
      count(table, "rescale conflicts", 1);
    }
  }

  /**
   * Files that failed jobs have left three days ago are removed, and those of ended statements that
   * nothing names any more; not the ones of the statement that runs, which are younger.
   */
  private void removeOrphans(String table) throws IOException {
    Path folder = warehouse.resolve("db.db").resolve(table);
    List<Path> left =
        List.of(
            folder.resolve("bucket-0/data-left-0.parquet"),
            folder.resolve("manifest/manifest-left-0"));
    for (Path file : left) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, "nobody names this");
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(3))));
    }
    Row row = call("remove_orphan_files", table, ", older_than => '" + writer.before() + "'");
    assertThat(left).as("orphans of %s", table).noneMatch(Files::exists);
    assertThat(row.<Number>getAs("failed_file_count").longValue()).isZero();
    long removed = row.<Number>getAs("deleted_file_count").longValue();
    count(table, "orphans", removed - left.size());
    count(table, "orphan searches", 1);
  }

  private Row call(String procedure, String table, String arguments) {
    return spark
        .sql(
            String.format(
                Locale.ROOT, "CALL lake.sys.%s(table => 'db.%s'%s)", procedure, table, arguments))
        .collectAsList()
        .get(0);
  }

  private void count(String table, String what, long more) {
    counters.merge(table + "." + what, more, Long::sum);
  }
}
