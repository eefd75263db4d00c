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

package io.keylake.golden;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.stats.ColumnStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes data files for tests: sensible values where the test says nothing. */
public final class DataFiles {
  private final String name;
  private long size = 1000;
  private long rowCount = 10;
  private BinaryRow minKey = BinaryRow.EMPTY;
  private BinaryRow maxKey = BinaryRow.EMPTY;
  private ColumnStats keyStats = ColumnStats.EMPTY;
  private ColumnStats valueStats = ColumnStats.EMPTY;
  private @Nullable List<String> valueStatsColumns = List.of();
  private long minSequenceNumber;
  private long maxSequenceNumber;
  private long schemaId;
  private int level;
  private List<String> extraFiles = List.of();
  private @Nullable Long deleteRowCount = 0L;

  private DataFiles(String name) {
    this.name = name;
  }

  /** A file of this name. */
  public static DataFiles named(String name) {
    return new DataFiles(name);
  }

  /** Sets the size in bytes. */
  public DataFiles size(long bytes) {
    size = bytes;
    return this;
  }

  /** Sets the number of rows. */
  public DataFiles rows(long rows) {
    rowCount = rows;
    return this;
  }

  /** Sets the key range. */
  public DataFiles keys(BinaryRow min, BinaryRow max) {
    minKey = min;
    maxKey = max;
    return this;
  }

  /** Sets the statistics of the key columns. */
  public DataFiles keyStats(ColumnStats stats) {
    keyStats = stats;
    return this;
  }

  /** Sets the statistics of all value columns. */
  public DataFiles valueStats(ColumnStats stats) {
    valueStats = stats;
    valueStatsColumns = null;
    return this;
  }

  /** Sets the range of sequence numbers. */
  public DataFiles sequence(long min, long max) {
    minSequenceNumber = min;
    maxSequenceNumber = max;
    return this;
  }

  /** Sets the schema. */
  public DataFiles schema(long id) {
    schemaId = id;
    return this;
  }

  /** Sets the level. */
  public DataFiles level(int newLevel) {
    level = newLevel;
    return this;
  }

  /** Sets the number of retracting rows; null = unknown. */
  public DataFiles deletes(@Nullable Long rows) {
    deleteRowCount = rows;
    return this;
  }

  /** Sets the names of side files. */
  public DataFiles extraFiles(List<String> names) {
    extraFiles = names;
    return this;
  }

  /** The file. */
  public DataFile build() {
    return new DataFile(
        name,
        size,
        rowCount,
        minKey,
        maxKey,
        keyStats,
        valueStats,
        minSequenceNumber,
        maxSequenceNumber,
        schemaId,
        level,
        extraFiles,
        0L,
        deleteRowCount,
        null,
        FileSource.APPEND,
        valueStatsColumns,
        null,
        null,
        null);
  }
}
