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

package io.keylake.spark.file.write;

import io.keylake.format.datafile.FileSource;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.encode.FileColumns;
import io.keylake.spark.file.encode.FileColumns.KeyColumns;
import io.keylake.spark.file.encode.StoredColumn.Integers;
import io.keylake.spark.file.parquet.ParquetKeys;
import io.keylake.spark.file.parquet.ParquetSettings;
import io.keylake.table.options.DataFileOptions;
import io.keylake.table.options.DataFileOptions.Format;
import io.keylake.table.options.FileIndexOptions;
import io.keylake.table.options.StatsOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.changelog.ChangelogOptions;
import java.io.Serializable;

/**
 * What the data files of one job are like; travels to executors.
 *
 * @param schema the table's schema, which rows follow
 * @param columns the columns of the files
 * @param settings how Parquet is written
 * @param stats which statistics are kept
 * @param level the level of the files in the tree
 * @param source how the files come to be
 * @param targetFileBytes size at which the next file is started
 * @param files format and codec by level
 * @param indexes the file indexes that files get
 */
public record DataFileSpec(
    TableSchema schema,
    FileColumns columns,
    ParquetSettings settings,
    StatsOptions stats,
    int level,
    FileSource source,
    long targetFileBytes,
    DataFileOptions files,
    FileIndexOptions indexes)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** At least this much of a file may be held in memory, whatever the heap. */
  private static final long MIN_ROW_GROUP_BYTES = 8L << 20;

  /** All tasks together may hold this share of the heap for open row groups. */
  private static final int HEAP_PARTS = 8;

  /** The files that a write of rows makes: level 0. */
  public static DataFileSpec ofWrite(TableSchema schema, TableOptions options) {
    DataFileOptions files = options.dataFile();
    return new DataFileSpec(
        schema,
        columns(schema, files),
        files.format(0) == Format.PARQUET
            ? ParquetKeys.settings(files, 0)
            : ParquetSettings.DEFAULT,
        options.stats(),
        0,
        FileSource.APPEND,
        files.targetFileBytes(),
        files,
        options.fileIndex());
  }

  /** The same table's files as a compaction into {@code newLevel} makes them. */
  public DataFileSpec ofCompaction(int newLevel) {
    return new DataFileSpec(
        schema,
        columns,
        files.format(newLevel) == Format.PARQUET
            ? ParquetKeys.settings(files, newLevel)
            : ParquetSettings.DEFAULT,
        stats,
        newLevel,
        FileSource.COMPACT,
        targetFileBytes,
        files,
        indexes);
  }

  /** The changelog files of a primary-key table that a write (level 0) or a compaction makes. */
  public static DataFileSpec ofChangelog(
      TableSchema schema, ChangelogOptions changelog, int level) {
    DataFileOptions files = changelog.files();
    return new DataFileSpec(
        schema,
        columns(schema, files),
        files.format(level) == Format.PARQUET
            ? ParquetKeys.settings(files, level)
            : ParquetSettings.DEFAULT,
        changelog.stats(),
        level,
        FileSource.APPEND,
        files.targetFileBytes(),
        files,
        FileIndexOptions.NONE);
  }

  private static FileColumns columns(TableSchema schema, DataFileOptions files) {
    if (!schema.hasPrimaryKey()) {
      return FileColumns.append(schema);
    }
    return FileColumns.primaryKey(
        schema,
        files.thinMode() ? KeyColumns.OMITTED : KeyColumns.STORED,
        files.deltaEncodedKeys() ? Integers.DELTA : Integers.DICTIONARY_OR_PLAIN);
  }

  /**
   * The same files with row groups bounded so that those of {@code tasks} tasks, which share this
   * process, fit its heap together.
   */
  public DataFileSpec boundedFor(int tasks) {
    long share = Runtime.getRuntime().maxMemory() / HEAP_PARTS / Math.max(1, tasks);
    return withRowGroupsOfAtMost(Math.max(MIN_ROW_GROUP_BYTES, share));
  }

  /** The same files with row groups of at most {@code bytes} in memory. */
  public DataFileSpec withRowGroupsOfAtMost(long bytes) {
    return settings.rowGroupBytes() <= bytes
        ? this
        : new DataFileSpec(
            schema,
            columns,
            settings.withRowGroupBytes(bytes),
            stats,
            level,
            source,
            targetFileBytes,
            files,
            indexes);
  }
}
