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

package io.keylake.spark.sort;

import io.keylake.spark.sort.SortColumn.Form;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** What the first rows show of their first key column: its range, or the bytes they share. */
final class PrefixSample {
  private final SortOrder order;
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;
  private byte[] shared = new byte[0];
  private boolean any;

  PrefixSample(SortOrder order) {
    this.order = order;
  }

  void add(byte[] bytes, int row) {
    if (order.keys().isEmpty()) {
      return;
    }
    SortColumn column = order.keys().get(0);
    long field =
        Platform.BYTE_ARRAY_OFFSET
            + row
            + UnsafeRow.calculateBitSetWidthInBytes(order.arity())
            + 8L * column.ordinal();
    if (column.form().isNumber()) {
      long value = SortPrefix.number(column.form(), bytes, field);
      min = Math.min(min, value);
      max = Math.max(max, value);
    } else if (column.form() == Form.BYTES) {
      long slot = Platform.getLong(bytes, field);
      int start = row + (int) (slot >>> 32);
      byte[] value = Arrays.copyOfRange(bytes, start, start + (int) slot);
      if (any) {
        int mismatch = Arrays.mismatch(shared, value);
        shared = mismatch < 0 ? shared : Arrays.copyOf(shared, mismatch);
      } else {
        shared = value;
      }
    }
    any = true;
  }

  long min() {
    return any ? min : 0;
  }

  long max() {
    return any ? max : 0;
  }

  /** The start of a window of {@code bits} bits that has the sampled values in its middle. */
  long windowStart(int bits) {
    long half = 1L << (bits - 1);
    long middle = (min() >> 1) + (max() >> 1);
    long highestStart = Long.MAX_VALUE - 2 * half + 1;
    long start = middle < Long.MIN_VALUE + half ? Long.MIN_VALUE : middle - half;
    return Math.min(start, highestStart);
  }

  /** The bytes that all sampled values start with. */
  byte[] sharedPrefix() {
    return shared;
  }
}
