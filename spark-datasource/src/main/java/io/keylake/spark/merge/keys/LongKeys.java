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

import java.util.Arrays;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Keys of one column of fixed width. */
final class LongKeys extends KeyBatch {
  /**
   * How many keys are looked at one by one before the steps double: a short loop is predicted well.
   */
  private static final int NEAR = 16;

  /** Sides whose numbers of keys differ by less than this factor are merged step by step. */
  private static final int DENSE = 3;

  private final FixedColumn column;
  private long[] keys = new long[0];

  LongKeys(FixedColumn column) {
    this.column = column;
  }

  @Override
  void loadKeys(ColumnVector[] columns, int rows) {
    if (keys.length < rows) {
      keys = new long[rows];
    }
    column.load(columns[0], rows, keys);
  }

  @Override
  KeyBatch copyKeys(int rows) {
    LongKeys copy = new LongKeys(column);
    copy.keys = Arrays.copyOf(keys, rows);
    return copy;
  }

  @Override
  public long bytes() {
    return (long) keys.length * Long.BYTES;
  }

  @Override
  public int compare(int row, KeyBatch other, int otherRow) {
    return Long.compare(keys[row], ((LongKeys) other).keys[otherRow]);
  }

  @Override
  public int sharedBytes(int row, KeyBatch other, int otherRow) {
    return 0;
  }

  @Override
  public void makePrefixes(int sharedBytes) {
    usePrefixes(keys, true);
  }

  @Override
  public void match(KeyBatch probe, Matches matches) {
    long[] left = keys;
    long[] right = ((LongKeys) probe).keys;
    int leftEnd = size();
    int rightEnd = probe.size();
    int i = matches.nextRow();
    int j = matches.nextProbeRow();
    if (i < leftEnd && j < rightEnd && left[leftEnd - 1] < right[j]) {
      i = leftEnd;
    }
    int rightStop =
        firstAbove(right, j, rightEnd, i < leftEnd ? left[leftEnd - 1] : Long.MIN_VALUE);
    boolean isDense = (rightStop - j) * DENSE >= leftEnd - i;
    if (isDense && (leftEnd - i) * DENSE >= rightStop - j) {
      matches.mergeDense(left, i, leftEnd, right, j, rightEnd);
      return;
    }
    while (i < leftEnd && j < rightEnd) {
      long a = left[i];
      long b = right[j];
      if (a < b) {
        i = gallop(left, i, leftEnd, b);
      } else if (a > b) {
        j = gallop(right, j, rightEnd, a);
      } else {
        matches.add(i++, j++);
      }
    }
    matches.stop(i, j);
  }

  private static int firstAbove(long[] keys, int from, int end, long key) {
    int low = from;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys[middle] <= key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The first place after {@code from}, whose key is smaller, with a key not below {@code key}. */
  private static int gallop(long[] keys, int from, int end, long key) {
    int near = Math.min(end, from + 1 + NEAR);
    int place = from + 1;
    while (place < near && keys[place] < key) {
      place++;
    }
    if (place < near || place == end) {
      return place;
    }
    int below = place - 1;
    int step = NEAR;
    int next = place;
    while (next < end && keys[next] < key) {
      below = next;
      step <<= 1;
      next = below + step;
    }
    int high = Math.min(next, end);
    int low = below + 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
