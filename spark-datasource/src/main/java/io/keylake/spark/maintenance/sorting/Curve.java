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

package io.keylake.spark.maintenance.sorting;

import io.keylake.table.options.clustering.ClusteringStrategy;

/**
 * A curve through all cells of a grid. Its place at a cell is a number of {@value #BITS} bits per
 * dimension, as bytes that compare like it without signs.
 *
 * <p>Example, two dimensions with one bit: the Z curve goes (0,0) (0,1) (1,0) (1,1), the Hilbert
 * curve (0,0) (0,1) (1,1) (1,0), so that neighbours on it always are neighbours in the grid.
 *
 * <p>Rule source: G. M. Morton (1966); J. Skilling, "Programming the Hilbert curve" (2004). Pinned
 * by {@code CurveTest}.
 */
enum Curve {
  Z {
    @Override
    byte[] place(int[] cell) {
      return interleaved(cell);
    }
  },
  HILBERT {
    @Override
    byte[] place(int[] cell) {
      undoRotations(cell);
      encodeGray(cell);
      return interleaved(cell);
    }
  };

  /** Cells in each dimension, as a power of 2. */
  static final int BITS = 16;

  private static final int TOP_BIT = 1 << (BITS - 1);

  static Curve of(ClusteringStrategy strategy) {
    return switch (strategy) {
      case ZORDER -> Z;
      case HILBERT -> HILBERT;
      case AUTO, ORDER -> throw new IllegalArgumentException(strategy + " is no curve");
    };
  }

  /** The place at a cell, given by its numbers in all dimensions, which are overwritten. */
  abstract byte[] place(int[] cell);

  private static void undoRotations(int[] cell) {
    for (int bit = TOP_BIT; bit > 1; bit >>= 1) {
      int below = bit - 1;
      for (int i = 0; i < cell.length; i++) {
        if ((cell[i] & bit) != 0) {
          cell[0] ^= below;
        } else {
          int exchanged = (cell[0] ^ cell[i]) & below;
          cell[0] ^= exchanged;
          cell[i] ^= exchanged;
        }
      }
    }
  }

  private static void encodeGray(int[] cell) {
    int last = cell.length - 1;
    for (int i = 1; i <= last; i++) {
      cell[i] ^= cell[i - 1];
    }
    int flips = 0;
    for (int bit = TOP_BIT; bit > 1; bit >>= 1) {
      if ((cell[last] & bit) != 0) {
        flips ^= bit - 1;
      }
    }
    for (int i = 0; i <= last; i++) {
      cell[i] ^= flips;
    }
  }

  private static byte[] interleaved(int[] cell) {
    byte[] bytes = new byte[cell.length * BITS / Byte.SIZE];
    int position = 0;
    for (int bit = TOP_BIT; bit != 0; bit >>= 1) {
      for (int number : cell) {
        if ((number & bit) != 0) {
          bytes[position >> 3] |= (byte) (0x80 >> (position & 7));
        }
        position++;
      }
    }
    return bytes;
  }
}
