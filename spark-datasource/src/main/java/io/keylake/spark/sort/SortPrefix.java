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
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * The first 64 bits of a record's order, compared as an unsigned number before any record is looked
 * at. How well they separate the rows decides the speed of sorting.
 *
 * <ol>
 *   <li>16 bits of group, saturating, unless there is only one group; the rest is the key part.
 *   <li>The key part shows the first key column. A number of at most 32 bits, or any number when 64
 *       bits are free, is stored as it is.
 *   <li>Another value is seen through a window that a sample of rows fixed: two bits say whether it
 *       is below, inside or above; inside, the bits after what all sampled values share follow.
 *   <li>Without a key the part is the row's sequence number.
 * </ol>
 *
 * A prefix is exact when equal prefixes mean equal group and key.
 */
final class SortPrefix {
  /** Whether rows of more than one group may come. */
  enum Groups {
    ONE,
    MANY
  }

  private static final int GROUP_BITS = 16;
  private static final int MAX_GROUP = (1 << GROUP_BITS) - 1;
  private static final int CLASS_BITS = 2;
  private static final long INSIDE = 1;
  private static final long ABOVE = 2;

  private final Groups groups;
  private final int keyBits;
  private final SortOrder order;
  private final boolean onlyColumn;
  private final long fieldOffset;
  private final long windowStart;
  private final byte[] sharedPrefix;
  private boolean exact;

  SortPrefix(SortOrder order, Groups groups, PrefixSample sample) {
    this.order = order;
    this.groups = groups;
    this.keyBits = groups == Groups.ONE ? 64 : 64 - GROUP_BITS;
    this.onlyColumn = order.keys().size() == 1 && order.sequence().isEmpty();
    this.fieldOffset =
        order.keys().isEmpty()
            ? 0
            : UnsafeRow.calculateBitSetWidthInBytes(order.arity())
                + 8L * order.keys().get(0).ordinal();
    this.windowStart = sample.windowStart(keyBits - CLASS_BITS);
    this.sharedPrefix = sample.sharedPrefix();
  }

  /** Whether the sampled rows all have exact prefixes, so that later ones probably have, too. */
  boolean isExactFor(PrefixSample sample) {
    if (order.keys().isEmpty()) {
      return true;
    }
    Form form = order.keys().get(0).form();
    return onlyColumn
        && form.isNumber()
        && (isWhole(form) || (isInside(sample.min()) && isInside(sample.max())));
  }

  /** Whether the last prefix was exact. */
  boolean wasExact() {
    return exact;
  }

  /** The prefix of the row at {@code row} of {@code base}. */
  long of(Object base, long row, int group, long sequenceNumber) {
    exact = onlyColumn;
    long key = order.keys().isEmpty() ? arrival(sequenceNumber) : key(base, row);
    if (groups == Groups.ONE) {
      return key;
    }
    if (group >= MAX_GROUP) {
      exact = false;
      return ((long) MAX_GROUP) << keyBits;
    }
    return ((long) group << keyBits) | key;
  }

  private long arrival(long sequenceNumber) {
    exact = sequenceNumber >>> keyBits - 1 == 0;
    return exact ? sequenceNumber : (1L << (keyBits - 1));
  }

  private long key(Object base, long row) {
    Form form = order.keys().get(0).form();
    long field = row + fieldOffset;
    if (form == Form.BYTES) {
      exact = false;
      long slot = Platform.getLong(base, field);
      return text(base, row + (slot >>> 32), (int) slot);
    }
    if (form == Form.BIG_DECIMAL) {
      exact = false;
      return 0;
    }
    long value = number(form, base, field);
    if (isWhole(form)) {
      return keyBits == 64 ? value ^ Long.MIN_VALUE : value - Integer.MIN_VALUE;
    }
    return windowed(value);
  }

  /** Whether all values of the form fit the key part. */
  private boolean isWhole(Form form) {
    return keyBits == 64 || form.isNarrow();
  }

  private boolean isInside(long value) {
    long distance = value - windowStart;
    return value >= windowStart && distance >= 0 && distance >>> (keyBits - CLASS_BITS) == 0;
  }

  private long windowed(long value) {
    int bits = keyBits - CLASS_BITS;
    if (isInside(value)) {
      return (INSIDE << bits) | (value - windowStart);
    }
    exact = false;
    long leading = (value ^ Long.MIN_VALUE) >>> (64 - bits);
    return value < windowStart ? leading : (ABOVE << bits) | leading;
  }

  private long text(Object base, long start, int length) {
    int bits = keyBits - CLASS_BITS;
    int shared = sharedPrefix.length;
    int compared = Math.min(shared, length);
    for (int i = 0; i < compared; i++) {
      int difference = (Platform.getByte(base, start + i) & 0xff) - (sharedPrefix[i] & 0xff);
      if (difference != 0) {
        long leading = leading(base, start, length) >>> (64 - bits);
        return difference < 0 ? leading : (ABOVE << bits) | leading;
      }
    }
    if (length < shared) {
      return leading(base, start, length) >>> (64 - bits);
    }
    long inside = leading(base, start + shared, length - shared) >>> (64 - bits);
    return (INSIDE << bits) | inside;
  }

  private static long leading(Object base, long start, int length) {
    if (length >= Long.BYTES) {
      return RowOrder.bigEndian(Platform.getLong(base, start));
    }
    long word = 0;
    for (int i = 0; i < length; i++) {
      word |= (Platform.getByte(base, start + i) & 0xffL) << (56 - 8 * i);
    }
    return word;
  }

  /** A number as a long of the same order. */
  static long number(Form form, Object base, long field) {
    return switch (form) {
      case BYTE -> Platform.getByte(base, field);
      case SHORT -> Platform.getShort(base, field);
      case INT -> Platform.getInt(base, field);
      case LONG -> Platform.getLong(base, field);
      case FLOAT -> {
        int bits = Float.floatToIntBits(Platform.getFloat(base, field) + 0.0f);
        yield bits ^ ((bits >> 31) & Integer.MAX_VALUE);
      }
      case DOUBLE -> {
        long bits = Double.doubleToLongBits(Platform.getDouble(base, field) + 0.0);
        yield bits ^ ((bits >> 63) & Long.MAX_VALUE);
      }
      case BYTES, BIG_DECIMAL -> throw new IllegalArgumentException("No number: " + form);
    };
  }
}
