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

import io.keylake.table.options.OptionKey.Change;
import io.keylake.table.options.OptionKey.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Where rows go and how files look: buckets, folders and names, data files, statistics. */
public final class StorageKeys {
  /** What a table is. */
  enum TableType {
    TABLE,
    FORMAT_TABLE,
    MATERIALIZED_TABLE,
    OBJECT_TABLE,
    LANCE_TABLE,
    ICEBERG_TABLE
  }

  /** How a writer picks one of the external roots. */
  enum ExternalStrategy {
    NONE,
    SPECIFIC_FS,
    ROUND_ROBIN,
    ENTROPY_INJECT,
    WEIGHT_ROBIN
  }

  static final OptionKey<TableType> TYPE =
      of("type", OptionType.oneOf(TableType.class), TableType.TABLE, "The kind of the table.")
          .refused(Refusal.READ)
          .changes(Change.WHILE_EMPTY);
  private static final int MAX_DYNAMIC_BUCKETS = Short.MAX_VALUE;

  public static final OptionKey<Integer> BUCKET =
      of(
              "bucket",
              OptionType.INT,
              -1,
              "Number of buckets of a partition; -1 = dynamic (primary-key tables) or none (append"
                  + " tables), -2 = staged until compaction.")
          .within(n -> n >= 1 || n == -1 || n == -2, "-2, -1, or at least 1")
          .changes(Change.CONDITIONAL);
  public static final OptionKey<List<String>> BUCKET_KEY =
      optional(
              "bucket-key",
              OptionType.LIST,
              "Columns whose hash gives the bucket; the primary key without partition columns"
                  + " when not set.")
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<BucketOptions.Function> BUCKET_FUNCTION =
      of(
              "bucket-function.type",
              OptionType.oneOf(BucketOptions.Function.class),
              BucketOptions.Function.DEFAULT,
              "How the bucket is computed from the bucket key.")
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<Boolean> BUCKET_APPEND_ORDERED =
      of(
          "bucket-append-ordered",
          OptionType.BOOL,
          true,
          "Whether the rows of a bucket of an append table keep the order of writing.");
  static final OptionKey<Long> DYNAMIC_TARGET_ROWS =
      of(
              "dynamic-bucket.target-row-num",
              OptionType.LONG,
              2_000_000L,
              "Number of keys from which a dynamic bucket is full and new keys go to another.")
          .within(n -> n >= 1, "at least 1");
  static final OptionKey<Integer> DYNAMIC_INITIAL_BUCKETS =
      optional(
              "dynamic-bucket.initial-buckets",
              OptionType.INT,
              "Number of tasks that open a bucket of their own in a new partition; when not set, 4,"
                  + " and more as the table grows.")
          .within(n -> n >= 1 && n <= MAX_DYNAMIC_BUCKETS, "1 to " + MAX_DYNAMIC_BUCKETS);
  static final OptionKey<Integer> DYNAMIC_MAX_BUCKETS =
      of(
              "dynamic-bucket.max-buckets",
              OptionType.INT,
              -1,
              "Upper bound of the number of dynamic buckets of a partition, whose buckets then grow"
                  + " beyond their target; -1 = none.")
          .within(n -> n >= 1 || n == -1, "-1, or at least 1");
  static final OptionKey<Integer> DYNAMIC_PARALLELISM =
      optional(
              "dynamic-bucket.assigner-parallelism",
              OptionType.INT,
              "Number of tasks that give the keys of a partition their dynamic buckets, at most"
                  + " dynamic-bucket.initial-buckets.")
          .within(n -> n >= 1 && n <= MAX_DYNAMIC_BUCKETS, "1 to " + MAX_DYNAMIC_BUCKETS);

  static final OptionKey<Duration> KEY_INDEX_TTL =
      optional(
          "cross-partition-upsert.index-ttl",
          OptionType.DURATION,
          "Where a primary key lacks partition columns: INSERT looks for keys only in files that"
              + " were written within this time; older keys count as new. All files when not set.");
  static final OptionKey<Integer> KEY_INDEX_THREADS =
      of(
              "cross-partition-upsert.bootstrap-parallelism",
              OptionType.INT,
              10,
              "Number of threads of a process that read the keys of a table whose primary key lacks"
                  + " partition columns before it is written, at most the number of its cores.")
          .within(n -> n >= 1, "at least 1");
  public static final OptionKey<Boolean> POSTPONE_BATCH_FIXED =
      of(
              "postpone.batch-write-fixed-bucket",
              OptionType.BOOL,
              true,
              "Whether batch writes to a postpone table put rows into buckets at once.")
          .refused(Refusal.WRITE);
  public static final OptionKey<Integer> POSTPONE_MAX_BUCKETS =
      of(
              "postpone.batch-write-fixed-bucket.max-parallelism",
              OptionType.INT,
              2048,
              "Most buckets that a new partition of a postpone table gets when their number is"
                  + " derived from the data.")
          .within(n -> n >= 1, "at least 1");
  public static final OptionKey<Integer> POSTPONE_BUCKETS =
      optional(
              "postpone.default-bucket-num",
              OptionType.INT,
              "Number of buckets of a new partition of a postpone table; derived from the data when"
                  + " not set.")
          .within(n -> n >= 1, "at least 1");
  public static final OptionKey<Long> POSTPONE_TARGET_ROWS =
      optional(
              "postpone.target-row-num-per-bucket",
              OptionType.LONG,
              "Rows of a bucket that the derived number of buckets of a postpone table aims at.")
          .within(n -> n >= 1, "at least 1");
  public static final OptionKey<MemorySize> POSTPONE_TARGET_SIZE =
      of(
              "postpone.target-size-per-bucket",
              OptionType.SIZE,
              MemorySize.ofMebiBytes(1024),
              "Size of a bucket that the derived number of buckets of a postpone table aims at.")
          .within(size -> size.bytes() >= 1, "at least 1 byte");

