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

package io.keylake.spark.vector;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Copies picked values of a column from the vectors of readers, whatever they are, to a plain
 * vector of one's own.
 *
 * <ol>
 *   <li>Fixed width: one loop for each width.
 *   <li>Texts, binaries and wide decimals: bytes are copied once; of a dictionary, each value is
 *       decoded once for all its rows.
 *   <li>Nested values are copied value by value with all that is in them.
 * </ol>
 *
 * <p>Targets are vectors on heap that are reset before they are filled anew; each of their rows is
 * set once. For one thread. Pinned by {@code VectorCopyTest}.
 */
public final class VectorCopy {
  private static final int[] NONE = {};

  private final ValueForm form;
  private final ValueCopy values;
  private int[] rows = NONE;
  private int[] targets = NONE;
  private byte[][] decoded = new byte[0][];
  private int[] decodedIds = new int[64];

  /** Copies values of {@code type}. */
  public VectorCopy(DataType type) {
    form = ValueForm.of(type);
    values = ValueCopy.of(type);
  }

  /** Makes room for {@code count} rows in a vector and, for structs, in what is inside. */
  public static void reserve(WritableColumnVector target, int count) {
    target.reserve(count);
    if (VectorCompaction.hasChildren(target.dataType())) {
      for (int child = 0; child < target.getNumChildren(); child++) {
        reserve(target.getChild(child), count);
      }
    }
  }

  /** Copies a field of a row, NULL included, to row {@code at}, for which there is room. */
  public void copy(InternalRow row, int field, WritableColumnVector target, int at) {
    values.put(row, field, target, at);
  }

  /**
   * Copies values, NULLs included: for each {@code i} in the range, {@code from[i]} of the source
   * to {@code to[i]} of the target, for which there is room.
   */
  public void copy(
      ColumnVector source, int[] from, int[] to, int begin, int end, WritableColumnVector target) {
    if (!source.hasNull()) {
      copyPresent(source, from, to, begin, end, target);
      return;
    }
    ensureRoom(end - begin);
    int count = 0;
    for (int i = begin; i < end; i++) {
      if (source.isNullAt(from[i])) {
        ValueCopy.putNull(target, to[i]);
      } else {
        rows[count] = from[i];
        targets[count] = to[i];
        count++;
      }
    }
    copyPresent(source, rows, targets, 0, count, target);
  }

  /** Appends the values of some rows of a source to a target; NULL for a row below 0. */
  public void append(ColumnVector source, int[] from, int count, WritableColumnVector target) {
    int start = target.getElementsAppended();
    reserve(target, start + count);
    ensureRoom(count);
    boolean hasNull = source.hasNull();
    int present = 0;
    for (int i = 0; i < count; i++) {
      if (from[i] < 0 || (hasNull && source.isNullAt(from[i]))) {
        ValueCopy.putNull(target, start + i);
      } else {
        rows[present] = from[i];
        targets[present] = start + i;
        present++;
      }
    }
    copyPresent(source, rows, targets, 0, present, target);
    target.addElementsAppended(count);
  }

  private void ensureRoom(int count) {
    if (rows.length < count) {
      rows = new int[count];
      targets = new int[count];
    }
  }

  private void copyPresent(
      ColumnVector source, int[] from, int[] to, int begin, int end, WritableColumnVector target) {
    switch (form) {
      case LONG -> longs(source, from, to, begin, end, target);
      case INT -> ints(source, from, to, begin, end, target);
      case DOUBLE -> doubles(source, from, to, begin, end, target);
      case FLOAT -> {
        for (int i = begin; i < end; i++) {
          target.putFloat(to[i], source.getFloat(from[i]));
        }
      }
      case BOOLEAN -> {
        for (int i = begin; i < end; i++) {
          target.putBoolean(to[i], source.getBoolean(from[i]));
        }
      }
      case BYTE -> {
        for (int i = begin; i < end; i++) {
          target.putByte(to[i], source.getByte(from[i]));
        }
      }
      case SHORT -> {
        for (int i = begin; i < end; i++) {
          target.putShort(to[i], source.getShort(from[i]));
        }
      }
      case TEXT, BINARY, WIDE_DECIMAL -> bytes(source, from, to, begin, end, target);
      case NESTED -> nested(source, from, to, begin, end, target);
    }
  }

  private static void longs(
      ColumnVector source, int[] from, int[] to, int begin, int end, WritableColumnVector target) {
    for (int i = begin; i < end; i++) {
      target.putLong(to[i], source.getLong(from[i]));
    }
  }

  private static void ints(
      ColumnVector source, int[] from, int[] to, int begin, int end, WritableColumnVector target) {
    for (int i = begin; i < end; i++) {
      target.putInt(to[i], source.getInt(from[i]));
    }
  }

  private static void doubles(
      ColumnVector source, int[] from, int[] to, int begin, int end, WritableColumnVector target) {
    for (int i = begin; i < end; i++) {
      target.putDouble(to[i], source.getDouble(from[i]));
    }
  }

  private void bytes(
      ColumnVector source, int[] from, int[] to, int begin, int end, WritableColumnVector target) {
    if (source instanceof OnHeapColumnVector vector && !vector.hasDictionary()) {
      byte[] stored = vector.arrayData().getByteBuffer(0, 0).array();
      for (int i = begin; i < end; i++) {
        int row = from[i];
        target.putByteArray(to[i], stored, vector.getArrayOffset(row), vector.getArrayLength(row));
      }
    } else if (source instanceof WritableColumnVector vector && vector.hasDictionary()) {
      coded(vector, from, to, begin, end, target);
    } else {
      for (int i = begin; i < end; i++) {
        target.putByteArray(
            to[i],
            form == ValueForm.TEXT
                ? source.getUTF8String(from[i]).getBytes()
                : source.getBinary(from[i]));
      }
    }
  }

  private void coded(
      WritableColumnVector source,
      int[] from,
      int[] to,
      int begin,
      int end,
      WritableColumnVector target) {
    WritableColumnVector ids = source.getDictionaryIds();
    int count = 0;
    for (int i = begin; i < end; i++) {
      int id = ids.getDictId(from[i]);
      if (id >= decoded.length) {
        decoded = Arrays.copyOf(decoded, Math.max(id + 1, decoded.length * 2));
      }
      byte[] value = decoded[id];
      if (value == null) {
        value = source.getBinary(from[i]);
        decoded[id] = value;
        if (count == decodedIds.length) {
          decodedIds = Arrays.copyOf(decodedIds, count * 2);
        }
        decodedIds[count++] = id;
      }
      target.putByteArray(to[i], value);
    }
    for (int i = 0; i < count; i++) {
      decoded[decodedIds[i]] = null;
    }
  }

  private void nested(
      ColumnVector source, int[] from, int[] to, int begin, int end, WritableColumnVector target) {
    ColumnarBatch batch = new ColumnarBatch(new ColumnVector[] {source});
    batch.setNumRows(Integer.MAX_VALUE);
    for (int i = begin; i < end; i++) {
      values.put(batch.getRow(from[i]), 0, target, to[i]);
    }
  }
}
