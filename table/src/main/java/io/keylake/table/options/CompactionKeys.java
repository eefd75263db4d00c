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

import io.keylake.table.options.OptionKey.Refusal;
import io.keylake.table.options.clustering.ClusteringStrategy;
import io.keylake.table.options.clustering.RangeStrategy;
import java.time.Duration;
import java.util.List;

/** When a bucket is compacted and how, what expires then, and how deletion vectors are stored. */
public final class CompactionKeys {
  public static final OptionKey<Boolean> WRITE_ONLY =
      of(
              "write-only",
              OptionType.BOOL,
              false,
              "Whether writers leave compaction and expiry to others: they add files to level 0"
                  + " only.")
          .fallback("write.compaction-skip");
  static final OptionKey<Integer> TRIGGER =
      of(
              "num-sorted-run.compaction-trigger",
              OptionType.INT,
              5,
              "Number of sorted runs of a bucket from which it is compacted.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Integer> LEVELS =
      optional(
              "num-levels",
              OptionType.INT,
              "Number of levels of a bucket; num-sorted-run.compaction-trigger + 1 when not set.")
          .within(n -> n >= 2, "at least 2");
  static final OptionKey<Integer> STOP_TRIGGER =
      optional(
              "num-sorted-run.stop-trigger",
              OptionType.INT,
              "Number of sorted runs from which a streaming writer waits for its compaction. A"
                  + " batch writer compacts once, at its end, and never waits.")
          .within(n -> n >= 1, "at least 1")
          .refused(Refusal.NO_EFFECT);
  static final OptionKey<Integer> MAX_SIZE_AMPLIFICATION =
      of(
              "compaction.max-size-amplification-percent",
              OptionType.INT,
              200,
              "Size of the newer runs of a bucket, in percent of its oldest, above which all are"
                  + " compacted.")
          .within(n -> n >= 0, "at least 0");
  static final OptionKey<Integer> SIZE_RATIO =
      of(
              "compaction.size-ratio",
              OptionType.INT,
              1,
              "Percent by which the next run may be larger than the newer ones together and is"
                  + " still compacted with them.")
          .within(n -> n >= 0, "at least 0");
  static final OptionKey<Integer> OFF_PEAK_START =
      of(
              "compaction.offpeak.start.hour",
              OptionType.INT,
              -1,
              "First hour of the day (0 to 23, in the writer's time zone) in which"
                  + " compaction.offpeak-ratio is added to compaction.size-ratio; -1 = never.")
          .within(n -> n >= -1 && n <= 23, "-1 to 23");
  static final OptionKey<Integer> OFF_PEAK_END =
      of(
              "compaction.offpeak.end.hour",
              OptionType.INT,
              -1,
              "First hour after those of compaction.offpeak.start.hour; may be the smaller one, to"
                  + " go past midnight.")
          .within(n -> n >= -1 && n <= 24, "-1 to 24");
  static final OptionKey<Integer> OFF_PEAK_RATIO =
      of(
              "compaction.offpeak-ratio",
              OptionType.INT,
              0,
              "Percent added to compaction.size-ratio in off-peak hours.")
          .within(n -> n >= 0, "at least 0");
  static final OptionKey<Duration> OPTIMIZATION_INTERVAL =
      optional(
          "compaction.optimization-interval",
          OptionType.DURATION,
          "Longest time between full compactions of a writer. A batch writer has made none before,"
              + " so whatever the time is it compacts the buckets it wrote fully.");
  static final OptionKey<MemorySize> TOTAL_SIZE_THRESHOLD =
      optional(
          "compaction.total-size-threshold",
          OptionType.SIZE,
          "Size of a bucket below which it is always compacted fully.");
  static final OptionKey<MemorySize> INCREMENTAL_SIZE_THRESHOLD =
      optional(
          "compaction.incremental-size-threshold",
          OptionType.SIZE,
          "Size of what is below the top level of a bucket above which it is compacted fully.");
  static final OptionKey<Boolean> FORCE_UP_LEVEL_0 =
      of(
          "compaction.force-up-level-0",
          OptionType.BOOL,
          false,
          "Whether every compaction takes all files of level 0, even a single one.");
  static final OptionKey<Boolean> FORCE_REWRITE =
      of(
          "compaction.force-rewrite-all-files",
          OptionType.BOOL,
          false,
          "Whether compactions rewrite every file they take instead of moving it, and full ones"
              + " even those that are on the top level or large already.");
  public static final OptionKey<Integer> FULL_DELTA_COMMITS =
      optional(
              "full-compaction.delta-commits",
              OptionType.INT,
              "Number of commits after which a streaming writer compacts fully. With any number a"
                  + " batch write compacts the buckets it wrote fully.")
          .within(n -> n >= 1, "at least 1");
  public static final OptionKey<Integer> DELTA_COMMITS =
      of(
              "compaction.delta-commits",
              OptionType.INT,
              1,
              "Streaming writes: compaction of what an epoch writes happens in every so many-th"
                  + " epoch. A key of Keylake.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Double> SMALL_FILE_RATIO =
      of(
              "compaction.small-file-ratio",
              OptionType.DOUBLE,
              0.7,
              "Share of target-file-size below which a file is small: rewritten with its neighbours"
                  + " instead of left as it is.")
          .within(r -> r >= 0 && r <= 1, "0 to 1");
  static final OptionKey<Integer> MIN_FILE_NUM =
      of(
              "compaction.min.file-num",
              OptionType.INT,
              5,
              "Append tables: smallest number of small files that are put together; a full"
                  + " compaction puts together any.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Integer> FILE_NUM_LIMIT =
      of(
              "compaction.file-num-limit",
              OptionType.INT,
              100_000,
              "Append tables without buckets: largest number of files of a partition that one"
                  + " compaction takes; a full compaction takes all.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Double> DELETE_RATIO_THRESHOLD =
      of(
              "compaction.delete-ratio-threshold",
              OptionType.DOUBLE,
              0.2,
              "Append tables with deletion vectors: share of deleted rows above which a file is"
                  + " rewritten.")
          .within(r -> r >= 0 && r <= 1, "0 to 1");

  public static final OptionKey<Duration> EXPIRE_TIME =
      optional(
              "record-level.expire-time",
              OptionType.DURATION,
              "Age from which a row is dropped when a compaction reads it; until then it is read."
                  + " Needs record-level.time-field. Primary-key tables only.")
          .within(time -> !time.isNegative() && !time.isZero(), "longer than 0");
  public static final OptionKey<String> TIME_FIELD =
      optional(
          "record-level.time-field",
          OptionType.TEXT,
          "Column with the time of a row: INT or BIGINT in seconds (BIGINT from 10^12 on in"
              + " milliseconds), TIMESTAMP_NTZ or TIMESTAMP. A row without a time never expires.");

  static final OptionKey<CompactionOptions.LevelZero> LOOKUP_COMPACT =
      of(
          "lookup-compact",
          OptionType.oneOf(CompactionOptions.LevelZero.class),
          CompactionOptions.LevelZero.RADICAL,
          "Tables that look keys up (deletion vectors, engine first-row, changelog-producer ="
              + " lookup): radical = every write compacts level 0; gentle = a writer does so at"
              + " every lookup-compact.max-interval-th time only.");
  static final OptionKey<Integer> LOOKUP_MAX_INTERVAL =
      optional(
              "lookup-compact.max-interval",
              OptionType.INT,
              "With lookup-compact = gentle: level 0 is compacted at every so many-th chance of a"
                  + " writer, twice num-sorted-run.compaction-trigger when not set. A batch writer"
                  + " has one chance, so a number above 1 leaves level 0 to the other rules.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Boolean> LOOKUP_WAIT =
      of(
              "lookup-wait",
              OptionType.BOOL,
              true,
              "Whether a commit of a streaming writer waits for the compaction of level 0. A batch"
                  + " write always does.")
          .fallback("changelog-producer.lookup-wait")
          .refused(Refusal.NO_EFFECT);

  static final OptionKey<Boolean> BITMAP64 =
      of(
          "deletion-vectors.bitmap64",
          OptionType.BOOL,
          false,
          "Whether new deletion vectors have 64-bit positions; both kinds are read.");
  static final OptionKey<MemorySize> INDEX_FILE_TARGET_SIZE =
      of(
              "deletion-vector.index-file.target-size",
              OptionType.SIZE,
              MemorySize.ofMebiBytes(2),
              "Append tables without buckets: size from which deletion vectors go to the next"
                  + " index file.")
          .within(size -> size.bytes() >= 1, "at least 1 byte");

  public static final OptionKey<List<String>> CLUSTERING_COLUMNS =
      optional(
              "clustering.columns",
              OptionType.LIST,
              "Columns that sort compaction of an append table sorts by where the call names none."
                  + " Writers do not sort.")
          .fallback("sink.clustering.by-columns");
  public static final OptionKey<ClusteringStrategy> CLUSTERING_STRATEGY =
      of(
              "clustering.strategy",
              OptionType.oneOf(ClusteringStrategy.class),
              ClusteringStrategy.AUTO,
              "How sort compaction sorts where the call does not say: order, zorder, hilbert, or"
                  + " auto (1 column order, 2 to 4 zorder, more hilbert).")
          .fallback("sink.clustering.strategy");
  public static final OptionKey<Boolean> CLUSTERING_INCREMENTAL =
      of(
              "clustering.incremental",
              OptionType.BOOL,
              false,
              "Incremental clustering by other engines. Such a table is not sorted by"
                  + " compact(order_strategy).")
          .refused(Refusal.NO_EFFECT);
  public static final OptionKey<RangeStrategy> SORT_RANGE_STRATEGY =
      of(
          "sort-compaction.range-strategy",
          OptionType.oneOf(RangeStrategy.class),
          RangeStrategy.SIZE,
          "What sort compaction spreads evenly over its tasks: size = bytes of rows, quantity ="
              + " rows.");
  public static final OptionKey<Integer> SORT_SAMPLES =
      of(
              "sort-compaction.local-sample.magnification",
              OptionType.INT,
              1000,
              "Sort compaction: how many rows are sampled for each range that is sorted by a task.")
          .within(n -> n >= 20, "at least 20");

  private CompactionKeys() {}

  static List<OptionKey<?>> all() {
    return List.of(
        WRITE_ONLY,
        TRIGGER,
        LEVELS,
        STOP_TRIGGER,
        MAX_SIZE_AMPLIFICATION,
        SIZE_RATIO,
        OFF_PEAK_START,
        OFF_PEAK_END,
        OFF_PEAK_RATIO,
        OPTIMIZATION_INTERVAL,
        TOTAL_SIZE_THRESHOLD,
        INCREMENTAL_SIZE_THRESHOLD,
        FORCE_UP_LEVEL_0,
        FORCE_REWRITE,
        FULL_DELTA_COMMITS,
        DELTA_COMMITS,
        SMALL_FILE_RATIO,
        MIN_FILE_NUM,
        FILE_NUM_LIMIT,
        DELETE_RATIO_THRESHOLD,
        EXPIRE_TIME,
        TIME_FIELD,
        LOOKUP_COMPACT,
        LOOKUP_MAX_INTERVAL,
        LOOKUP_WAIT,
        BITMAP64,
        INDEX_FILE_TARGET_SIZE,
        CLUSTERING_COLUMNS,
        CLUSTERING_STRATEGY,
        CLUSTERING_INCREMENTAL,
        SORT_RANGE_STRATEGY,
        SORT_SAMPLES);
  }
}
