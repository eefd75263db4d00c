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

import io.keylake.format.types.AtomicType;
import io.keylake.spark.file.encode.LittleEndian;
import io.keylake.spark.file.encode.RowBatch;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * The byte strings of one column of a batch, NULLs left out: where each starts in {@link #base} and
 * how long it is. Valid until the next gathering.
 *
 * <p>Decimals of more than 18 digits become big-endian numbers of a fixed width. Timestamps of more
 * than 6 fraction digits become INT96: 8 bytes of nanoseconds of the day and 4 bytes of Julian day,
 * little-endian. The day is that of the milliseconds rounded towards zero, so before 1970 the
 * nanoseconds may be negative: 1969-12-31 23:59:59.999 is day 2440588 and -1000000 ns, as the
 * reference implementation writes it.
 *
 * <p>Rule source: table format, Parquet type mapping.
 */
abstract class BytesGather {
  private static final int JULIAN_EPOCH_DAY = 2440588;
  private static final int INT96_BYTES = 12;
  private static final long MILLIS_PER_DAY = 86_400_000L;

  private final int nullByte;
  private final int nullMask;
  private final long address;
  private final int[] starts = new int[RowBatch.MAX_ROWS];
  private final int[] lengths = new int[RowBatch.MAX_ROWS];
  private byte[] base = new byte[0];
  private int count;

  private BytesGather(int ordinal, int rowArity) {
    this.nullByte = ordinal >> 3;
    this.nullMask = 1 << (ordinal & 7);
    this.address =
        Platform.BYTE_ARRAY_OFFSET + UnsafeRow.calculateBitSetWidthInBytes(rowArity) + 8L * ordinal;
  }

  static BytesGather of(AtomicType type, int ordinal, int rowArity) {
    return switch (type.root()) {
      case DECIMAL ->
          new Decimals(ordinal, rowArity, ParquetMessage.decimalBytes(type.precision()));
      case TIMESTAMP, TIMESTAMP_LTZ -> new Int96s(ordinal, rowArity);
      default -> new Slices(ordinal, rowArity);
    };
  }

  /** Whether all byte strings are of one length, which a page then leaves out. */
  abstract boolean isFixedWidth();

  abstract void gather(RowBatch batch);

  final int count() {
    return count;
  }

  final byte[] base() {
    return base;
  }

  final int start(int position) {
    return starts[position];
  }

  final int length(int position) {
    return lengths[position];
  }

  /** Text and bytes: slices of the rows themselves. */
  private static final class Slices extends BytesGather {
    Slices(int ordinal, int rowArity) {
      super(ordinal, rowArity);
    }

    @Override
    boolean isFixedWidth() {
      return false;
    }

    @Override
    void gather(RowBatch batch) {
      BytesGather all = this;
      byte[] bytes = batch.bytes();
      int found = 0;
      for (int i = 0; i < batch.size(); i++) {
        int start = batch.start(i);
        if ((bytes[start + all.nullByte] & all.nullMask) == 0) {
          long slot = Platform.getLong(bytes, all.address + start);
          all.starts[found] = start + (int) (slot >>> 32);
          all.lengths[found++] = (int) slot;
        }
      }
      all.count = found;
      all.base = bytes;
    }
  }

  /** Values that are made into byte strings of one width. */
  private abstract static class Fixed extends BytesGather {
    private final int width;

    Fixed(int ordinal, int rowArity, int width) {
      super(ordinal, rowArity);
      this.width = width;
    }

    @Override
    boolean isFixedWidth() {
      return true;
    }

    @Override
    final void gather(RowBatch batch) {
      BytesGather all = this;
      byte[] bytes = batch.bytes();
      if (all.base.length < width * RowBatch.MAX_ROWS) {
        all.base = new byte[width * RowBatch.MAX_ROWS];
      }
      int found = 0;
      for (int i = 0; i < batch.size(); i++) {
        int start = batch.start(i);
        if ((bytes[start + all.nullByte] & all.nullMask) == 0) {
          long slot = Platform.getLong(bytes, all.address + start);
          convert(bytes, start, slot, all.base, found * width);
          all.starts[found] = found * width;
          all.lengths[found++] = width;
        }
      }
      all.count = found;
    }

    /** Writes the value of {@code slot}, of the row at {@code start}, to {@code target}. */
    abstract void convert(byte[] bytes, int start, long slot, byte[] target, int position);
  }

  private static final class Decimals extends Fixed {
    private final int width;

    Decimals(int ordinal, int rowArity, int width) {
      super(ordinal, rowArity, width);
      this.width = width;
    }

    @Override
    void convert(byte[] bytes, int start, long slot, byte[] target, int position) {
      int from = start + (int) (slot >>> 32);
      int length = (int) slot;
      byte sign = (byte) (bytes[from] < 0 ? -1 : 0);
      Arrays.fill(target, position, position + width - length, sign);
      System.arraycopy(bytes, from, target, position + width - length, length);
    }
  }

  private static final class Int96s extends Fixed {
    Int96s(int ordinal, int rowArity) {
      super(ordinal, rowArity, INT96_BYTES);
    }

    @Override
    void convert(byte[] bytes, int start, long slot, byte[] target, int position) {
      putInt96(slot, target, position);
    }
  }

  /** Writes microseconds since the epoch as INT96. */
  static void putInt96(long micros, byte[] target, int position) {
    long millis = Math.floorDiv(micros, 1000L);
    long nanosOfMilli = Math.floorMod(micros, 1000L) * 1000L;
    long day = millis / MILLIS_PER_DAY;
    long nanosOfDay = (millis % MILLIS_PER_DAY) * 1_000_000L + nanosOfMilli;
    LittleEndian.putLong(target, position, nanosOfDay);
    LittleEndian.putInt(target, position + Long.BYTES, (int) (day + JULIAN_EPOCH_DAY));
  }
}
