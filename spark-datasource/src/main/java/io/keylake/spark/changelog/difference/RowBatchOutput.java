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
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/** Batches of the output that are filled row by row. For one thread. */
final class RowBatchOutput implements AutoCloseable {
  /** The columns of the table follow a hash in rows. */
  private static final int FIRST_COLUMN = 1;

  private final OutputColumns columns;
  private final int batchRows;
  private final WritableColumnVector kinds;
  private final OutputColumns.Filling filling = this::copy;
  private int rows;
  private @Nullable UnsafeRow added;

  RowBatchOutput(ChangeTask task, ValueColumns columns) {
    this.batchRows = task.spec().data().batchRows();
    this.columns = new OutputColumns(task, columns, batchRows);
    this.kinds = new OnHeapColumnVector(batchRows, DataTypes.ByteType);
    clear();
  }

  /** Starts a new batch. */
  void clear() {
    rows = 0;
    columns.clear(batchRows);
  }

  boolean isFull() {
    return rows == batchRows;
  }

  int rows() {
    return rows;
  }

  /** Adds a row, which has a hash in front of the columns; there must be room. */
  void add(ChangeKind kind, UnsafeRow row) {
    added = row;
    columns.fill(filling);
    kinds.putByte(rows++, kind.code());
  }

  private void copy(VectorCopy copy, int place, WritableColumnVector target) {
    copy.copy(Objects.requireNonNull(added), FIRST_COLUMN + place, target, rows);
  }

  /** A column of the output. */
  ColumnVector column(int index) {
    return columns.get(index);
  }

  /** The kinds of the rows. */
  ColumnVector kinds() {
    return kinds;
  }

  @Override
  public void close() {
    columns.close();
    kinds.close();
  }
}
