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
import java.time.Duration;
import java.util.List;

/**
 * What a write may change of the columns; how commits are retried, how manifests are written, how
 * long history is kept, which tags a table makes by itself.
 */
public final class CommitKeys {
  public static final OptionKey<Boolean> AUTO_SCHEMA_EVOLUTION =
      of(
          "auto-schema-evolution",
          OptionType.BOOL,
          true,
          "Whether statements with schema evolution may add columns and widen types.");
  public static final OptionKey<Boolean> MERGE_SCHEMA =
      of(
          "write.merge-schema",
          OptionType.BOOL,
          false,
          "Whether INSERT and DataFrame writes add the columns that the rows have and the table"
              + " lacks, and widen types; needs the session extensions.");
  public static final OptionKey<Boolean> MERGE_SCHEMA_EXPLICIT_CAST =
      of(
          "write.merge-schema.explicit-cast",
          OptionType.BOOL,
          false,
          "Whether schema evolution gives columns the type of the rows also where it is not wider"
              + " but values can be cast to it.");
  public static final OptionKey<CommitOptions.Isolation> ISOLATION_LEVEL =
      of(
          "isolation-level",
          OptionType.oneOf(CommitOptions.Isolation.class),
          CommitOptions.Isolation.SERIALIZABLE,
          "What DELETE, UPDATE and MERGE conflict with: serializable = commits that changed what"
              + " they read or wrote; snapshot = what they wrote. A key of Keylake.");
  public static final OptionKey<CommitOptions.KeyUpdate> KEY_UPDATE =
      of(
          "row-level.key-update",
          OptionType.oneOf(CommitOptions.KeyUpdate.class),
          CommitOptions.KeyUpdate.REFUSE,
          "What an UPDATE or MERGE does that gives a row another primary key: refuse = it fails;"
              + " move = the row moves, and replaces one that has the key. A key of Keylake.");
  static final OptionKey<Duration> TIMEOUT =
      optional(
          "commit.timeout",
          OptionType.DURATION,
          "Time after which a commit is not tried again; no limit when not set.");
  static final OptionKey<Integer> MAX_RETRIES =
      of(
              "commit.max-retries",
              OptionType.INT,
              10,
              "How often a commit is tried again when another one came first.")
          .within(n -> n >= 0, "at least 0");
  static final OptionKey<Duration> MIN_RETRY_WAIT =
      of(
          "commit.min-retry-wait",
          OptionType.DURATION,
          Duration.ofMillis(10),
          "Pause before the first retry; it doubles with each one.");
  static final OptionKey<Duration> MAX_RETRY_WAIT =
      of(
          "commit.max-retry-wait",
          OptionType.DURATION,
          Duration.ofSeconds(10),
          "Longest pause before a retry.");
  public static final OptionKey<String> USER_PREFIX =
      optional(
          "commit.user-prefix",
          OptionType.TEXT,
          "Text before the generated name of the committing user.");
  static final OptionKey<Boolean> IGNORE_EMPTY =
      optional(
          "snapshot.ignore-empty-commit",
          OptionType.BOOL,
          "Whether a commit without changes makes no snapshot; it makes none when not set.");
  public static final OptionKey<Duration> FENCE_RETAINED =
      of(
          "commit.fence-time-retained",
          OptionType.DURATION,
          Duration.ofDays(30),
          "How long after its last commit it is known what a stream, or a job with txnAppId, has"
              + " committed, once the snapshots have expired. A key of Keylake.");
  public static final OptionKey<CommitOptions.LostFence> LOST_FENCE =
      of(
          "commit.lost-fence",
          OptionType.oneOf(CommitOptions.LostFence.class),
          CommitOptions.LostFence.FAIL,
          "What an epoch of a stream, or a txnVersion, does that may have been committed by a"
              + " snapshot which another engine has expired: fail, commit, or skip. A key of"
              + " Keylake.");
  public static final OptionKey<String> TXN_APP =
      optional(
          "txnAppId",
          OptionType.TEXT,
          "For one statement: the job that numbers its commits by txnVersion; what it has"
              + " committed under a number is not written again.");
  public static final OptionKey<Long> TXN_VERSION =
      optional(
              "txnVersion",
              OptionType.LONG,
              "For one statement, with txnAppId: the number of the commit; it never decreases.")
          .within(n -> n >= 0, "at least 0");
  public static final OptionKey<String> WATERMARK_COLUMN =
      optional(
          "watermark-column",
          OptionType.TEXT,
          "Streaming writes: column of the query whose largest time so far, less"
              + " watermark-delay, is the watermark of snapshots, if the query has none of its own."
              + " A key of Keylake.");
  public static final OptionKey<Duration> WATERMARK_DELAY =
      of(
          "watermark-delay",
          OptionType.DURATION,
          Duration.ZERO,
          "How much later than the largest time of watermark-column rows may come. A key of"
              + " Keylake.");
  static final OptionKey<Boolean> DISCARD_DUPLICATES =
      of(
          "commit.discard-duplicate-files",
          OptionType.BOOL,
          false,
          "Whether files that the table already has are left out of an append.");
  static final OptionKey<Long> STRICT_LAST_SAFE_SNAPSHOT =
      optional(
          "commit.strict-mode.last-safe-snapshot",
          OptionType.LONG,
          "A commit fails when another user compacted or overwrote after this snapshot; -1 = not"
              + " checked for the first commit.");
  public static final OptionKey<Boolean> DYNAMIC_PARTITION_OVERWRITE =
      of(
          "dynamic-partition-overwrite",
          OptionType.BOOL,
          true,
          "Whether INSERT OVERWRITE without a partition replaces only partitions that receive"
              + " rows.");
  static final OptionKey<Boolean> OVERWRITE_UPGRADE =
      of(
          "overwrite-upgrade",
          OptionType.BOOL,
          true,
          "Whether files of an overwrite that do not overlap are placed at the top level at once.");

