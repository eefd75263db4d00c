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

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.vector.VectorCopy;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/** Batches of the output that are filled row by row. For one thread. */
final class RowBatchOutput implements AutoCloseable {
  /** The columns of the table follow a hash in rows. */
  private static final int FIRST_COLUMN = 1;

  private final ValueColumns columns;
  private final int batchRows;
  private final @Nullable WritableColumnVector[] values;
  private final @Nullable VectorCopy[] copies;
  private final WritableColumnVector kinds;
  private int rows;

  RowBatchOutput(ChangeTask task, ValueColumns columns) {
    StructType types = task.spec().data().output();
    this.columns = columns;
    this.batchRows = task.spec().data().batchRows();
    this.values = new WritableColumnVector[types.size()];
    this.copies = new VectorCopy[types.size()];
    for (int i = 0; i < values.length; i++) {
      if (columns.places().get(i) >= 0) {
        values[i] = new OnHeapColumnVector(batchRows, types.fields()[i].dataType());
        copies[i] = new VectorCopy(types.fields()[i].dataType());
      }
    }
    this.kinds = new OnHeapColumnVector(batchRows, DataTypes.ByteType);
    clear();
  }

  /** Starts a new batch. */
  void clear() {
    rows = 0;
    for (WritableColumnVector column : values) {
      if (column != null) {
        column.reset();
        VectorCopy.reserve(column, batchRows);
      }
    }
  }

  boolean isFull() {
    return rows == batchRows;
  }

  int rows() {
    return rows;
  }

  /** Adds a row, which has a hash in front of the columns; there must be room. */
  void add(ChangeKind kind, UnsafeRow row) {
    for (int i = 0; i < values.length; i++) {
      WritableColumnVector target = values[i];
      VectorCopy copy = copies[i];
      if (target != null && copy != null) {
        copy.copy(row, FIRST_COLUMN + columns.places().get(i), target, rows);
      }
    }
    kinds.putByte(rows++, kind.code());
  }

  /** A column of the output. */
  ColumnVector column(int index) {
    ColumnVector constant = columns.constants().get(index);
    ColumnVector own = values[index];
    if (constant != null) {
      return constant;
    } else if (own == null) {
      throw new IllegalStateException("No column " + index);
    }
    return own;
  }

  /** The kinds of the rows. */
  ColumnVector kinds() {
    return kinds;
  }

  @Override
  public void close() {
    for (WritableColumnVector column : values) {
      if (column != null) {
        column.close();
      }
    }
    kinds.close();
  }
}
