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

package io.keylake.table.options;

import static io.keylake.table.options.OptionKey.of;
import static io.keylake.table.options.OptionKey.optional;

import java.util.List;

/** Which version and which rows a scan sees, and how many tasks read or write. */
public final class ScanKeys {
  /** Where a scan starts. */
  public enum Mode {
    DEFAULT,
    LATEST_FULL,
    FULL,
    LATEST,
    COMPACTED_FULL,
    FROM_TIMESTAMP,
    FROM_CREATION_TIMESTAMP,
    FROM_FILE_CREATION_TIME,
    FROM_SNAPSHOT,
    FROM_SNAPSHOT_FULL,
    INCREMENTAL
  }

  /** When a scan reports how its rows are spread. */
  public enum ReportPartitioning {
    /** Where a join or aggregation gains from it, or where it costs a scan nothing. */
    AUTO,
    /** Always, although tasks then read one bucket each. */
    ALWAYS,
    NEVER
  }

  public static final OptionKey<ScanOptions.Visibility> VISIBILITY =
      of(
          "scan.visibility",
          OptionType.oneOf(ScanOptions.Visibility.class),
          ScanOptions.Visibility.COMMITTED,
          "Whether a scan sees every committed row, or as other engines do only compacted rows of"
              + " tables with deletion vectors, of first-row and of postpone tables. A key of"
              + " Keylake.");
  public static final OptionKey<ReportPartitioning> REPORT_PARTITIONING =
      of(
          "read.report-partitioning",
          OptionType.oneOf(ReportPartitioning.class),
          ReportPartitioning.AUTO,
          "Whether the planner learns how buckets and partitions spread rows, so that joins and"
              + " aggregations on the bucket key need no shuffle: auto where the plan gains from"
              + " it. A key of Keylake.");
  public static final OptionKey<Boolean> VECTORS_MERGE_ON_READ =
      of(
          "deletion-vectors.merge-on-read",
          OptionType.BOOL,
          false,
          "Whether other engines merge uncompacted rows of tables with deletion vectors; here"
              + " scan.visibility says so, and true means committed.");
  public static final OptionKey<Boolean> POSTPONE_MERGE_ON_READ =
      of(
          "postpone.merge-on-read",
          OptionType.BOOL,
          false,
          "Whether other engines read rows that are staged in the postpone bucket; here"
              + " scan.visibility says so, and without it true means committed, false compacted.");
  public static final OptionKey<MemorySize> SPLIT_TARGET_SIZE =
      of(
              "source.split.target-size",
              OptionType.SIZE,
              MemorySize.ofMebiBytes(128),
              "Size up to which files are packed into one unit of reading.")
          .within(size -> size.bytes() >= 1, "at least 1 byte");
  public static final OptionKey<MemorySize> SPLIT_OPEN_COST =
      of(
          "source.split.open-file-cost",
          OptionType.SIZE,
          MemorySize.ofMebiBytes(4),
          "Bytes that opening a file counts for when files are packed.");
  public static final OptionKey<Boolean> FILE_INDEX_READ =
      of(
          "file-index.read.enabled",
          OptionType.BOOL,
          true,
          "Whether scans use the file indexes of data files.");
  public static final OptionKey<Integer> MANIFEST_PARALLELISM =
      optional(
              "scan.manifest.parallelism",
              OptionType.INT,
              "Number of threads that read manifests; the number of processors when not set.")
          .within(n -> n >= 1, "at least 1");
  public static final OptionKey<Integer> READ_BATCH_SIZE =
      of(
              "read.batch-size",
              OptionType.INT,
              1024,
              "Rows of one batch of a reader without a reader" + " of its own batch size.")
          .within(n -> n >= 1, "at least 1")
          .refused(OptionKey.Refusal.NO_EFFECT);

