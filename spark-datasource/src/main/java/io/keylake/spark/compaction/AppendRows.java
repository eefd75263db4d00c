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

package io.keylake.spark.compaction;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.merge.rows.VectorMask;
import io.keylake.spark.vector.DropMask;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.evolution.TrackedRows;
import io.keylake.table.split.StoredVector;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one file of an append table that no deletion vector deletes, as the table has them
 * now, each with a number at its end that says where it comes from. For one thread; the owner
 * closes it.
 */
public final class AppendRows implements Closeable {
  private final CompactionSpec spec;
  private final StepEnvironment environment;
  private final RowType wanted;
  private final DataFileReader reader;
  private final AppendSource source;
  private final ColumnVector number;
  private final @Nullable VectorMask mask;
  private final DropMask drops = new DropMask();
  private @Nullable ColumnarBatch batch;
  private int row;

  /**
   * Opens a file.
   *
   * @param read the columns that are read: those of {@code spec.schema()} or some of them, the
   *     partition columns among them
   * @param partition values of the partition columns
   * @param tag the number at the end of each row
   */
  public AppendRows(
      CompactionSpec spec,
      StepEnvironment environment,
      TableSchema read,
      BinaryRow partition,
      CompactionInput input,
      int tag)
      throws IOException {
    this.spec = spec;
    this.environment = environment;
    this.wanted = read.rowType();
    DeletionVector vector = load(input.vector());
    this.mask = vector == null ? null : new VectorMask(vector);
    this.reader = opener().open(scan(input, read));
    this.source = new AppendSource(reader, input.file(), read, partition, RowBatch.MAX_ROWS);
    this.number = DataFileReader.constant(RowBatch.MAX_ROWS, DataTypes.IntegerType, tag);
  }

  /** The schema of a table's rows with only these columns and those that name partitions. */
  public static TableSchema narrowed(TableSchema schema, List<DataField> columns) {
    List<DataField> fields =
        schema.fields().stream()
            .filter(
                field -> columns.contains(field) || schema.partitionKeys().contains(field.name()))
            .toList();
    return new TableSchema(
        schema.version(),
        schema.id(),
        fields,
        schema.highestFieldId(),
        schema.partitionKeys(),
        List.of(),
        schema.options(),
        schema.comment(),
        schema.timeMillis(),
        schema.unknown());
  }

  private DataFiles opener() {
    return new DataFiles(
        environment.io().configuration(),
        new VectorAllocation(RowBatch.MAX_ROWS, VectorMemory.ON_HEAP),
        spec.addedDefaults());
  }

  private FileScan scan(CompactionInput input, TableSchema read) {
    boolean isTracked = TrackedRows.areStored(read);
    RowType columns =
        isTracked && !TrackedRows.areStored(input.file())
            ? RowType.of(
                wanted.fields().stream()
                    .filter(
                        field ->
                            field.id() != TrackedRows.ROW_ID.id()
                                && field.id() != TrackedRows.SEQUENCE_NUMBER.id())
                    .toList())
            : wanted;
    FileScan whole =
        FileScan.whole(input.path(), input.file(), spec.fileSchema(input.file()), columns);
    return mask == null && !isTracked ? whole : whole.withPositions();
  }

  private @Nullable DeletionVector load(@Nullable StoredVector stored) {
    if (stored == null) {
      return null;
    }
    byte[] content = environment.io().read(new Location(stored.path()));
    DeletionVector vector = DeletionVectorFile.decode(content, stored.ref(), stored.path());
    return vector.isEmpty() ? null : vector;
  }

  /** Goes to the next row; false when there is none. */
  public boolean next() throws IOException {
    row++;
    while (true) {
      ColumnarBatch open = batch;
      if (open != null) {
        while (row < open.numRows()) {
          if (!drops.isDropped(row)) {
            return true;
          }
          row++;
        }
      }
      environment.stop().check();
      if (!reader.next()) {
        return false;
      }
      startBatch();
    }
  }

  private void startBatch() {
    source.startBatch();
    drops.reset(reader.rows());
    if (mask != null) {
      mask.apply(reader, drops);
    }
    ColumnVector[] columns = new ColumnVector[wanted.size() + 1];
    for (int i = 0; i < wanted.size(); i++) {
      columns[i] = source.column(i);
    }
    columns[wanted.size()] = number;
    batch = new ColumnarBatch(columns, reader.rows());
    row = 0;
  }

  /** The current row, valid until the next call of {@link #next}. */
  public InternalRow row() {
    ColumnarBatch open = batch;
    if (open == null) {
      throw new IllegalStateException("next() comes first");
    }
    return open.getRow(row);
  }

  @Override
  public void close() throws IOException {
    number.close();
    source.close();
    reader.close();
  }
}
