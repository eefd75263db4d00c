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

package io.keylake.spark.file.gather;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * The nested columns of rows: Spark's compiled projection makes a row of them, whose values, being
 * relative to themselves, are then copied like any bytes. For one thread.
 */
final class NestedGather {
  private final int[] fields;
  private final UnsafeProjection projection;
  private byte[] bytes = new byte[1024];
  private int end;

  NestedGather(List<DataType> types, List<Integer> fields) {
    this.fields = fields.stream().mapToInt(Integer::intValue).toArray();
    this.projection = UnsafeProjection.create(types.toArray(DataType[]::new));
  }

  /** Forgets all values. */
  void clear() {
    end = 0;
  }

  /** Finds the values of a source, each column's for one of {@code targets}. */
  void find(
      GatherSource source,
      int ordinal,
      PickedRows picked,
      BytesGather[] targets,
      int[] rowLengths) {
    int begin = picked.begin(ordinal);
    int stop = picked.end(ordinal);
    if (begin == stop) {
      return;
    }
    ColumnVector[] columns = new ColumnVector[fields.length];
    for (int i = 0; i < fields.length; i++) {
      columns[i] = source.column(fields[i]);
    }
    ColumnarBatch batch = new ColumnarBatch(columns);
    batch.setNumRows(Integer.MAX_VALUE);
    for (int i = begin; i < stop; i++) {
      int item = picked.items()[i];
      UnsafeRow row = projection.apply(batch.getRow(picked.row(item)));
      take(row, item, targets, rowLengths);
    }
  }

  private void take(UnsafeRow row, int item, BytesGather[] targets, int[] rowLengths) {
    int length = row.getSizeInBytes();
    if (length > bytes.length - end) {
      // Values found before keep the old array.
      bytes = new byte[Math.max(bytes.length * 2, length)];
      end = 0;
    }
    Platform.copyMemory(
        row.getBaseObject(),
        row.getBaseOffset(),
        bytes,
        Platform.BYTE_ARRAY_OFFSET + (long) end,
        length);
    for (int i = 0; i < targets.length; i++) {
      if (row.isNullAt(i)) {
        targets[i].setNull(item);
      } else {
        long word = row.getLong(i);
        int size = (int) word;
        targets[i].set(item, bytes, end + (int) (word >>> Integer.SIZE), size);
        rowLengths[item] += RowBytes.padded(size);
      }
    }
    end += length;
  }
}
