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

package io.keylake.spark.merge.keys;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Keys of one text or binary column, compared as unsigned bytes. Bytes stay in the vector where
 * they can be reached there; else they are copied.
 */
sealed class BytesKeys extends KeyBatch permits EncodedKeys {
  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes = new byte[0];
  private byte[] copies = new byte[0];
  private int[] starts = new int[0];
  private int[] ends = new int[0];

  @Override
  void loadKeys(ColumnVector[] columns, int rows) {
    reserve(rows);
    if (columns[0] instanceof OnHeapColumnVector vector && !vector.hasDictionary() && rows > 0) {
      for (int i = 0; i < rows; i++) {
        int start = vector.getArrayOffset(i);
        starts[i] = start;
        ends[i] = start + vector.getArrayLength(i);
      }
      bytes = vector.arrayData().getByteBuffer(0, 1).array();
      return;
    }
    int end = 0;
    for (int i = 0; i < rows; i++) {
      byte[] value = columns[0].getBinary(i);
      copies = grown(copies, end + value.length);
      System.arraycopy(value, 0, copies, end, value.length);
      starts[i] = end;
      end += value.length;
      ends[i] = end;
    }
    bytes = copies;
  }

  private void reserve(int rows) {
    if (starts.length < rows) {
      starts = new int[rows];
      ends = new int[rows];
    }
  }

  /** Takes keys that lie in {@code content} one after another. */
  final void use(byte[] content, int[] keyEnds, int rows) {
    reserve(rows);
    bytes = content;
    for (int i = 0; i < rows; i++) {
      starts[i] = i == 0 ? 0 : keyEnds[i - 1];
      ends[i] = keyEnds[i];
    }
  }

  static byte[] grown(byte[] array, int needed) {
    return needed <= array.length
        ? array
        : Arrays.copyOf(array, Math.max(needed, Math.max(1024, array.length * 2)));
  }

  private int compare(int row, BytesKeys other, int otherRow) {
    return Arrays.compareUnsigned(
        bytes, starts[row], ends[row], other.bytes, other.starts[otherRow], other.ends[otherRow]);
  }

  @Override
  public final int compare(int row, KeyBatch other, int otherRow) {
    return compare(row, (BytesKeys) other, otherRow);
  }

  @Override
  public final int sharedBytes(int row, KeyBatch other, int otherRow) {
    BytesKeys right = (BytesKeys) other;
    int mismatch =
        Arrays.mismatch(
            bytes,
            starts[row],
            ends[row],
            right.bytes,
            right.starts[otherRow],
            right.ends[otherRow]);
    return mismatch < 0 ? ends[row] - starts[row] : mismatch;
  }

  @Override
  public final void makePrefixes(int sharedBytes) {
    int rows = size();
    long[] prefixes = prefixRoom(rows);
    for (int i = 0; i < rows; i++) {
      int at = starts[i] + sharedBytes;
      int end = ends[i];
      long prefix = 0;
      if (end - at >= Long.BYTES) {
        prefix = (long) BIG_ENDIAN_LONG.get(bytes, at);
      } else {
        int shift = Long.SIZE;
        while (at < end) {
          shift -= Byte.SIZE;
          prefix |= (bytes[at++] & 0xFFL) << shift;
        }
      }
      prefixes[i] = prefix ^ Long.MIN_VALUE;
    }
    usePrefixes(prefixes, false);
  }

  @Override
  final KeyBatch copyKeys(int rows) {
    BytesKeys copy = new BytesKeys();
    copy.reserve(rows);
    int length = 0;
    for (int i = 0; i < rows; i++) {
      length += ends[i] - starts[i];
    }
    copy.bytes = new byte[length];
    int end = 0;
    for (int i = 0; i < rows; i++) {
      int keyBytes = ends[i] - starts[i];
      System.arraycopy(bytes, starts[i], copy.bytes, end, keyBytes);
      copy.starts[i] = end;
      end += keyBytes;
      copy.ends[i] = end;
    }
    return copy;
  }

  @Override
  public final long bytes() {
    return bytes.length + (long) (starts.length + ends.length) * Integer.BYTES;
  }

  @Override
  public final void match(KeyBatch probe, Matches matches) {
    BytesKeys right = (BytesKeys) probe;
    int leftEnd = size();
    int rightEnd = probe.size();
    int i = matches.nextRow();
    int j = matches.nextProbeRow();
    if (i < leftEnd && j < rightEnd && compare(leftEnd - 1, right, j) < 0) {
      i = leftEnd;
    }
    while (i < leftEnd && j < rightEnd) {
      int order = compare(i, right, j);
      if (order < 0) {
        i = gallop(i, leftEnd, right, j);
      } else if (order > 0) {
        j = right.gallop(j, rightEnd, this, i);
      } else {
        matches.add(i++, j++);
      }
    }
    matches.stop(i, j);
  }

  private int gallop(int from, int end, BytesKeys other, int otherRow) {
    int below = from;
    int step = 1;
    int next = from + 1;
    while (next < end && compare(next, other, otherRow) < 0) {
      below = next;
      step <<= 1;
      next = below + step;
    }
    int high = Math.min(next, end);
    int low = below + 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, other, otherRow) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
