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

package io.keylake.spark.stream.task;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.ChangeKind;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.vector.VectorCompaction;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The rows of another reader that fulfil a condition, in the columns that a query gets. Rows are
 * taken out in place, inside the other reader's vectors. A delete that fulfils the condition, where
 * none is allowed, is a {@code KEYLAKE_STREAM_DELETE}.
 */
final class SelectedRows implements BatchReader {
  private static final UTF8String DELETE = UTF8String.fromString(ChangeKind.DELETE.shortName());

  private final BatchReader rows;
  private final List<Integer> chosen;
  private final int kinds;
  private final String table;
  private final @Nullable BasePredicate condition;
  private int[] survivors = new int[0];
  private @Nullable ColumnarBatch batch;

  private SelectedRows(
      BatchReader rows, StreamSpec spec, int kinds, @Nullable BasePredicate condition) {
    this.rows = rows;
    this.chosen = spec.columns().chosen();
    this.kinds = kinds;
    this.table = spec.table();
    this.condition = condition;
  }

  /** The rows of {@code rows}, whose columns are those that {@code spec} reads. */
  static BatchReader of(BatchReader rows, StreamSpec spec) {
    RowCondition condition = spec.condition();
    return new SelectedRows(
        rows,
        spec,
        spec.deletes() == StreamSpec.Deletes.FAIL ? spec.columns().width() - 1 : -1,
        condition == null ? null : condition.evaluator());
  }

  @Override
  public boolean next() throws IOException {
    batch = null;
    while (rows.next()) {
      ColumnarBatch read = rows.batch();
      int count = condition == null ? read.numRows() : keepWanted(read, condition);
      if (kinds >= 0) {
        failOnDelete(read.column(kinds), count);
      }
      if (count > 0) {
        ColumnVector[] output = new ColumnVector[chosen.size()];
        for (int i = 0; i < output.length; i++) {
          output[i] = read.column(chosen.get(i));
        }
        batch = new ColumnarBatch(output, count);
        return true;
      }
    }
    return false;
  }

  private int keepWanted(ColumnarBatch read, BasePredicate wanted) {
    int total = read.numRows();
    if (survivors.length < total) {
      survivors = new int[total];
    }
    int count = 0;
    for (int row = 0; row < total; row++) {
      if (wanted.eval(read.getRow(row))) {
        survivors[count++] = row;
      }
    }
    if (count > 0 && count < total) {
      Set<ColumnVector> moved = Collections.newSetFromMap(new IdentityHashMap<>());
      for (int i = 0; i < read.numCols(); i++) {
        if (read.column(i) instanceof WritableColumnVector column && moved.add(column)) {
          VectorCompaction.compact(column, survivors, count);
        }
      }
    }
    return count;
  }

  private void failOnDelete(ColumnVector kind, int count) {
    for (int row = 0; row < count; row++) {
      if (kind.getUTF8String(row).equals(DELETE)) {
        throw new InvalidRequestException(
            Condition.KEYLAKE_STREAM_DELETE,
            "A row of "
                + table
                + " was deleted, which a stream of plain rows cannot tell. Read every change with"
                + " its kind ('read.changelog' = 'true'), or pass over deletes ('ignoreDeletes' ="
                + " 'true') or over commits that delete or update ('skipChangeCommits' = 'true').");
      }
    }
  }

  @Override
  public ColumnarBatch batch() {
    ColumnarBatch current = batch;
    if (current == null) {
      throw new IllegalStateException("No batch: next() was not called or found none");
    }
    return current;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
