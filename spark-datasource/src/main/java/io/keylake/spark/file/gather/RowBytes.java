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

import io.keylake.spark.file.encode.RowBatch;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * The rows of a {@link RowBatch} while they are filled in, in the layout of {@link UnsafeRow}.
 * Items are numbered on from the first row of the batch. For one thread.
 */
final class RowBytes {
  private final int fields;
  private final int bitSetBytes;
  private byte[] bytes = new byte[0];
  private long[] starts = new long[0];
  private int[] tails = new int[0];
  private int first;

  RowBytes(int fields) {
    this.fields = fields;
    this.bitSetBytes = UnsafeRow.calculateBitSetWidthInBytes(fields);
  }

  /** Bytes of a row without values of variable length. */
  int fixedBytes() {
    return bitSetBytes + fields * Long.BYTES;
  }

  /** Starts the rows of {@code batch}, which has been laid out; its first row is {@code item}. */
  void start(RowBatch batch, int item) {
    int rows = batch.size();
    first = item;
    bytes = batch.bytes();
    if (starts.length < rows) {
      starts = new long[rows];
      tails = new int[rows];
    }
    for (int row = 0; row < rows; row++) {
      long start = Platform.BYTE_ARRAY_OFFSET + (long) batch.start(row);
      starts[row] = start;
      tails[row] = fixedBytes();
      for (int word = 0; word < bitSetBytes; word += Long.BYTES) {
        Platform.putLong(bytes, start + word, 0);
      }
    }
  }

  /** The words of a field. */
  FixedGather.Words words(int field) {
    return new FixedGather.Words(bytes, starts, first, bitSetBytes + (long) field * Long.BYTES);
  }

  void setNull(int item, int field) {
    long start = starts[item - first];
    long word = start + (long) (field >> 6) * Long.BYTES;
    Platform.putLong(bytes, word, Platform.getLong(bytes, word) | 1L << (field & 63));
    Platform.putLong(bytes, start + bitSetBytes + (long) field * Long.BYTES, 0);
  }

  /** Adds a value of variable length behind what the row has already. */
  void append(int item, int field, byte[] value, int offset, int length) {
    long start = starts[item - first];
    int tail = tails[item - first];
    long target = start + tail;
    int room = padded(length);
    if (room > length) {
      Platform.putLong(bytes, target + room - Long.BYTES, 0);
    }
    Platform.copyMemory(value, Platform.BYTE_ARRAY_OFFSET + (long) offset, bytes, target, length);
    Platform.putLong(
        bytes,
        start + bitSetBytes + (long) field * Long.BYTES,
        ((long) tail << Integer.SIZE) | length);
    tails[item - first] = tail + room;
  }

  /** The room that a value of variable length takes. */
  static int padded(int length) {
    return (length + 7) & ~7;
  }
}
