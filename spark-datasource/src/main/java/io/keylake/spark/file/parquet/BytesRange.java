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

package io.keylake.spark.file.parquet;

import io.keylake.spark.file.encode.LittleEndian;
import java.util.Arrays;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;

/** Smallest and largest of some byte strings; keeps copies. */
final class BytesRange {
  /** How byte strings compare. */
  enum Order {
    /** As unsigned bytes: text, binary. */
    UNSIGNED,
    /** As big-endian two's complement numbers of one width: decimals. */
    SIGNED,
    /** No order is defined: INT96. */
    NONE
  }

  private final Order order;
  private boolean any;
  private byte[] min = new byte[0];
  private byte[] max = new byte[0];
  private long minPrefix;
  private long maxPrefix;

  BytesRange(Order order) {
    this.order = order;
  }

  void clear() {
    any = false;
  }

  boolean isBounded() {
    return any;
  }

  byte[] min() {
    return min;
  }

  byte[] max() {
    return max;
  }

  void add(byte[] base, int start, int length) {
    if (order == Order.NONE) {
      return;
    }
    long prefix = prefix(base, start, length);
    if (!any) {
      any = true;
      replaceMin(base, start, length, prefix);
      replaceMax(base, start, length, prefix);
      return;
    }
    int toMin = Long.compareUnsigned(prefix, minPrefix);
    if (toMin < 0 || (toMin == 0 && compare(base, start, length, min) < 0)) {
      replaceMin(base, start, length, prefix);
    }
    int toMax = Long.compareUnsigned(prefix, maxPrefix);
    if (toMax > 0 || (toMax == 0 && compare(base, start, length, max) > 0)) {
      replaceMax(base, start, length, prefix);
    }
  }

  void add(BytesRange other) {
    if (other.any) {
      add(other.min, 0, other.min.length);
      add(other.max, 0, other.max.length);
    }
  }

  void addTo(Statistics<?> statistics) {
    if (any) {
      statistics.updateStats(Binary.fromConstantByteArray(min));
      statistics.updateStats(Binary.fromConstantByteArray(max));
    }
  }

  private void replaceMin(byte[] base, int start, int length, long prefix) {
    min = Arrays.copyOfRange(base, start, start + length);
    minPrefix = prefix;
  }

  private void replaceMax(byte[] base, int start, int length, long prefix) {
    max = Arrays.copyOfRange(base, start, start + length);
    maxPrefix = prefix;
  }

  /** Called when the first 8 bytes are equal, so the sign has been decided. */
  private static int compare(byte[] base, int start, int length, byte[] other) {
    return Arrays.compareUnsigned(base, start, start + length, other, 0, other.length);
  }

  /** The first 8 bytes as a number whose unsigned order is that of the byte strings. */
  private long prefix(byte[] base, int start, int length) {
    long prefix = 0;
    if (length >= Long.BYTES) {
      prefix = Long.reverseBytes(LittleEndian.getLong(base, start));
    } else {
      for (int i = 0; i < length; i++) {
        prefix |= (base[start + i] & 0xffL) << (56 - 8 * i);
      }
    }
    return order == Order.SIGNED ? prefix ^ Long.MIN_VALUE : prefix;
  }
}