  static final OptionKey<String> MANIFEST_FORMAT =
      of(
              "manifest.format",
              OptionType.oneOf(List.of("avro", "orc", "parquet")),
              "avro",
              "Format of manifest files.")
          .refused(Refusal.READ);
  static final OptionKey<String> MANIFEST_COMPRESSION =
      of(
              "manifest.compression",
              OptionType.TEXT,
              "zstd",
              "Codec of manifest files; this version reads any and writes zstd.")
          .refused(Refusal.NO_EFFECT);
  static final OptionKey<MemorySize> MANIFEST_TARGET_SIZE =
      of(
              "manifest.target-file-size",
              OptionType.SIZE,
              MemorySize.ofMebiBytes(8),
              "Size at which the next manifest is started, and up to which they are merged.")
          .within(size -> size.bytes() >= 1, "at least 1 byte");
  public static final OptionKey<MemorySize> MANIFEST_FULL_THRESHOLD =
      of(
          "manifest.full-compaction-threshold-size",
          OptionType.SIZE,
          MemorySize.ofMebiBytes(16),
          "Size of small or outdated manifests from which all of them are rewritten.");
  static final OptionKey<Integer> MANIFEST_MERGE_MIN_COUNT =
      of(
              "manifest.merge-min-count",
              OptionType.INT,
              30,
              "Number of small manifests from which they are merged.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Boolean> MANIFEST_DROP_DELETE_STATS =
      of(
          "manifest.delete-file-drop-stats",
          OptionType.BOOL,
          false,
          "Whether entries of removed files carry no statistics.");

  static final OptionKey<Integer> SNAPSHOT_RETAINED_MIN =
      of(
              "snapshot.num-retained.min",
              OptionType.INT,
              10,
              "Number of snapshots that expiry never goes below.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Integer> SNAPSHOT_RETAINED_MAX =
      of(
              "snapshot.num-retained.max",
              OptionType.INT,
              Integer.MAX_VALUE,
              "Number of snapshots above which expiry removes the oldest whatever their age.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Duration> SNAPSHOT_RETAINED_TIME =
      of(
          "snapshot.time-retained",
          OptionType.DURATION,
          Duration.ofHours(1),
          "Age from which snapshots may expire.");
  static final OptionKey<Integer> CHANGELOG_RETAINED_MIN =
      optional(
              "changelog.num-retained.min",
              OptionType.INT,
              "As snapshot.num-retained.min, for changelogs; the snapshots' value when not set.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Integer> CHANGELOG_RETAINED_MAX =
      optional(
              "changelog.num-retained.max",
              OptionType.INT,
              "As snapshot.num-retained.max, for changelogs; the snapshots' value when not set.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Duration> CHANGELOG_RETAINED_TIME =
      optional(
          "changelog.time-retained",
          OptionType.DURATION,
          "As snapshot.time-retained, for changelogs; the snapshots' value when not set.");
  static final OptionKey<Integer> EXPIRE_LIMIT =
      of(
              "snapshot.expire.limit",
              OptionType.INT,
              50,
              "Largest number of snapshots that one run of expiry removes.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Duration> TAG_DEFAULT_RETAINED =
      optional(
          "tag.default-time-retained",
          OptionType.DURATION,
          "Time for which new tags are kept when the statement says none; for ever when not set.");

  public static final OptionKey<String> TAG_AUTOMATIC_CREATION =
      of(
          "tag.automatic-creation",
          OptionType.oneOf(List.of("none", "process-time", "watermark", "batch")),
          "none",
          "Tags that the table makes by itself: for each period by the time of commits or by their"
              + " watermark, or after each batch job.");
  public static final OptionKey<Boolean> TAG_SUCCESS_FILE =
      of(
          "tag.create-success-file",
          OptionType.BOOL,
          false,
          "Whether a file tag-success-file/<tag>_SUCCESS is written beside each tag that the table"
              + " makes by itself.");
  public static final OptionKey<String> TAG_PERIOD =
      of(
          "tag.creation-period",
          OptionType.oneOf(List.of("daily", "hourly", "two-hours")),
          "daily",
          "The periods for which the table makes tags.");
  public static final OptionKey<Duration> TAG_PERIOD_DURATION =
      optional(
              "tag.creation-period-duration",
              OptionType.DURATION,
              "Any other length of the periods; tags are named yyyyMMddHHmm then.")
          .within(
              period -> period.toMinutes() >= 1 && period.toMillis() % 60_000 == 0,
              "whole minutes, at least 1");
  public static final OptionKey<Duration> TAG_DELAY =
      of(
          "tag.creation-delay",
          OptionType.DURATION,
          Duration.ZERO,
          "How long after the end of a period its tag is made.");
  public static final OptionKey<String> TAG_PERIOD_FORMATTER =
      of(
          "tag.period-formatter",
          OptionType.oneOf(List.of("with_dashes", "without_dashes", "without_dashes_and_spaces")),
          "with_dashes",
          "How tags are named after their period.");
  public static final OptionKey<Integer> TAG_MAX_RETAINED =
      optional(
              "tag.num-retained-max",
              OptionType.INT,
              "How many of the tags that the table makes by itself are kept; all when not set.")
          .within(n -> n >= 1, "at least 1");
  public static final OptionKey<Boolean> TAG_AUTOMATIC_COMPLETION =
      of(
          "tag.automatic-completion",
          OptionType.BOOL,
          false,
          "Whether a period in which nothing was committed gets its tag with the next commit.");
  public static final OptionKey<String> TAG_BATCH_NAME =
      optional(
          "tag.batch.customized-name",
          OptionType.TEXT,
          "The name of the tag that is made after each batch job; batch-write-<day> when not set.");
  public static final OptionKey<String> TAG_PROCESS_ZONE =
      optional(
          "sink.process-time-zone",
          OptionType.TEXT,
          "The time zone of tags by the time of commits; that of the process when not set.");
  public static final OptionKey<String> TAG_WATERMARK_ZONE =
      of("sink.watermark-time-zone", OptionType.TEXT, "UTC", "The time zone of tags by watermark.");
  public static final OptionKey<Boolean> CLEAN_EMPTY_FOLDERS =
      of(
              "snapshot.clean-empty-directories",
              OptionType.BOOL,
              false,
              "Whether expiry also removes the folders of buckets and partitions that it leaves"
                  + " empty.")
          .fallback("snapshot.expire.clean-empty-directories");
  public static final OptionKey<Duration> CONSUMER_EXPIRATION =
      optional(
          "consumer.expiration-time",
          OptionType.DURATION,
          "Consumers that note no progress for so long are forgotten after a commit; never when"
              + " not set.");
  public static final OptionKey<Boolean> CONSUMER_CHANGELOG_ONLY =
      of(
          "consumer.changelog-only",
          OptionType.BOOL,
          false,
          "Whether consumers hold back changelogs only, and no snapshots.");
  public static final OptionKey<Boolean> TAG_TIME_EXPIRE =
      of(
          "tag.time-expire-enabled",
          OptionType.BOOL,
          true,
          "Whether tags whose retention has ended are removed after a commit.");
  public static final OptionKey<Duration> PARTITION_EXPIRATION =
      optional(
          "partition.expiration-time",
          OptionType.DURATION,
          "How long partitions live before they are dropped after a commit; for ever when not"
              + " set.");
  public static final OptionKey<Duration> PARTITION_CHECK_INTERVAL =
      of(
          "partition.expiration-check-interval",
          OptionType.DURATION,
          Duration.ofHours(1),
          "Time that passes in a process before it looks for partitions to drop again.");
  public static final OptionKey<Integer> PARTITION_EXPIRATION_MAX =
      of(
              "partition.expiration-max-num",
              OptionType.INT,
              100,
              "Largest number of partitions that are dropped at once, the oldest first.")
          .within(n -> n >= 1, "at least 1");
  public static final OptionKey<String> PARTITION_STRATEGY =
      of(
          "partition.expiration-strategy",
          OptionType.oneOf(List.of("values-time", "update-time")),
          "values-time",
          "Whether a partition's age is that of the time in its values, or of its newest file.");
  public static final OptionKey<String> PARTITION_PATTERN =
      optional(
          "partition.timestamp-pattern",
          OptionType.TEXT,
          "Text of a partition's time, with $column for the values; the first value when not set.");
  public static final OptionKey<String> PARTITION_FORMATTER =
      optional(
          "partition.timestamp-formatter",
          OptionType.TEXT,
          "Pattern of Java's DateTimeFormatter for the text of a partition's time; yyyy-MM-dd with"
              + " or without HH:mm:ss when not set.");
  public static final OptionKey<String> MARK_DONE_ACTION =
      of(
          "partition.mark-done-action",
          OptionType.TEXT,
          "success-file",
          "What marks a partition as done, a comma list; this version has success-file.");

  private CommitKeys() {}

  static List<OptionKey<?>> all() {
    return List.of(
        AUTO_SCHEMA_EVOLUTION,
        ISOLATION_LEVEL,
        KEY_UPDATE,
        MERGE_SCHEMA,
        MERGE_SCHEMA_EXPLICIT_CAST,
        TIMEOUT,
        MAX_RETRIES,
        MIN_RETRY_WAIT,
        MAX_RETRY_WAIT,
        USER_PREFIX,
        IGNORE_EMPTY,
        FENCE_RETAINED,
        LOST_FENCE,
        TXN_APP,
        TXN_VERSION,
        WATERMARK_COLUMN,
        WATERMARK_DELAY,
        DISCARD_DUPLICATES,
        STRICT_LAST_SAFE_SNAPSHOT,
        DYNAMIC_PARTITION_OVERWRITE,
        OVERWRITE_UPGRADE,
        MANIFEST_FORMAT,
        MANIFEST_COMPRESSION,
        MANIFEST_TARGET_SIZE,
        MANIFEST_FULL_THRESHOLD,
        MANIFEST_MERGE_MIN_COUNT,
        MANIFEST_DROP_DELETE_STATS,
        SNAPSHOT_RETAINED_MIN,
        SNAPSHOT_RETAINED_MAX,
        SNAPSHOT_RETAINED_TIME,
        CHANGELOG_RETAINED_MIN,
        CHANGELOG_RETAINED_MAX,
        CHANGELOG_RETAINED_TIME,
        EXPIRE_LIMIT,
        TAG_DEFAULT_RETAINED,
        TAG_AUTOMATIC_CREATION,
        TAG_SUCCESS_FILE,
        TAG_PERIOD,
        TAG_PERIOD_DURATION,
        TAG_DELAY,
        TAG_PERIOD_FORMATTER,
        TAG_MAX_RETAINED,
        TAG_AUTOMATIC_COMPLETION,
        TAG_BATCH_NAME,
        TAG_PROCESS_ZONE,
        TAG_WATERMARK_ZONE,
        CLEAN_EMPTY_FOLDERS,
        CONSUMER_EXPIRATION,
        CONSUMER_CHANGELOG_ONLY,
        TAG_TIME_EXPIRE,
        PARTITION_EXPIRATION,
        PARTITION_CHECK_INTERVAL,
        PARTITION_EXPIRATION_MAX,
        PARTITION_STRATEGY,
        PARTITION_PATTERN,
        PARTITION_FORMATTER,
        MARK_DONE_ACTION);
  }
}