  public static final OptionKey<String> PARTITION_DEFAULT_NAME =
      of(
          "partition.default-name",
          OptionType.TEXT,
          "__DEFAULT_PARTITION__",
          "Folder value of partition values that are NULL or blank.");
  public static final OptionKey<Boolean> PARTITION_LEGACY_NAME =
      of(
          "partition.legacy-name",
          OptionType.BOOL,
          true,
          "Whether folders spell partition values the old way (a DATE as its day number).");
  public static final OptionKey<String> DATA_FILE_DIRECTORY =
      optional(
              "data-file.path-directory",
              OptionType.TEXT,
              "Folder below the table's root that holds the partition and bucket folders.")
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<List<String>> EXTERNAL_PATHS =
      of(
          "data-file.external-paths",
          OptionType.LIST,
          List.of(),
          "Places outside the table in which its data files may be.");
  static final OptionKey<ExternalStrategy> EXTERNAL_STRATEGY =
      of(
              "data-file.external-paths.strategy",
              OptionType.oneOf(ExternalStrategy.class),
              ExternalStrategy.NONE,
              "How a writer picks a root outside the table for a data file.")
          .refused(Refusal.WRITE);
  public static final OptionKey<Boolean> INDEX_IN_DATA_DIRECTORY =
      of(
              "index-file-in-data-file-dir",
              OptionType.BOOL,
              false,
              "Whether index files are placed in the bucket's folder.")
          .changes(Change.WHILE_EMPTY);
  public static final OptionKey<String> DATA_FILE_PREFIX =
      of("data-file.prefix", OptionType.TEXT, "data-", "How names of data files begin.");
  public static final OptionKey<String> CHANGELOG_FILE_PREFIX =
      of(
          "changelog-file.prefix",
          OptionType.TEXT,
          "changelog-",
          "How names of changelog files begin.");
  public static final OptionKey<DataFileOptions.Format> CHANGELOG_FILE_FORMAT =
      optional(
          "changelog-file.format",
          OptionType.oneOf(DataFileOptions.Format.class),
          "Format of changelog files; file.format when not set.");
  public static final OptionKey<String> CHANGELOG_FILE_COMPRESSION =
      optional(
          "changelog-file.compression",
          OptionType.TEXT,
          "Codec of changelog files; file.compression when not set.");
  public static final OptionKey<String> CHANGELOG_STATS_MODE =
      optional(
          "changelog-file.stats-mode",
          OptionType.TEXT,
          "Statistics of columns of changelog files; metadata.stats-mode when not set.");
  public static final OptionKey<Boolean> COMPRESSION_IN_NAME =
      of(
          "file.suffix.include.compression",
          OptionType.BOOL,
          false,
          "Whether the codec is part of a data file's name.");

  public static final OptionKey<DataFileOptions.Format> FILE_FORMAT =
      of(
          "file.format",
          OptionType.oneOf(DataFileOptions.Format.class),
          DataFileOptions.Format.PARQUET,
          "Format of new data files.");
  static final OptionKey<Map<String, String>> FILE_FORMAT_PER_LEVEL =
      of(
          "file.format.per.level",
          OptionType.MAP,
          Map.of(),
          "Format of new data files of a level, over file.format.");
  public static final OptionKey<String> FILE_COMPRESSION =
      of("file.compression", OptionType.TEXT, "zstd", "Codec of new data files.");
  static final OptionKey<Map<String, String>> FILE_COMPRESSION_PER_LEVEL =
      of(
          "file.compression.per.level",
          OptionType.MAP,
          Map.of(),
          "Codec of new data files of a level, over file.compression.");
  public static final OptionKey<Integer> ZSTD_LEVEL =
      of(
              "file.compression.zstd-level",
              OptionType.INT,
              1,
              "Level of the zstd codec, for data files and manifests.")
          .within(n -> n >= 1 && n <= 22, "1 to 22");
  public static final OptionKey<MemorySize> FILE_BLOCK_SIZE =
      optional(
              "file.block-size",
              OptionType.SIZE,
              "Bytes of a row group or stripe; the format's own default when not set.")
          .within(size -> size.bytes() >= 1, "at least 1 byte");
  public static final OptionKey<MemorySize> TARGET_FILE_SIZE =
      optional(
              "target-file-size",
              OptionType.SIZE,
              "Size at which a writer starts the next data file; 128 mb for primary-key tables and"
                  + " 256 mb for append tables when not set.")
          .within(size -> size.bytes() >= 1, "at least 1 byte");
  public static final OptionKey<Boolean> PARQUET_DELTA_KEYS =
      of(
          "file.parquet.delta-encoded-keys",
          OptionType.BOOL,
          true,
          "Whether Parquet files store integer keys and sequence numbers as differences, which"
              + " makes merging on read faster. A key of Keylake; other engines read such files.");
  public static final OptionKey<Boolean> PARQUET_DICTIONARY =
      of(
          "parquet.enable.dictionary",
          OptionType.BOOL,
          true,
          "Whether Parquet files use dictionary encoding.");
  public static final OptionKey<Boolean> THIN_MODE =
      of(
          "data-file.thin-mode",
          OptionType.BOOL,
          false,
          "Whether data files leave out the key columns that repeat columns of the table.");

