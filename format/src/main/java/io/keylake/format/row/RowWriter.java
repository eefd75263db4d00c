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

package io.keylake.format.row;

import static io.keylake.format.row.RowLayout.BIG_DECIMAL_SIZE;
import static io.keylake.format.row.RowLayout.HEADER_BITS;
import static io.keylake.format.row.RowLayout.MAX_INLINE_LENGTH;

import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the bytes of one binary row or array; nested ones get a writer of their own. Layout: see
 * {@link RowLayout}.
 */
final class RowWriter {
  private byte[] bytes;
  private int end;

  private RowWriter(int fixedSize) {
    this.bytes = new byte[fixedSize];
    this.end = fixedSize;
  }

  /** The bytes of a row of kind +I. */
  static byte[] row(RowType type, List<? extends @Nullable Object> values) {
    int arity = type.size();
    if (values.size() != arity) {
      throw new IllegalArgumentException(
          "A row of " + type.names() + " needs " + arity + " values, not " + values.size());
    }
    RowWriter writer = new RowWriter(RowLayout.fixedSize(arity));
    for (int i = 0; i < arity; i++) {
      DataType fieldType = type.field(i).type();
      int slot = RowLayout.slotOffset(arity, i);
      Object value = values.get(i);
      if (value == null) {
        writer.setNull(0, i + HEADER_BITS);
        writer.reserveForNull(fieldType, slot);
      } else {
        writer.write(fieldType, slot, value);
      }
    }
    return writer.finish();
  }

  private static byte[] array(DataType element, List<? extends @Nullable Object> values) {
    int size = values.size();
    int width = RowLayout.elementWidth(element);
    RowWriter writer = new RowWriter(RowLayout.arrayFixedSize(size, width));
    LittleEndian.putInt(writer.bytes, 0, size);
    int first = RowLayout.arrayHeaderSize(size);
    for (int i = 0; i < size; i++) {
      Object value = values.get(i);
      if (value == null) {
        writer.setNull(4, i);
        writer.reserveForNull(element, first + i * width);
      } else {
        writer.write(element, first + i * width, value);
      }
    }
    return writer.finish();
  }

  private static byte[] map(DataType key, DataType value, Map<?, ?> entries) {
    List<@Nullable Object> keys = new ArrayList<>(entries.size());
    List<@Nullable Object> values = new ArrayList<>(entries.size());
    entries.forEach(
        (entryKey, entryValue) -> {
          keys.add(entryKey);
          values.add(entryValue);
        });
    byte[] keyArray = array(key, keys);
    byte[] valueArray = array(value, values);
    byte[] joined = new byte[4 + keyArray.length + valueArray.length];
    LittleEndian.putInt(joined, 0, keyArray.length);
    System.arraycopy(keyArray, 0, joined, 4, keyArray.length);
    System.arraycopy(valueArray, 0, joined, 4 + keyArray.length, valueArray.length);
    return joined;
  }

  private static byte[] variant(Variant variant) {
    byte[] value = variant.value().array();
    byte[] metadata = variant.metadata().array();
    byte[] joined = new byte[4 + value.length + metadata.length];
    LittleEndian.putInt(joined, 0, value.length);
    System.arraycopy(value, 0, joined, 4, value.length);
    System.arraycopy(metadata, 0, joined, 4 + value.length, metadata.length);
    return joined;
  }

  private byte[] finish() {
    return end == bytes.length ? bytes : Arrays.copyOf(bytes, end);
  }

  private void setNull(int start, int bit) {
    bytes[start + (bit >>> 3)] |= (byte) (1 << (bit & 7));
  }

