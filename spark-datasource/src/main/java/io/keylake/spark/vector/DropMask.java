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

/** The rows of one batch that are to be dropped: a bit for each row. Reused from batch to batch. */
public final class DropMask {
  private long[] words = new long[0];
  private int rows;

  /** Starts a batch of {@code newRows} rows, none of them dropped. */
  public void reset(int newRows) {
    int needed = (newRows + 63) >>> 6;
    if (words.length < needed) {
      words = new long[needed];
    } else {
      Arrays.fill(words, 0, needed, 0L);
    }
    rows = newRows;
  }

  /** Drops {@code row}; nothing changes when it is dropped already. */
  public void drop(int row) {
    words[row >>> 6] |= 1L << row;
  }

  /** Whether {@code row} is dropped. */
  public boolean isDropped(int row) {
    return (words[row >>> 6] & (1L << row)) != 0;
  }

  /** The number of dropped rows. */
  public int dropped() {
    int count = 0;
    for (int word = 0; word < (rows + 63) >>> 6; word++) {
      count += Long.bitCount(words[word]);
    }
    return count;
  }

  /**
   * Writes the numbers of the rows that stay to {@code survivors}, ascending, and returns how many
   * they are.
   */
  public int survivors(int[] survivors) {
    int count = 0;
    for (int first = 0; first < rows; first += 64) {
      int end = Math.min(first + 64, rows);
      long kept = ~words[first >>> 6];
      if (kept == -1L) {
        for (int row = first; row < end; row++) {
          survivors[count++] = row;
        }
        continue;
      }
      while (kept != 0) {
        int row = first + Long.numberOfTrailingZeros(kept);
        if (row >= end) {
          break;
        }
        survivors[count++] = row;
        kept &= kept - 1;
      }
    }
    return count;
  }
}