  public static final OptionKey<String> STATS_MODE =
      of(
          "metadata.stats-mode",
          OptionType.TEXT,
          "truncate(16)",
          "Which statistics of columns manifests hold: none, counts, truncate(n) or full.");
  static final OptionKey<Map<String, String>> STATS_MODE_PER_LEVEL =
      of(
          "metadata.stats-mode.per.level",
          OptionType.MAP,
          Map.of(),
          "Statistics of the files of a level, over metadata.stats-mode.");
  public static final OptionKey<Boolean> STATS_DENSE =
      of(
          "metadata.stats-dense-store",
          OptionType.BOOL,
          true,
          "Whether columns without statistics take no room in manifests.");
  public static final OptionKey<Integer> STATS_FIRST_COLUMNS =
      of(
              "metadata.stats-keep-first-n-columns",
              OptionType.INT,
              -1,
              "Statistics only of the first n columns; -1 = of all.")
          .within(n -> n >= -1, "at least -1");

  private StorageKeys() {}

  public static final OptionKey<Boolean> ADD_COLUMN_BEFORE_PARTITION =
      of(
          "add-column-before-partition",
          OptionType.BOOL,
          false,
          "Whether new columns go before the first partition column instead of to the end.");
  public static final OptionKey<Boolean> NULL_TO_NOT_NULL_DISABLED =
      of(
          "alter-column-null-to-not-null.disabled",
          OptionType.BOOL,
          true,
          "Whether a column that allows NULL may not become NOT NULL.");
  public static final OptionKey<Boolean> DISABLE_EXPLICIT_CASTS =
      of(
          "disable-explicit-type-casting",
          OptionType.BOOL,
          false,
          "Whether the type of a column may change by implicit casts only.");

  static List<OptionKey<?>> all() {
    return List.of(
        TYPE,
        BUCKET,
        BUCKET_KEY,
        BUCKET_FUNCTION,
        BUCKET_APPEND_ORDERED,
        DYNAMIC_TARGET_ROWS,
        DYNAMIC_INITIAL_BUCKETS,
        DYNAMIC_MAX_BUCKETS,
        DYNAMIC_PARALLELISM,
        KEY_INDEX_TTL,
        KEY_INDEX_THREADS,
        POSTPONE_BATCH_FIXED,
        POSTPONE_MAX_BUCKETS,
        POSTPONE_BUCKETS,
        POSTPONE_TARGET_ROWS,
        POSTPONE_TARGET_SIZE,
        PARTITION_DEFAULT_NAME,
        PARTITION_LEGACY_NAME,
        DATA_FILE_DIRECTORY,
        EXTERNAL_PATHS,
        EXTERNAL_STRATEGY,
        INDEX_IN_DATA_DIRECTORY,
        DATA_FILE_PREFIX,
        CHANGELOG_FILE_PREFIX,
        CHANGELOG_FILE_FORMAT,
        CHANGELOG_FILE_COMPRESSION,
        CHANGELOG_STATS_MODE,
        COMPRESSION_IN_NAME,
        FILE_FORMAT,
        FILE_FORMAT_PER_LEVEL,
        FILE_COMPRESSION,
        FILE_COMPRESSION_PER_LEVEL,
        ZSTD_LEVEL,
        FILE_BLOCK_SIZE,
        TARGET_FILE_SIZE,
        PARQUET_DELTA_KEYS,
        PARQUET_DICTIONARY,
        THIN_MODE,
        STATS_MODE,
        STATS_MODE_PER_LEVEL,
        STATS_DENSE,
        STATS_FIRST_COLUMNS,
        ADD_COLUMN_BEFORE_PARTITION,
        NULL_TO_NOT_NULL_DISABLED,
        DISABLE_EXPLICIT_CASTS);
  }
}
