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

package io.keylake.spark.file;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.types.DataType;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.statisticslevel.StatisticsFilter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.sql.execution.datasources.parquet.VectorizedParquetRecordReader;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Reads a Parquet file with Spark's vectorized reader.
 *
 * <ol>
 *   <li>Row groups are chosen here, by the midpoint rule and by statistics, and handed to Spark in
 *       a footer that has no others. Spark's reader skips pages by the column index.
 *   <li>Positions are counted: batches never span row groups. Only where a predicate may skip pages
 *       is Spark's row-index column read, which costs more.
 *   <li>Columns that Spark's reader reads wrong are read beside it: {@link ParquetSlowColumns}.
 *   <li>Dates and timestamps are taken as they are: writers of this format use the proleptic
 *       Gregorian calendar.
 * </ol>
 */
final class ParquetFormatReader implements FormatReader {
  private static final String ROW_INDEX = "_tmp_metadata_row_index";
  private static final String REBASE = "CORRECTED";

  private final String path;
  private final List<RequestedColumn> request;
  private final List<BlockMetaData> rowGroups;
  private final long skippedRowGroups;
  private final @Nullable VectorizedParquetRecordReader reader;
  private final boolean indexColumn;
  private final @Nullable ParquetSlowColumns slow;
  private WritableColumnVector[] columns = new WritableColumnVector[0];
  private @Nullable WritableColumnVector rowIndex;
  private int rows;
  private int rowGroup = -1;
  private long rowsBeforeInGroup;

  private ParquetFormatReader(
      FileScan scan,
      FileProjection projection,
      Selection selection,
      @Nullable VectorizedParquetRecordReader reader,
      boolean indexColumn,
      @Nullable ParquetSlowColumns slow) {
    this.path = scan.path();
    this.request = projection.request();
    this.rowGroups = selection.chosen();
    this.skippedRowGroups = selection.skipped();
    this.reader = reader;
    this.indexColumn = indexColumn;
    this.slow = slow;
  }

  /** The row groups to read and the number of those that statistics excluded. */
  private record Selection(List<BlockMetaData> chosen, long skipped) {}

  static ParquetFormatReader open(
      FileScan scan, FileProjection projection, ParquetFiles files, VectorAllocation vectors)
      throws IOException {
    HadoopInputFile file = files.inputFile(scan.path(), scan.file().size());
    SeekableInputStream stream = files.open(file, scan.path());
    boolean handedOver = false;
    try {
      ParquetMetadata footer = files.footer(file, scan.path(), stream);
      Predicate predicate = scan.predicate();
      FilterPredicate filter =
          predicate == null
              ? null
              : new ParquetPredicates(footer.getFileMetaData().getSchema()).filter(predicate);
      Selection selection = select(scan, footer.getBlocks(), filter);
      if (selection.chosen().isEmpty()) {
        return new ParquetFormatReader(scan, projection, selection, null, false, null);
      }
      ParquetMetadata chosen = new ParquetMetadata(footer.getFileMetaData(), selection.chosen());
      ParquetSlowColumns slow = ParquetSlowColumns.of(scan, projection, chosen, files, vectors);
      // Columns that are read beside Spark's reader need every row of the chosen row groups.
      FilterPredicate pages = slow == null ? filter : null;
      boolean indexColumn = pages != null && scan.positions() == FileScan.Positions.NEEDED;
      VectorizedParquetRecordReader reader =
          new VectorizedParquetRecordReader(
              null, REBASE, "UTC", REBASE, "UTC", vectors.isOffHeap(), vectors.batchRows());
      handedOver = true;
      initialize(
          reader,
          files.configuration(requestType(projection, slow, indexColumn), pages),
          file,
          stream,
          chosen);
      return new ParquetFormatReader(scan, projection, selection, reader, indexColumn, slow);
    } finally {
      if (!handedOver) {
        stream.close();
      }
    }
  }

  /** What Spark's reader is asked for: the request without the slow columns. */
  private static StructType requestType(
      FileProjection projection, @Nullable ParquetSlowColumns slow, boolean indexColumn) {
    StructType type = new StructType();
    for (int i = 0; i < projection.request().size(); i++) {
      if (slow == null || slow.vector(i) == null) {
        RequestedColumn column = projection.request().get(i);
        type = type.add(column.name(), column.type(), true);
      }
    }
    return indexColumn ? type.add(ROW_INDEX, DataTypes.LongType, true) : type;
  }

  private static Selection select(
      FileScan scan, List<BlockMetaData> rowGroups, @Nullable FilterPredicate filter) {
    List<BlockMetaData> chosen = new ArrayList<>();
    DeletionVector rows = scan.rows();
    long skipped = 0;
    long firstRow = 0;
    for (BlockMetaData rowGroup : rowGroups) {
      long endRow = firstRow + rowGroup.getRowCount();
      boolean isWanted = rows == null || rows.intersects(firstRow, endRow);
      firstRow = endRow;
      long middle = rowGroup.getStartingPos() + rowGroup.getCompressedSize() / 2;
      boolean inRange = middle >= scan.start() && middle - scan.start() < scan.length();
      if (!scan.coversFile() && !inRange) {
        continue;
      }
      if (!isWanted
          || (filter != null && StatisticsFilter.canDrop(filter, rowGroup.getColumns()))) {
        skipped++;
      } else {
        chosen.add(rowGroup);
      }
    }
    return new Selection(chosen, skipped);
  }

