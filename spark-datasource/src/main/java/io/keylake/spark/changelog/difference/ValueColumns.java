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

package io.keylake.spark.changelog.difference;

import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.merge.ReadColumn;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.table.difference.DifferenceSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * The columns whose values are read, and those of the output.
 *
 * @param positions positions, in the table, of the columns that are read of files: no partition
 *     columns
 * @param stored these columns as files are asked for them, behind them the sequence number where it
 *     is wanted
 * @param places for each column of the output its place in {@code positions}; -1 for partition
 *     columns
 * @param constants for each column of the output the value of its partition column; else null
 * @param hasSequence whether the sequence number is read
 */
record ValueColumns(
    List<Integer> positions,
    RowType stored,
    List<Integer> places,
    List<? extends @Nullable ColumnVector> constants,
    boolean hasSequence) {

  /** All columns of the table, as rows that may be equal are compared in all of them. */
  static ValueColumns ofAll(ChangeTask task, DifferenceSplit split) {
    TableSchema schema = task.spec().data().schema();
    List<Integer> all =
        IntStream.range(0, schema.fields().size())
            .filter(i -> !schema.partitionKeys().contains(schema.fields().get(i).name()))
            .boxed()
            .toList();
    return of(task, split, all);
  }

  /** The columns of the output. */
  static ValueColumns ofOutput(ChangeTask task, DifferenceSplit split) {
    return of(task, split, output(task.spec().data()));
  }

  /** Positions, in the table, of the columns of the output that are no partition columns. */
  static List<Integer> output(ReadSpec spec) {
    List<Integer> positions = new ArrayList<>();
    for (ReadColumn column : spec.columns()) {
      int position = position(spec, column);
      if (position >= 0) {
        positions.add(position);
      }
    }
    return positions;
  }

  static ValueColumns of(ChangeTask task, DifferenceSplit split, List<Integer> positions) {
    ReadSpec spec = task.spec().data();
    TableSchema schema = spec.schema();
    boolean hasSequence = schema.hasPrimaryKey() && task.spec().needsSequence();
    List<DataField> stored = new ArrayList<>();
    positions.forEach(position -> stored.add(schema.fields().get(position)));
    if (hasSequence) {
      stored.add(SystemColumns.SEQUENCE_NUMBER);
    }
    RowType partitionType = schema.partitionType();
    InternalRow partition = new PartitionRows(partitionType).rowToSpark(split.partition());
    List<Integer> places = new ArrayList<>();
    List<@Nullable ColumnVector> constants = new ArrayList<>();
    for (int i = 0; i < spec.columns().size(); i++) {
      int position = position(spec, spec.columns().get(i));
      places.add(position < 0 ? -1 : positions.indexOf(position));
      constants.add(position >= 0 ? null : constant(spec, i, partition, partitionType));
    }
    return new ValueColumns(
        List.copyOf(positions), RowType.of(stored), places, constants, hasSequence);
  }

  /** The position of a column in the table; -1 for a partition column. */
  private static int position(ReadSpec spec, ReadColumn column) {
    DataField field = ((ReadColumn.TableColumn) column).field();
    if (spec.schema().partitionKeys().contains(field.name())) {
      return -1;
    }
    int position = spec.schema().rowType().indexOfId(field.id());
    if (!spec.schema().fields().get(position).type().equals(field.type())) {
      throw new IllegalArgumentException(
          "Column " + field.name() + " cannot be compared without some of its fields");
    }
    return position;
  }

  private static ColumnVector constant(
      ReadSpec spec, int output, InternalRow partition, RowType partitionType) {
    DataField field = ((ReadColumn.TableColumn) spec.columns().get(output)).field();
    int place = partitionType.indexOfId(field.id());
    DataType type = spec.output().fields()[output].dataType();
    return DataFileReader.constant(
        spec.batchRows(), type, partition.isNullAt(place) ? null : partition.get(place, type));
  }

  /** The columns that are read, but for the sequence number, as Spark knows them. */
  StructType types() {
    return SparkTypes.toSpark(RowType.of(stored.fields().subList(0, positions.size())));
  }

  /** The number of columns that are read, but for the sequence number. */
  int size() {
    return positions.size();
  }
}
