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

package io.keylake.spark.file.encode;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/**
 * Makes the format's binary row of some scalar columns straight from the memory of Spark's rows,
 * without allocating: for partitions, bucket hashes and keys. The result of {@link #assemble} is
 * valid until the next call. For one thread.
 *
 * <p>Bytes are those that {@link io.keylake.format.row.BinaryRowCodec} makes of the same values;
 * pinned by {@code BinaryRowAssemblerTest}.
 */
public final class BinaryRowAssembler {
  private static final int HASH_SEED = 42;
  private static final int DECIMAL_ROOM = 16;
  private static final int MAX_INLINE = 7;

  private enum Form {
    ONE_BYTE,
    TWO_BYTES,
    FOUR_BYTES,
    EIGHT_BYTES,
    MILLIS,
    TIMESTAMP,
    BIG_DECIMAL,
    BYTES
  }

  private final int[] ordinals;
  private final Form[] forms;
  private final int bitSetBytes;
  private final int nullBytes;
  private final int fixedBytes;
  private byte[] buffer;
  private int size;

  /**
   * An assembler.
   *
   * @param columns the columns to take, with their types
   * @param positions their positions in Spark's rows
   * @param rowArity the number of fields of Spark's rows
   */
  public BinaryRowAssembler(RowType columns, List<Integer> positions, int rowArity) {
    int arity = columns.size();
    this.ordinals = positions.stream().mapToInt(Integer::intValue).toArray();
    this.forms = columns.fields().stream().map(BinaryRowAssembler::form).toArray(Form[]::new);
    this.bitSetBytes = UnsafeRow.calculateBitSetWidthInBytes(rowArity);
    this.nullBytes = (arity + 71) / 64 * 8;
    this.fixedBytes = nullBytes + 8 * arity;
    this.buffer = new byte[fixedBytes + 64];
  }

  private static Form form(DataField field) {
    if (!(field.type() instanceof AtomicType type)) {
      throw new IllegalArgumentException("Not a scalar column: " + field.name());
    }
    return switch (type.root()) {
      case BOOLEAN, TINYINT -> Form.ONE_BYTE;
      case SMALLINT -> Form.TWO_BYTES;
      case INT, DATE, TIME, FLOAT -> Form.FOUR_BYTES;
      case BIGINT, DOUBLE -> Form.EIGHT_BYTES;
      case DECIMAL -> type.precision() <= 18 ? Form.EIGHT_BYTES : Form.BIG_DECIMAL;
      case TIMESTAMP, TIMESTAMP_LTZ -> type.precision() <= 3 ? Form.MILLIS : Form.TIMESTAMP;
      case CHAR, VARCHAR, BINARY, VARBINARY -> Form.BYTES;
      case VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw new IllegalArgumentException("Not a scalar column: " + field.name());
    };
  }

  /** Assembles the columns of the row at {@code offset} of {@code base}. */
  public void assemble(Object base, long offset) {
    Arrays.fill(buffer, 0, fixedBytes, (byte) 0);
    size = fixedBytes;
    for (int i = 0; i < forms.length; i++) {
      int ordinal = ordinals[i];
      long word = Platform.getLong(base, offset + ((ordinal >> 6) << 3));
      long slot = offset + bitSetBytes + 8L * ordinal;
      int target = nullBytes + 8 * i;
      if ((word & (1L << (ordinal & 63))) != 0) {
        putNull(i, target);
      } else {
        put(forms[i], base, offset, slot, target);
      }
    }
  }

  private void putNull(int position, int target) {
    buffer[(position + 8) >>> 3] |= (byte) (1 << (position & 7));
    if (forms[position] == Form.BIG_DECIMAL) {
      LittleEndian.putLong(buffer, target, (long) reserve(DECIMAL_ROOM) << 32);
    } else if (forms[position] == Form.TIMESTAMP) {
      LittleEndian.putLong(buffer, target, (long) reserve(Long.BYTES) << 32);
    }
  }

  private void put(Form form, Object base, long offset, long slot, int target) {
    switch (form) {
      case ONE_BYTE -> buffer[target] = Platform.getByte(base, slot);
      case TWO_BYTES -> {
        short value = Platform.getShort(base, slot);
        buffer[target] = (byte) value;
        buffer[target + 1] = (byte) (value >>> 8);
      }
      case FOUR_BYTES -> LittleEndian.putInt(buffer, target, Platform.getInt(base, slot));
      case EIGHT_BYTES -> LittleEndian.putLong(buffer, target, Platform.getLong(base, slot));
      case MILLIS ->
          LittleEndian.putLong(buffer, target, Math.floorDiv(Platform.getLong(base, slot), 1000L));
      case TIMESTAMP -> {
        long micros = Platform.getLong(base, slot);
        int place = reserve(Long.BYTES);
        LittleEndian.putLong(buffer, place, Math.floorDiv(micros, 1000L));
        long nanos = Math.floorMod(micros, 1000L) * 1000L;
        LittleEndian.putLong(buffer, target, ((long) place << 32) | nanos);
      }
      case BIG_DECIMAL -> putReference(base, offset, slot, target, DECIMAL_ROOM);
      case BYTES -> {
        int length = (int) Platform.getLong(base, slot);
        if (length <= MAX_INLINE) {
          copy(base, offset + (Platform.getLong(base, slot) >>> 32), target, length);
          buffer[target + 7] = (byte) (0x80 | length);
        } else {
          putReference(base, offset, slot, target, (length + 7) & ~7);
        }
      }
    }
  }

  private void putReference(Object base, long offset, long slot, int target, int room) {
    long source = Platform.getLong(base, slot);
    int length = (int) source;
    int place = reserve(room);
    copy(base, offset + (source >>> 32), place, length);
    LittleEndian.putLong(buffer, target, ((long) place << 32) | length);
  }

  private void copy(Object base, long from, int target, int length) {
    Platform.copyMemory(base, from, buffer, Platform.BYTE_ARRAY_OFFSET + (long) target, length);
  }

  /** Makes room of zeroes at the end and returns where it starts. */
  private int reserve(int room) {
    int place = size;
    size = Math.addExact(size, room);
    if (size > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(size, buffer.length * 2));
    }
    Arrays.fill(buffer, place, size, (byte) 0);
    return place;
  }

  /** The hash of the assembled row: {@link io.keylake.format.row.RowHash#murmur}. */
  public int hash() {
    return Murmur3_x86_32.hashUnsafeWords(buffer, Platform.BYTE_ARRAY_OFFSET, size, HASH_SEED);
  }

  /** Whether the assembled row has the bytes of {@code row}. */
  public boolean isEqualTo(BinaryRow row) {
    byte[] bytes = row.array();
    return bytes.length == size && Arrays.equals(bytes, 0, size, buffer, 0, size);
  }

  /** A copy of the assembled row. */
  public BinaryRow toBinaryRow() {
    return forms.length == 0
        ? BinaryRow.EMPTY
        : BinaryRow.wrap(forms.length, Arrays.copyOf(buffer, size));
  }

  /** The bytes of the assembled row, from 0 to {@link #size}. */
  public byte[] buffer() {
    return buffer;
  }

  /** The number of bytes of the assembled row. */
  public int size() {
    return size;
  }
}
