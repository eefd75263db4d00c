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

package io.keylake.spark.merge;

import io.keylake.spark.file.ComputedValues;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.vector.VectorCompaction;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The output columns of a unit: some of its file's vectors, constants, and the positions of its
 * rows.
 */
final class UnitOutput implements AutoCloseable {
  private final List<Integer> places;
  private final ColumnVector[] columns;
  private final List<Computed> computed = new ArrayList<>();

  /** A column of numbers that are made of where rows are. */
  private record Computed(ComputedValues values, WritableColumnVector vector) {}

  /**
   * @param read the columns of the unit
   * @param constants for each output column its constant, or null
   * @param vectors makes the vectors of computed columns
   */
  UnitOutput(
      UnitColumns read,
      List<? extends @Nullable ColumnVector> constants,
      VectorAllocation vectors) {
    this.places = read.outputs();
    this.columns = new ColumnVector[places.size()];
    for (int i = 0; i < columns.length; i++) {
      ColumnVector constant = constants.get(i);
      ComputedValues values = read.computed().get(i);
      if (constant != null) {
        columns[i] = constant;
      } else if (values != null) {
        WritableColumnVector vector = vectors.allocate(DataTypes.LongType);
        computed.add(new Computed(values, vector));
        columns[i] = vector;
      }
    }
  }

  /** The batch that stands for all batches of the file, whose first batch has been read. */
  ColumnarBatch start(DataFileReader file) {
    for (int i = 0; i < columns.length; i++) {
      if (places.get(i) >= 0) {
        columns[i] = file.column(places.get(i));
      }
    }
    return new ColumnarBatch(columns);
  }

  /** Moves the surviving rows of the file's current batch to the front. */
  void compact(DataFileReader file, int[] survivors, int count) {
    for (int i = 0; i < columns.length; i++) {
      // A column may be asked for twice; it must be moved once.
      if (places.get(i) >= 0
          && places.indexOf(places.get(i)) == i
          && columns[i] instanceof WritableColumnVector column) {
        VectorCompaction.compact(column, survivors, count);
      }
    }
    for (Computed column : computed) {
      for (int i = 0; i < count; i++) {
        column.values().put(file, survivors[i], column.vector(), i);
      }
    }
  }

  /** Keeps all rows of the file's current batch. */
  void keepAll(DataFileReader file, int rows) {
    for (Computed column : computed) {
      for (int i = 0; i < rows; i++) {
        column.values().put(file, i, column.vector(), i);
      }
    }
  }

  @Override
  public void close() {
    computed.forEach(column -> column.vector().close());
  }
}