  public static final OptionKey<Mode> MODE =
      of(
              "scan.mode",
              OptionType.oneOf(Mode.class),
              Mode.DEFAULT,
              "Where a scan starts; default follows from the other scan options.")
          .fallback("log.scan");
  public static final OptionKey<Long> SNAPSHOT_ID =
      optional("scan.snapshot-id", OptionType.LONG, "The snapshot to read.")
          .within(n -> n >= 1, "at least 1");
  public static final OptionKey<String> TAG_NAME =
      optional("scan.tag-name", OptionType.TEXT, "The tag to read.");
  public static final OptionKey<String> VERSION =
      optional(
          "scan.version",
          OptionType.TEXT,
          "The tag, or else the snapshot, to read: VERSION AS OF.");
  public static final OptionKey<Long> TIMESTAMP_MILLIS =
      optional(
              "scan.timestamp-millis",
              OptionType.LONG,
              "Reads the newest snapshot that is not younger than this time, in milliseconds since"
                  + " the epoch.")
          .fallback("log.scan.timestamp-millis");
  public static final OptionKey<String> TIMESTAMP =
      optional(
          "scan.timestamp",
          OptionType.TEXT,
          "Reads the newest snapshot that is not younger than this local time.");

  /** How a stream notes its progress; both do the same here. */
  public enum ConsumerMode {
    EXACTLY_ONCE,
    AT_LEAST_ONCE
  }

  /** What a stream does whose next snapshot has expired. */
  public enum OnExpired {
    /** Fails and says what to do. */
    ERROR,
    /** Goes on with the oldest snapshot whose changes are kept. */
    EARLIEST,
    /** Goes on behind the newest snapshot. */
    LATEST
  }

  public static final OptionKey<Boolean> READ_CHANGELOG =
      of(
          "read.changelog",
          OptionType.BOOL,
          false,
          "Whether a stream gives every change with its kind in the first column, rowkind. A key of"
              + " a read, not of a table.");
  public static final OptionKey<String> READ_FILTER =
      optional(
          "read.filter",
          OptionType.TEXT,
          "A condition in SQL on columns of the table: a stream leaves out partitions, files and"
              + " rows that do not fulfil it. A key of Keylake.");
  public static final OptionKey<Long> MAX_FILES =
      optional(
              "read.stream.maxFilesPerTrigger",
              OptionType.LONG,
              "Most files that a trigger of a stream reads.")
          .within(n -> n >= 1, "at least 1")
          .fallback("maxFilesPerTrigger");
  public static final OptionKey<MemorySize> MAX_BYTES =
      optional(
              "read.stream.maxBytesPerTrigger",
              OptionType.SIZE,
              "Most bytes of files that a trigger of a stream reads.")
          .within(size -> size.bytes() >= 1, "at least 1 byte")
          .fallback("maxBytesPerTrigger");
  public static final OptionKey<Long> MAX_ROWS =
      optional(
              "read.stream.maxRowsPerTrigger",
              OptionType.LONG,
              "Most stored rows that a trigger of a stream reads.")
          .within(n -> n >= 1, "at least 1")
          .fallback("maxRowsPerTrigger");
  public static final OptionKey<Long> MIN_ROWS =
      optional(
              "read.stream.minRowsPerTrigger",
              OptionType.LONG,
              "Stored rows that a trigger of a stream waits for.")
          .within(n -> n >= 1, "at least 1")
          .fallback("minRowsPerTrigger");
  public static final OptionKey<Long> MAX_DELAY =
      optional(
              "read.stream.maxTriggerDelayMs",
              OptionType.LONG,
              "Longest time in milliseconds that a trigger waits for minRowsPerTrigger; 15 minutes"
                  + " when not set.")
          .within(n -> n >= 1, "at least 1")
          .fallback("maxTriggerDelayMs");
  public static final OptionKey<String> STARTING_VERSION =
      optional(
          "startingVersion",
          OptionType.TEXT,
          "The snapshot or tag whose changes a read begins with; latest for only those to come.");
  public static final OptionKey<String> STARTING_TIMESTAMP =
      optional(
          "startingTimestamp",
          OptionType.TEXT,
          "The local time from which on a read gives changes.");
  public static final OptionKey<Boolean> IGNORE_DELETES =
      of(
          "ignoreDeletes",
          OptionType.BOOL,
          false,
          "Whether a stream of plain rows passes over deletes instead of failing.");
  public static final OptionKey<Boolean> SKIP_CHANGE_COMMITS =
      of(
          "skipChangeCommits",
          OptionType.BOOL,
          false,
          "Whether a stream of plain rows passes over commits that are known to delete or update.");
  public static final OptionKey<Boolean> FAIL_ON_DATA_LOSS =
      of(
          "failOnDataLoss",
          OptionType.BOOL,
          true,
          "Whether a stream fails when snapshots it has not read have expired; false means"
              + " scan.on-expired = earliest.");
  public static final OptionKey<OnExpired> ON_EXPIRED =
      of(
          "scan.on-expired",
          OptionType.oneOf(OnExpired.class),
          OnExpired.ERROR,
          "What a stream does when snapshots it has not read have expired. A key of Keylake.");
  public static final OptionKey<Long> FILE_CREATION_TIME =
      optional(
          "scan.file-creation-time-millis",
          OptionType.LONG,
          "A stream begins with files that are not older than this time, in milliseconds since the"
              + " epoch.");
  public static final OptionKey<Boolean> SORT_PARTITION =
      of(
          "scan.plan-sort-partition",
          OptionType.BOOL,
          false,
          "Whether a plan is in the order of partitions; streams always read in that order.");
  public static final OptionKey<Boolean> STREAM_OVERWRITE =
      of(
          "streaming-read-overwrite",
          OptionType.BOOL,
          false,
          "Whether streams of a table with a primary key give what overwrites change.");
  public static final OptionKey<Boolean> STREAM_APPEND_OVERWRITE =
      of(
          "streaming-read-append-overwrite",
          OptionType.BOOL,
          false,
          "Whether streams of an append table give what overwrites change.");
  public static final OptionKey<String> CONSUMER_ID =
      optional(
          "consumer-id",
          OptionType.TEXT,
          "The name under which the table keeps the progress of a stream.");
  public static final OptionKey<Boolean> CONSUMER_IGNORE_PROGRESS =
      of(
          "consumer.ignore-progress",
          OptionType.BOOL,
          false,
          "Whether a new stream starts where its options say although its consumer has progress.");
  public static final OptionKey<ConsumerMode> CONSUMER_MODE =
      of(
          "consumer.mode",
          OptionType.oneOf(ConsumerMode.class),
          ConsumerMode.EXACTLY_ONCE,
          "When progress is noted; here always when a batch is committed.");

