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

/** Keys of two columns of fixed width. */
final class LongPairKeys extends KeyBatch {
  private final FixedColumn firstColumn;
  private final FixedColumn secondColumn;
  private long[] firsts = new long[0];
  private long[] seconds = new long[0];

  LongPairKeys(FixedColumn firstColumn, FixedColumn secondColumn) {
    this.firstColumn = firstColumn;
    this.secondColumn = secondColumn;
  }

  @Override
  void loadKeys(ColumnVector[] columns, int rows) {
    if (firsts.length < rows) {
      firsts = new long[rows];
      seconds = new long[rows];
    }
    firstColumn.load(columns[0], rows, firsts);
    secondColumn.load(columns[1], rows, seconds);
  }

  private boolean isBelow(int row, long first, long second) {
    long own = firsts[row];
    return own < first || (own == first && seconds[row] < second);
  }

  @Override
  KeyBatch copyKeys(int rows) {
    LongPairKeys copy = new LongPairKeys(firstColumn, secondColumn);
    copy.firsts = Arrays.copyOf(firsts, rows);
    copy.seconds = Arrays.copyOf(seconds, rows);
    return copy;
  }

  @Override
  public long bytes() {
    return (long) (firsts.length + seconds.length) * Long.BYTES;
  }

  @Override
  public int compare(int row, KeyBatch other, int otherRow) {
    LongPairKeys right = (LongPairKeys) other;
    int order = Long.compare(firsts[row], right.firsts[otherRow]);
    return order != 0 ? order : Long.compare(seconds[row], right.seconds[otherRow]);
  }

  @Override
  public int sharedBytes(int row, KeyBatch other, int otherRow) {
    return 0;
  }

  @Override
  public void makePrefixes(int sharedBytes) {
    usePrefixes(firsts, false);
  }

  @Override
  public void match(KeyBatch probe, Matches matches) {
    LongPairKeys right = (LongPairKeys) probe;
    int leftEnd = size();
    int rightEnd = probe.size();
    int i = matches.nextRow();
    int j = matches.nextProbeRow();
    if (i < leftEnd && j < rightEnd && isBelow(leftEnd - 1, right.firsts[j], right.seconds[j])) {
      i = leftEnd;
    }
    while (i < leftEnd && j < rightEnd) {
      long a = firsts[i];
      long b = right.firsts[j];
      int order = Long.compare(a, b);
      if (order == 0) {
        order = Long.compare(seconds[i], right.seconds[j]);
      }
      if (order < 0) {
        i = gallop(i, leftEnd, b, right.seconds[j]);
      } else if (order > 0) {
        j = right.gallop(j, rightEnd, a, seconds[i]);
      } else {
        matches.add(i++, j++);
      }
    }
    matches.stop(i, j);
  }

  private int gallop(int from, int end, long first, long second) {
    int below = from;
    int step = 1;
    int next = from + 1;
    while (next < end && isBelow(next, first, second)) {
      below = next;
      step <<= 1;
      next = below + step;
    }
    int high = Math.min(next, end);
    int low = below + 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBelow(middle, first, second)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