  /** A NULL of these types reserves the space of a value, which shows in hashes. */
  private void reserveForNull(DataType type, int slot) {
    switch (type.root()) {
      case DECIMAL -> {
        if (!RowLayout.isCompactDecimal(type)) {
          reserveFor(slot, BIG_DECIMAL_SIZE);
        }
      }
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        if (!RowLayout.isCompactTimestamp(type)) {
          reserveFor(slot, Long.BYTES);
        }
      }
      default -> {
        // the slot stays zero
      }
    }
  }

  private void write(DataType type, int slot, Object value) {
    switch (type.root()) {
      case BOOLEAN -> bytes[slot] = (byte) ((Boolean) value ? 1 : 0);
      case TINYINT -> bytes[slot] = (Byte) value;
      case SMALLINT -> LittleEndian.putShort(bytes, slot, (Short) value);
      case INT, DATE, TIME -> LittleEndian.putInt(bytes, slot, (Integer) value);
      case BIGINT -> LittleEndian.putLong(bytes, slot, (Long) value);
      case FLOAT -> LittleEndian.putInt(bytes, slot, Float.floatToIntBits((Float) value));
      case DOUBLE -> LittleEndian.putLong(bytes, slot, Double.doubleToLongBits((Double) value));
      case DECIMAL -> writeDecimal((AtomicType) type, slot, (BigDecimal) value);
      case CHAR, VARCHAR -> writeText(slot, ((String) value).getBytes(StandardCharsets.UTF_8));
      case BINARY, VARBINARY, BLOB -> writeText(slot, ((Bytes) value).array());
      case TIMESTAMP, TIMESTAMP_LTZ -> writeTimestamp(type, slot, (Timestamp) value);
      case VARIANT -> append(slot, variant((Variant) value));
      case ARRAY -> append(slot, array(((ArrayType) type).element(), (List<?>) value));
      case MAP ->
          append(slot, map(((MapType) type).key(), ((MapType) type).value(), (Map<?, ?>) value));
      case MULTISET ->
          append(
              slot,
              map(((MultisetType) type).element(), DataTypes.INT.asNotNull(), (Map<?, ?>) value));
      case ROW -> append(slot, row((RowType) type, (List<?>) value));
      case VECTOR -> throw RowLayout.unsupported(type);
    }
  }

  private void writeDecimal(AtomicType type, int slot, BigDecimal value) {
    if (value.scale() != type.scale() || value.precision() > type.precision()) {
      throw new IllegalArgumentException(
          value.toPlainString()
              + " is no value of DECIMAL("
              + type.precision()
              + ", "
              + type.scale()
              + ")");
    }
    if (RowLayout.isCompactDecimal(type)) {
      LittleEndian.putLong(bytes, slot, value.unscaledValue().longValueExact());
    } else {
      byte[] unscaled = value.unscaledValue().toByteArray();
      int offset = reserve(BIG_DECIMAL_SIZE);
      System.arraycopy(unscaled, 0, bytes, offset, unscaled.length);
      LittleEndian.putLong(bytes, slot, RowLayout.reference(offset, unscaled.length));
    }
  }

  private void writeTimestamp(DataType type, int slot, Timestamp value) {
    if (RowLayout.isCompactTimestamp(type)) {
      LittleEndian.putLong(bytes, slot, value.millis());
    } else {
      int offset = reserve(Long.BYTES);
      LittleEndian.putLong(bytes, offset, value.millis());
      LittleEndian.putLong(bytes, slot, RowLayout.reference(offset, value.nanoOfMilli()));
    }
  }

  private void writeText(int slot, byte[] content) {
    if (content.length <= MAX_INLINE_LENGTH) {
      System.arraycopy(content, 0, bytes, slot, content.length);
      bytes[slot + MAX_INLINE_LENGTH] = (byte) (RowLayout.INLINE_FLAG | content.length);
    } else {
      append(slot, content);
    }
  }

  private void append(int slot, byte[] content) {
    int offset = reserve(RowLayout.roundUp(content.length));
    System.arraycopy(content, 0, bytes, offset, content.length);
    LittleEndian.putLong(bytes, slot, RowLayout.reference(offset, content.length));
  }

  private void reserveFor(int slot, int size) {
    int offset = reserve(size);
    LittleEndian.putLong(bytes, slot, RowLayout.reference(offset, 0));
  }

  /** The offset of {@code size} new bytes; replaces {@link #bytes} when they do not fit. */
  private int reserve(int size) {
    int offset = end;
    end = Math.addExact(end, size);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, (end + (end >>> 1)) & ~7));
    }
    return offset;
  }
}
