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

/**
 * Pairs of rows of equal key that a pass over two batches of keys has found, and where the pass
 * stopped. Reused; for one thread.
 */
public final class Matches {
  private int[] rows = new int[64];
  private int[] probeRows = new int[64];
  private int count;
  private int row;
  private int probeRow;

  /** Forgets all pairs; the next pass starts at these rows. */
  public void start(int firstRow, int firstProbeRow) {
    count = 0;
    row = firstRow;
    probeRow = firstProbeRow;
  }

  void add(int newRow, int newProbeRow) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, count * 2);
      probeRows = Arrays.copyOf(probeRows, count * 2);
    }
    rows[count] = newRow;
    probeRows[count] = newProbeRow;
    count++;
  }

  /**
   * Finds the pairs of two runs of keys that interleave closely. Which side is smaller cannot be
   * predicted then, so that no branch depends on it.
   */
  void mergeDense(long[] left, int from, int leftEnd, long[] right, int probeFrom, int rightEnd) {
    int possible = count + Math.min(leftEnd - from, rightEnd - probeFrom) + 1;
    if (possible > rows.length) {
      rows = Arrays.copyOf(rows, possible);
      probeRows = Arrays.copyOf(probeRows, possible);
    }
    int[] pairRows = rows;
    int[] pairProbeRows = probeRows;
    int pairs = count;
    int i = from;
    int j = probeFrom;
    while (i < leftEnd && j < rightEnd) {
      long a = left[i];
      long b = right[j];
      pairRows[pairs] = i;
      pairProbeRows[pairs] = j;
      pairs += a == b ? 1 : 0;
      i += a <= b ? 1 : 0;
      j += b <= a ? 1 : 0;
    }
    count = pairs;
    stop(i, j);
  }

  /** Where the pass stopped: at least one of the two is the size of its batch. */
  void stop(int nextRow, int nextProbeRow) {
    row = nextRow;
    probeRow = nextProbeRow;
  }

  /** The number of pairs. */
  public int count() {
    return count;
  }

  /** The row of a pair in the first batch. */
  public int row(int match) {
    return rows[match];
  }

  /** The row of a pair in the probe. */
  public int probeRow(int match) {
    return probeRows[match];
  }

  /** The first row of the first batch that the pass has not dealt with. */
  public int nextRow() {
    return row;
  }

  /** The first row of the probe that the pass has not dealt with. */
  public int nextProbeRow() {
    return probeRow;
  }
}
