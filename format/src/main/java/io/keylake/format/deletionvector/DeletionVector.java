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

package io.keylake.format.deletionvector;

import java.io.Serializable;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * The positions of the deleted rows of one data file: 0-based, in file order. Grows by {@link #add}
 * while it is made; once handed on it must not change any more, and is then safe for use by many
 * threads.
 */
public final class DeletionVector implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int LOW_BITS = 32;

  /** Bitmaps of the low 32 bits, by the high 32 bits of the position. */
  private RoaringBitmap[] bitmaps;

  /** A vector without positions. */
  public DeletionVector() {
    this(new RoaringBitmap[0]);
  }

  DeletionVector(RoaringBitmap[] bitmaps) {
    this.bitmaps = bitmaps;
  }

  /** A vector of these positions. */
  public static DeletionVector of(long... positions) {
    DeletionVector vector = new DeletionVector();
    for (long position : positions) {
      vector.add(position);
    }
    return vector;
  }

  /** Marks a row as deleted. */
  public void add(long position) {
    if (position < 0) {
      throw new IllegalArgumentException("A row position cannot be " + position);
    }
    int high = (int) (position >>> LOW_BITS);
    growTo(high + 1);
    bitmaps[high].add((int) position);
  }

  private void growTo(int length) {
    int before = bitmaps.length;
    if (length > before) {
      bitmaps = Arrays.copyOf(bitmaps, length);
      for (int i = before; i < length; i++) {
        bitmaps[i] = new RoaringBitmap();
      }
    }
  }

  /** Marks all rows of {@code other} as deleted. */
  public void addAll(DeletionVector other) {
    growTo(other.bitmaps.length);
    for (int high = 0; high < other.bitmaps.length; high++) {
      bitmaps[high].or(other.bitmaps[high]);
    }
  }

  /** Whether the row is deleted. */
  public boolean isDeleted(long position) {
    int high = (int) (position >>> LOW_BITS);
    return high < bitmaps.length && bitmaps[high].contains((int) position);
  }

  /** Whether any row of {@code from} (inclusive) to {@code to} (exclusive) is deleted. */
  public boolean intersects(long from, long to) {
    return nextDeleted(from) < to;
  }

  /** The first deleted position that is at least {@code from}; Long.MAX_VALUE when none is. */
  public long nextDeleted(long from) {
    long low = from & 0xFFFF_FFFFL;
    for (int high = (int) (from >>> LOW_BITS); high < bitmaps.length; high++) {
      long next = bitmaps[high].nextValue((int) low);
      if (next >= 0) {
        return ((long) high << LOW_BITS) | next;
      }
      low = 0;
    }
    return Long.MAX_VALUE;
  }

  /** The number of deleted rows. */
  public long cardinality() {
    long sum = 0;
    for (RoaringBitmap bitmap : bitmaps) {
      sum += bitmap.getLongCardinality();
    }
    return sum;
  }

  /** Whether no row is deleted. */
  public boolean isEmpty() {
    return nextDeleted(0) == Long.MAX_VALUE;
  }

  /** Gives every deleted position, ascending. */
  public void forEach(LongConsumer action) {
    for (int high = 0; high < bitmaps.length; high++) {
      long base = (long) high << LOW_BITS;
      bitmaps[high].forEach((int low) -> action.accept(base | Integer.toUnsignedLong(low)));
    }
  }

  RoaringBitmap[] bitmaps() {
    return bitmaps;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DeletionVector that
        && Arrays.equals(withoutTail(bitmaps), withoutTail(that.bitmaps));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(withoutTail(bitmaps));
  }

  @Override
  public String toString() {
    return cardinality() + " deleted rows";
  }

  private static RoaringBitmap[] withoutTail(RoaringBitmap[] all) {
    int length = all.length;
    while (length > 0 && all[length - 1].isEmpty()) {
      length--;
    }
    return Arrays.copyOf(all, length);
  }
}
