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

import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.vector.VectorCopy;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/** The columns of a batch of the output: constants, and those that rows are copied to. */
final class OutputColumns implements AutoCloseable {
  /** Copies values of one column, from {@code place} among the columns of the rows. */
  @FunctionalInterface
  interface Filling {
    void fill(VectorCopy copy, int place, WritableColumnVector target);
  }

  private final ValueColumns columns;
  private final @Nullable WritableColumnVector[] values;
  private final @Nullable VectorCopy[] copies;

  OutputColumns(ChangeTask task, ValueColumns columns, int batchRows) {
    StructType types = task.spec().data().output();
    this.columns = columns;
    this.values = new WritableColumnVector[types.size()];
    this.copies = new VectorCopy[types.size()];
    for (int i = 0; i < values.length; i++) {
      if (columns.places().get(i) >= 0) {
        values[i] = new OnHeapColumnVector(batchRows, types.fields()[i].dataType());
        copies[i] = new VectorCopy(types.fields()[i].dataType());
      }
    }
  }

  /** Empties the columns; there is room for {@code rows} rows. */
  void clear(int rows) {
    for (WritableColumnVector column : values) {
      if (column != null) {
        column.reset();
        VectorCopy.reserve(column, rows);
      }
    }
  }

  /** Fills all columns but the constants. */
  void fill(Filling filling) {
    for (int i = 0; i < values.length; i++) {
      WritableColumnVector target = values[i];
      VectorCopy copy = copies[i];
      if (target != null && copy != null) {
        filling.fill(copy, columns.places().get(i), target);
      }
    }
  }

  /** A column of the output. */
  ColumnVector get(int index) {
    ColumnVector constant = columns.constants().get(index);
    ColumnVector own = values[index];
    if (constant != null) {
      return constant;
    } else if (own == null) {
      throw new IllegalStateException("No column " + index);
    }
    return own;
  }

  @Override
  public void close() {
    for (WritableColumnVector column : values) {
      if (column != null) {
        column.close();
      }
    }
  }
}