  private static void initialize(
      VectorizedParquetRecordReader reader,
      JobConf conf,
      HadoopInputFile file,
      SeekableInputStream stream,
      ParquetMetadata footer)
      throws IOException {
    boolean ready = false;
    try {
      reader.initialize(
          new FileSplit(file.getPath(), 0, Long.MAX_VALUE, new String[0]),
          new TaskAttemptContextImpl(conf, new TaskAttemptID()),
          Option.apply(file),
          Option.apply(stream),
          Option.apply(footer));
      reader.initBatch(null, null);
      reader.enableReturningBatches();
      ready = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while opening " + file.getPath(), e);
    } finally {
      if (!ready) {
        reader.close();
        stream.close();
      }
    }
  }

  @Override
  public boolean next() throws IOException {
    if (reader == null) {
      return false;
    }
    if (rowGroup >= 0) {
      rowsBeforeInGroup += rows;
    }
    try {
      if (!reader.nextBatch()) {
        rows = 0;
        return false;
      }
    } catch (NoSuchFileException e) {
      throw DataFiles.missing(path, e);
    } catch (ParquetDecodingException | ChecksumException | EOFException e) {
      throw DataFiles.damaged(path, e);
    }
    if (columns.length == 0) {
      takeVectors(reader.resultBatch());
    }
    rows = reader.resultBatch().numRows();
    if (slow != null) {
      slow.read(rows);
    }
    if (!indexColumn) {
      while (rowGroup < 0 || rowsBeforeInGroup >= rowGroups.get(rowGroup).getRowCount()) {
        rowGroup++;
        rowsBeforeInGroup = 0;
      }
    }
    return true;
  }

  private void takeVectors(ColumnarBatch batch) {
    columns = new WritableColumnVector[request.size()];
    int next = 0;
    for (int i = 0; i < columns.length; i++) {
      WritableColumnVector own = slow == null ? null : slow.vector(i);
      columns[i] = own == null ? (WritableColumnVector) batch.column(next++) : own;
    }
    if (indexColumn) {
      rowIndex = (WritableColumnVector) batch.column(request.size());
    }
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public WritableColumnVector[] columns() {
    return columns;
  }

  @Override
  public long position(int row) {
    return rowIndex != null
        ? rowIndex.getLong(row)
        : rowGroups.get(rowGroup).getRowIndexOffset() + rowsBeforeInGroup + row;
  }

  @Override
  public long skippedRowGroups() {
    return skippedRowGroups;
  }

  @Override
  public @Nullable ValueRange range(int column) {
    ColumnPath name = ColumnPath.get(request.get(column).name());
    Object min = null;
    Object max = null;
    for (BlockMetaData rowGroup : rowGroups) {
      ColumnChunkMetaData chunk =
          rowGroup.getColumns().stream()
              .filter(candidate -> candidate.getPath().equals(name))
              .findFirst()
              .orElse(null);
      Statistics<?> statistics = chunk == null ? null : chunk.getStatistics();
      if (statistics == null || !statistics.hasNonNullValue()) {
        return null;
      }
      DataType type = request.get(column).stored();
      min = smaller(min, literal(type, statistics.genericGetMin()), 1);
      max = smaller(max, literal(type, statistics.genericGetMax()), -1);
      if (min == null || max == null) {
        return null;
      }
    }
    return min == null || max == null ? null : new ValueRange(min, max);
  }

  /** The smaller ({@code sign} 1) or larger (-1) of two literals; null when the new one is null. */
  private static @Nullable Object smaller(
      @Nullable Object known, @Nullable Object found, int sign) {
    if (known == null || found == null) {
      return found;
    }
    int order =
        known instanceof String text
            ? Arrays.compareUnsigned(utf8(text), utf8((String) found))
            : Long.compare(((Number) known).longValue(), ((Number) found).longValue());
    return sign * order <= 0 ? known : found;
  }

  /** A statistic as a literal; null for types whose bounds are not needed or not exact. */
  private static @Nullable Object literal(DataType type, Object bound) {
    return switch (type.root()) {
      case INT, DATE, BIGINT -> bound instanceof Number ? bound : null;
      case VARCHAR -> {
        if (!(bound instanceof Binary binary)) {
          yield null;
        }
        String text = binary.toStringUsingUTF8();
        yield Arrays.equals(utf8(text), binary.getBytes()) ? text : null;
      }
      default -> null;
    };
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    try {
      if (slow != null) {
        slow.close();
      }
    } finally {
      if (reader != null) {
        reader.close();
      }
    }
  }
}
