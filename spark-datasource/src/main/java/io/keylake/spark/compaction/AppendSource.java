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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.ComputedValues;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.table.evolution.TrackedRows;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a file of an append table, with numbers that are given out while it is read. For
 * one thread; the owner closes it.
 */
final class AppendSource implements GatherSource, Closeable {
  private final DataFileReader reader;
  private final @Nullable ColumnVector[] outside;
  private final OnHeapColumnVector numbers;
  private final ConstantColumnVector kinds;
  private final List<Tracked> tracked = new ArrayList<>();

  /**
   * The batches of {@code reader}, of at most {@code batchRows} rows.
   *
   * @param file what is read
   * @param schema the table's schema, whose columns are read
   * @param partition values of the partition columns, which never come from files
   */
  AppendSource(
      DataFileReader reader,
      DataFile file,
      TableSchema schema,
      BinaryRow partition,
      int batchRows) {
    this.reader = reader;
    this.outside = new ColumnVector[schema.fields().size()];
    this.numbers = new OnHeapColumnVector(batchRows, DataTypes.LongType);
    this.kinds = new ConstantColumnVector(batchRows, DataTypes.ByteType);
    kinds.setByte(ChangeKind.INSERT.code());
    RowType partitionType = schema.partitionType();
    InternalRow values = new PartitionRows(partitionType).rowToSpark(partition);
    for (int i = 0; i < outside.length; i++) {
      DataField field = schema.fields().get(i);
      int place = partitionType.indexOfId(field.id());
      if (place >= 0) {
        DataType type = SparkTypes.toSpark(field.name(), field.type());
        Object value = values.isNullAt(place) ? null : values.get(place, type);
        outside[i] = DataFileReader.constant(batchRows, type, value);
      }
    }
    if (TrackedRows.areStored(schema)) {
      boolean isStored = TrackedRows.areStored(file);
      int ids = schema.rowType().indexOfId(TrackedRows.ROW_ID.id());
      int sequences = schema.rowType().indexOfId(TrackedRows.SEQUENCE_NUMBER.id());
      track(ComputedValues.rowIds(file, isStored ? ids : -1, file.name()), ids, batchRows);
      track(ComputedValues.sequenceNumbers(file, isStored ? sequences : -1), sequences, batchRows);
    }
  }

  /** A column whose values are made of what the file stores and of where rows are in it. */
  private record Tracked(ComputedValues values, WritableColumnVector column) {}

  private void track(ComputedValues values, int column, int batchRows) {
    WritableColumnVector vector = new OnHeapColumnVector(batchRows, DataTypes.LongType);
    tracked.add(new Tracked(values, vector));
    outside[column] = vector;
  }

  /** To be called whenever the reader has gone to a batch. */
  void startBatch() {
    for (Tracked column : tracked) {
      for (int row = 0; row < reader.rows(); row++) {
        column.values().put(reader, row, column.column(), row);
      }
    }
  }

  /** Numbers a row of the current batch. */
  void number(int row, long sequenceNumber) {
    numbers.putLong(row, sequenceNumber);
  }

  @Override
  public ColumnVector column(int index) {
    ColumnVector constant = outside[index];
    return constant == null ? reader.column(index) : constant;
  }

  @Override
  public ColumnVector sequenceNumbers() {
    return numbers;
  }

  @Override
  public ColumnVector kinds() {
    return kinds;
  }

  @Override
  public void close() {
    tracked.forEach(column -> column.column().close());
    numbers.close();
    kinds.close();
  }
}