  public static final OptionKey<Integer> PARALLELISM =
      OptionKey.<Integer>optional(
              "scan.parallelism",
              OptionType.INT,
              "Number of tasks of a batch read; fewer where there are not so many pieces to read.")
          .within(value -> value >= 1, "at least 1");
  public static final OptionKey<Boolean> INFER_PARALLELISM =
      of(
          "scan.infer-parallelism",
          OptionType.BOOL,
          true,
          "Whether the number of tasks of a batch read follows from the amount of data; false = as"
              + " many as run at once.");
  public static final OptionKey<Integer> INFER_PARALLELISM_MAX =
      OptionKey.<Integer>optional(
              "scan.infer-parallelism.max",
              OptionType.INT,
              "Upper bound of the number of tasks of a batch read that follows from the amount of"
                  + " data.")
          .within(value -> value >= 1, "at least 1");

  public static final OptionKey<Integer> SINK_PARALLELISM =
      OptionKey.<Integer>optional(
              "sink.parallelism",
              OptionType.INT,
              "Number of tasks that write; one where the table allows no more.")
          .within(value -> value >= 1, "at least 1");

  private ScanKeys() {}

  static List<OptionKey<?>> all() {
    return List.of(
        VISIBILITY,
        REPORT_PARTITIONING,
        VECTORS_MERGE_ON_READ,
        POSTPONE_MERGE_ON_READ,
        SPLIT_TARGET_SIZE,
        SPLIT_OPEN_COST,
        FILE_INDEX_READ,
        MANIFEST_PARALLELISM,
        READ_BATCH_SIZE,
        MODE,
        SNAPSHOT_ID,
        TAG_NAME,
        VERSION,
        TIMESTAMP_MILLIS,
        TIMESTAMP,
        READ_CHANGELOG,
        READ_FILTER,
        MAX_FILES,
        MAX_BYTES,
        MAX_ROWS,
        MIN_ROWS,
        MAX_DELAY,
        STARTING_VERSION,
        STARTING_TIMESTAMP,
        IGNORE_DELETES,
        SKIP_CHANGE_COMMITS,
        FAIL_ON_DATA_LOSS,
        ON_EXPIRED,
        FILE_CREATION_TIME,
        SORT_PARTITION,
        STREAM_OVERWRITE,
        STREAM_APPEND_OVERWRITE,
        CONSUMER_ID,
        CONSUMER_IGNORE_PROGRESS,
        CONSUMER_MODE,
        PARALLELISM,
        INFER_PARALLELISM,
        INFER_PARALLELISM_MAX,
        SINK_PARALLELISM);
  }
}
