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

import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * The values of one column of variable length for all picked rows: first found, so that rows can be
 * laid out, then copied. For one thread.
 *
 * <ol>
 *   <li>Plain vectors: the bytes are taken from the vector's own array.
 *   <li>Dictionary-coded vectors: each value of the dictionary is decoded once for all its rows.
 * </ol>
 */
final class BytesGather {
  private static final int NULL = -1;

  /** What the bytes are. */
  enum Form {
    /** A text or a binary, or a nested value as Spark's rows have it. */
    AS_STORED,
    /**
     * A DECIMAL of more than 18 digits. Files store it in a fixed width, rows in as few bytes as it
     * takes.
     */
    DECIMAL
  }

  private final Form form;
  private byte[][] values = new byte[0][];
  private int[] offsets = new int[0];
  private int[] lengths = new int[0];
  private byte[][] decoded = new byte[0][];
  private int[] decodedIds = new int[64];

  BytesGather(Form form) {
    this.form = form;
  }

  /** Makes room for {@code rows} values. */
  void reserve(int rows) {
    if (lengths.length < rows) {
      values = new byte[rows][];
      offsets = new int[rows];
      lengths = new int[rows];
    }
  }

  /** Finds the values of a source, and adds the room that they take to {@code rowLengths}. */
  void find(ColumnVector column, PickedRows picked, int source, int[] rowLengths) {
    int begin = picked.begin(source);
    int end = picked.end(source);
    if (begin == end) {
      return;
    }
    if (column instanceof OnHeapColumnVector vector && !vector.hasDictionary()) {
      plain(vector, picked, begin, end);
    } else if (column instanceof WritableColumnVector vector && vector.hasDictionary()) {
      coded(vector, picked, begin, end);
    } else {
      any(column, picked, begin, end);
    }
    int[] items = picked.items();
    if (form == Form.DECIMAL) {
      for (int i = begin; i < end; i++) {
        trim(items[i]);
      }
    }
    for (int i = begin; i < end; i++) {
      int item = items[i];
      rowLengths[item] += RowBytes.padded(Math.max(0, lengths[item]));
    }
  }

  /** Leaves out leading bytes that only repeat the sign. */
  private void trim(int item) {
    int length = lengths[item];
    byte[] value = values[item];
    int at = offsets[item];
    while (length > 1
        && ((value[at] == 0 && value[at + 1] >= 0) || (value[at] == -1 && value[at + 1] < 0))) {
      at++;
      length--;
    }
    offsets[item] = at;
    lengths[item] = length;
  }

  private void plain(OnHeapColumnVector column, PickedRows picked, int begin, int end) {
    boolean hasNull = column.hasNull();
    byte[] bytes = column.arrayData().getByteBuffer(0, 0).array();
    int[] items = picked.items();
    for (int i = begin; i < end; i++) {
      int item = items[i];
      int row = picked.row(item);
      if (hasNull && column.isNullAt(row)) {
        lengths[item] = NULL;
      } else {
        set(item, bytes, column.getArrayOffset(row), column.getArrayLength(row));
      }
    }
  }

  private void coded(WritableColumnVector column, PickedRows picked, int begin, int end) {
    boolean hasNull = column.hasNull();
    WritableColumnVector ids = column.getDictionaryIds();
    int[] items = picked.items();
    int count = 0;
    for (int i = begin; i < end; i++) {
      int item = items[i];
      int row = picked.row(item);
      if (hasNull && column.isNullAt(row)) {
        lengths[item] = NULL;
        continue;
      }
      int id = ids.getDictId(row);
      if (id >= decoded.length) {
        decoded = Arrays.copyOf(decoded, Math.max(id + 1, decoded.length * 2));
      }
      byte[] value = decoded[id];
      if (value == null) {
        value = column.getBinary(row);
        decoded[id] = value;
        if (count == decodedIds.length) {
          decodedIds = Arrays.copyOf(decodedIds, count * 2);
        }
        decodedIds[count++] = id;
      }
      set(item, value, 0, value.length);
    }
    for (int i = 0; i < count; i++) {
      decoded[decodedIds[i]] = null;
    }
  }

  private void any(ColumnVector column, PickedRows picked, int begin, int end) {
    int[] items = picked.items();
    for (int i = begin; i < end; i++) {
      int row = picked.row(items[i]);
      if (column.isNullAt(row)) {
        lengths[items[i]] = NULL;
      } else {
        byte[] value =
            column.dataType() instanceof StringType
                ? column.getUTF8String(row).getBytes()
                : column.getBinary(row);
        set(items[i], value, 0, value.length);
      }
    }
  }

  /** Sets the value of an item to some bytes of an array that stays as it is until the copy. */
  void set(int item, byte[] bytes, int offset, int length) {
    values[item] = bytes;
    offsets[item] = offset;
    lengths[item] = length;
  }

  /** Sets the value of an item to NULL. */
  void setNull(int item) {
    lengths[item] = NULL;
  }

  /** Copies the values of the items from {@code from} to {@code to} into the rows. */
  void copy(RowBytes target, int field, int from, int to) {
    for (int item = from; item < to; item++) {
      if (lengths[item] == NULL) {
        target.setNull(item, field);
      } else {
        target.append(item, field, values[item], offsets[item], lengths[item]);
      }
    }
  }
}
