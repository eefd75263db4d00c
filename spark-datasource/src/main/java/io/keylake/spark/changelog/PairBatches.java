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

package io.keylake.spark.changelog;

import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.vector.VectorCopy;
import java.io.IOException;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Puts the values of rows into arrays: of one element each, but for an update, whose old row and
 * the new one that follows it become one row of two elements. Other columns are those of the last
 * of these rows. For one thread.
 *
 * <p>Rule source: table format, binlog. Pinned by {@code ChangeReadersTest}.
 */
final class PairBatches implements BatchReader {
  private static final UTF8String BEFORE = UTF8String.fromString("-U");
  private static final UTF8String AFTER = UTF8String.fromString("+U");

  private final BatchReader rows;
  private final boolean[] isPaired;
  private final WritableColumnVector[] vectors;
  private final VectorCopy[] copies;
  private int written;
  private boolean awaitsAfter;
  private int arrayStart;
  private @Nullable ColumnarBatch batch;

  /**
   * Takes over {@code rows} and closes it.
   *
   * @param rows their first column is the kind; then come the columns of {@code spec}
   * @param spec tells which columns are the table's
   * @param output the columns with arrays
   */
  PairBatches(BatchReader rows, ChangeSpec spec, StructType output) {
    this.rows = rows;
    this.vectors = OnHeapColumnVector.allocateColumns(spec.data().batchRows(), output);
    this.isPaired = new boolean[vectors.length];
    this.copies = new VectorCopy[vectors.length];
    for (int i = 0; i < vectors.length; i++) {
      isPaired[i] = spec.columns().get(i) instanceof ChangeColumn.Data;
      DataType type = output.fields()[i].dataType();
      copies[i] = new VectorCopy(isPaired[i] ? ((ArrayType) type).elementType() : type);
    }
  }

  @Override
  public boolean next() throws IOException {
    batch = null;
    written = 0;
    arrayStart = 0;
    awaitsAfter = false;
    for (WritableColumnVector vector : vectors) {
      vector.reset();
    }
    // An update is never cut in two: as long as its new row is missing one more batch is taken.
    do {
      if (!rows.next()) {
        break;
      }
      add(rows.batch());
    } while (awaitsAfter);
    if (awaitsAfter) {
      finish(1);
    }
    if (written == 0) {
      return false;
    }
    batch = new ColumnarBatch(vectors, written);
    return true;
  }

  private void add(ColumnarBatch source) {
    ColumnVector kinds = source.column(0);
    ColumnarBatchRow row = new ColumnarBatchRow(columns(source));
    for (int i = 0; i < source.numRows(); i++) {
      row.rowId = i;
      UTF8String kind = kinds.getUTF8String(i);
      if (awaitsAfter && !kind.equals(AFTER)) {
        finish(1);
      }
      int place = awaitsAfter ? 1 : 0;
      put(row, place);
      awaitsAfter = place == 0 && kind.equals(BEFORE);
      if (!awaitsAfter) {
        finish(place + 1);
      }
    }
  }

  private static ColumnVector[] columns(ColumnarBatch source) {
    ColumnVector[] columns = new ColumnVector[source.numCols()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = source.column(i);
    }
    return columns;
  }

  /** Copies a row to a place of the arrays that are being made. */
  private void put(ColumnarBatchRow row, int place) {
    for (int i = 0; i < vectors.length; i++) {
      WritableColumnVector target = isPaired[i] ? vectors[i].getChild(0) : vectors[i];
      int at = isPaired[i] ? arrayStart + place : written;
      VectorCopy.reserve(target, at + 1);
      copies[i].copy(row, i + 1, target, at);
    }
  }

  /** Ends the arrays that are being made. */
  private void finish(int elements) {
    for (int i = 0; i < vectors.length; i++) {
      if (isPaired[i]) {
        vectors[i].reserve(written + 1);
        vectors[i].putArray(written, arrayStart, elements);
      }
    }
    arrayStart += elements;
    written++;
    awaitsAfter = false;
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
    for (WritableColumnVector vector : vectors) {
      vector.close();
    }
    rows.close();
  }
}
