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

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.gather.GatherSource;
import java.io.Closeable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
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
  private final @Nullable ColumnVector[] partitionValues;
  private final OnHeapColumnVector numbers;
  private final ConstantColumnVector kinds;

  /**
   * The batches of {@code reader}, of at most {@code batchRows} rows.
   *
   * @param schema the table's schema, whose columns are read
   * @param partition values of the partition columns, which never come from files
   */
  AppendSource(DataFileReader reader, TableSchema schema, BinaryRow partition, int batchRows) {
    this.reader = reader;
    this.partitionValues = new ColumnVector[schema.fields().size()];
    this.numbers = new OnHeapColumnVector(batchRows, DataTypes.LongType);
    this.kinds = new ConstantColumnVector(batchRows, DataTypes.ByteType);
    kinds.setByte(ChangeKind.INSERT.code());
    RowType partitionType = schema.partitionType();
    InternalRow values = new PartitionRows(partitionType).rowToSpark(partition);
    for (int i = 0; i < partitionValues.length; i++) {
      DataField field = schema.fields().get(i);
      int place = partitionType.indexOfId(field.id());
      if (place >= 0) {
        DataType type = SparkTypes.toSpark(field.name(), field.type());
        Object value = values.isNullAt(place) ? null : values.get(place, type);
        partitionValues[i] = DataFileReader.constant(batchRows, type, value);
      }
    }
  }

  /** Numbers a row of the current batch. */
  void number(int row, long sequenceNumber) {
    numbers.putLong(row, sequenceNumber);
  }

  @Override
  public ColumnVector column(int index) {
    ColumnVector constant = partitionValues[index];
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
    numbers.close();
    kinds.close();
  }
}
