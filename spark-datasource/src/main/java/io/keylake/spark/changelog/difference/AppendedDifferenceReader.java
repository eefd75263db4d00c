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

import io.keylake.spark.changelog.ChangeRows;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.vector.VectorCompaction;
import io.keylake.table.difference.DifferenceFile;
import io.keylake.table.difference.DifferenceSplit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Rows of an append table that only came or only went: files that are new or gone, and rows that
 * deletion vectors mark now. Batches are handed on in the vectors of their files. For one thread.
 */
final class AppendedDifferenceReader implements ChangeRows {
  private final ChangeTask task;
  private final StoredVectors vectors;
  private final ValueColumns columns;
  private final Deque<DifferenceFile> waiting;
  private final WritableColumnVector kinds;
  private @Nullable FileDifference open;
  private int rows;

  AppendedDifferenceReader(ChangeTask task, DifferenceSplit split, StoredVectors vectors) {
    this.task = task;
    this.vectors = vectors;
    this.columns = ValueColumns.ofOutput(task, split);
    this.waiting = new ArrayDeque<>(split.files());
    this.kinds = new OnHeapColumnVector(task.spec().data().batchRows(), DataTypes.ByteType);
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      FileDifference file = open;
      if (file == null) {
        if (waiting.isEmpty()) {
          return false;
        }
        open = FileDifference.open(task, waiting.remove(), columns, vectors);
      } else if (!file.next()) {
        open = null;
        file.close();
      } else if (take(file)) {
        return true;
      }
    }
  }

  private boolean take(FileDifference file) {
    rows = file.find();
    if (rows == 0) {
      return false;
    }
    kinds.reserve(rows);
    for (int row = 0; row < rows; row++) {
      kinds.putByte(row, file.kind(row).code());
    }
    if (rows < file.reader().rows()) {
      for (int i = 0; i < columns.stored().size(); i++) {
        if (file.reader().column(i) instanceof WritableColumnVector column) {
          VectorCompaction.compact(column, file.rows(), rows);
        }
      }
    }
    return true;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public ColumnVector column(int index) {
    ColumnVector constant = columns.constants().get(index);
    FileDifference file = open;
    if (constant != null) {
      return constant;
    } else if (file == null) {
      throw new IllegalStateException("No batch: next() was not called or found none");
    }
    return file.reader().column(columns.places().get(index));
  }

  @Override
  public ColumnVector kinds() {
    return kinds;
  }

  @Override
  public @Nullable ColumnVector sequenceNumbers() {
    return null;
  }

  @Override
  public void close() throws IOException {
    kinds.close();
    FileDifference file = open;
    open = null;
    if (file != null) {
      file.close();
    }
  }
}
