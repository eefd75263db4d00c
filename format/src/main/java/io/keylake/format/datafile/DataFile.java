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

package io.keylake.format.datafile;

import io.keylake.format.layout.DataFileNames;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.Bytes;
import io.keylake.format.stats.ColumnStats;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a manifest says of one data file or changelog file.
 *
 * @param name file name without folder
 * @param size bytes
 * @param rowCount physical rows, retracting rows included
 * @param minKey trimmed primary key of the first row; the empty row for append tables
 * @param maxKey trimmed primary key of the last row, not truncated
 * @param keyStats statistics of the trimmed key columns
 * @param valueStats statistics of the table's columns, see {@code valueStatsColumns}
 * @param minSequenceNumber smallest sequence number of a row
 * @param maxSequenceNumber largest sequence number of a row
 * @param schemaId the schema it was written with
 * @param level level in the LSM tree, 0 for append tables
 * @param extraFiles names of side files in the same folder
 * @param creationTimeMillis writer's local wall-clock time as if in UTC, milliseconds; null =
 *     unknown
 * @param deleteRowCount rows of kind -U and -D; null = unknown
 * @param embeddedIndex content of a small file index; null when there is none
 * @param source how it was made; null = unknown
 * @param valueStatsColumns names of the columns that {@code valueStats} covers, in order; null =
 *     all
 * @param externalPath full address when the file is outside the table's folder; null otherwise
 * @param firstRowId row id of the first row, for row tracking; null otherwise
 * @param writeColumns columns the file contains, for data evolution; null = all
 */
public record DataFile(
    String name,
    long size,
    long rowCount,
    BinaryRow minKey,
    BinaryRow maxKey,
    ColumnStats keyStats,
    ColumnStats valueStats,
    long minSequenceNumber,
    long maxSequenceNumber,
    long schemaId,
    int level,
    List<String> extraFiles,
    @Nullable Long creationTimeMillis,
    @Nullable Long deleteRowCount,
    @Nullable Bytes embeddedIndex,
    @Nullable FileSource source,
    @Nullable List<String> valueStatsColumns,
    @Nullable String externalPath,
    @Nullable Long firstRowId,
    @Nullable List<String> writeColumns)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the lists. */
  public DataFile {
    extraFiles = List.copyOf(extraFiles);
    valueStatsColumns = valueStatsColumns == null ? null : List.copyOf(valueStatsColumns);
    writeColumns = writeColumns == null ? null : List.copyOf(writeColumns);
  }

  /** The same file on another level. */
  public DataFile withLevel(int newLevel) {
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
        newLevel,
        extraFiles,
        creationTimeMillis,
        deleteRowCount,
        embeddedIndex,
        source,
        valueStatsColumns,
        externalPath,
        firstRowId,
        writeColumns);
  }

  /**
   * The same file with other file indexes.
   *
   * @param newExtraFiles names of all its side files
   * @param newEmbeddedIndex null when there is none
   */
  public DataFile withIndexes(List<String> newExtraFiles, @Nullable Bytes newEmbeddedIndex) {
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
        newExtraFiles,
        creationTimeMillis,
        deleteRowCount,
        newEmbeddedIndex,
        source,
        valueStatsColumns,
        externalPath,
        firstRowId,
        writeColumns);
  }

  /** The same file, in the folder of its bucket. */
  public DataFile withoutExternalPath() {
    return externalPath == null
        ? this
        : new DataFile(
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
            creationTimeMillis,
            deleteRowCount,
            embeddedIndex,
            source,
            valueStatsColumns,
            null,
            firstRowId,
            writeColumns);
  }

  /**
   * A copy of the file in the folder of its bucket.
   *
   * @param newName the copy's name
   * @param newExtraFiles names of the copies of its side files
   */
  public DataFile copiedAs(String newName, List<String> newExtraFiles) {
    return new DataFile(
        newName,
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
        newExtraFiles,
        creationTimeMillis,
        deleteRowCount,
        embeddedIndex,
        source,
        valueStatsColumns,
        null,
        firstRowId,
        writeColumns);
  }

  /** The same file without statistics: what travels to executors. */
  public DataFile withoutStats() {
    return new DataFile(
        name,
        size,
        rowCount,
        minKey,
        maxKey,
        ColumnStats.EMPTY,
        ColumnStats.EMPTY,
        minSequenceNumber,
        maxSequenceNumber,
        schemaId,
        level,
        extraFiles,
        creationTimeMillis,
        deleteRowCount,
        embeddedIndex,
        source,
        List.of(),
        externalPath,
        firstRowId,
        writeColumns);
  }

  /**
   * The same file, known to hold no rows of kind -U or -D: what an unknown count means where rows
   * have no key.
   */
  public DataFile withoutDeletes() {
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
        creationTimeMillis,
        0L,
        embeddedIndex,
        source,
        valueStatsColumns,
        externalPath,
        firstRowId,
        writeColumns);
  }

  /** The same file, known to contain these columns. */
  public DataFile withWriteColumns(List<String> columns) {
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
        creationTimeMillis,
        deleteRowCount,
        embeddedIndex,
        source,
        valueStatsColumns,
        externalPath,
        firstRowId,
        columns);
  }

  /**
   * The same file with the numbers that a commit gives where rows are tracked.
   *
   * @param sequenceNumber of all rows that do not store one
   * @param rowId of the first row; null when rows store their ids
   */
  public DataFile numbered(long sequenceNumber, @Nullable Long rowId) {
    return new DataFile(
        name,
        size,
        rowCount,
        minKey,
        maxKey,
        keyStats,
        valueStats,
        sequenceNumber,
        sequenceNumber,
        schemaId,
        level,
        extraFiles,
        creationTimeMillis,
        deleteRowCount,
        embeddedIndex,
        source,
        valueStatsColumns,
        externalPath,
        rowId,
        writeColumns);
  }

  /** Whether the file may hold rows of kind -U or -D; an unknown count counts as yes. */
  public boolean mayHoldDeletes() {
    return deleteRowCount == null || deleteRowCount > 0;
  }

  /**
   * The format's identifier: the file name's extension, or the one before a compression suffix of a
   * text format.
   */
  public String formatIdentifier() {
    return DataFileNames.formatOf(name);
  }
}
