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
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads values out of the bytes of binary rows and arrays; {@code base} is where the row or array
 * starts in the bytes. Layout: see {@link RowLayout}.
 */
final class RowReader {
  private RowReader() {}

  static @Nullable Object field(RowType type, byte[] bytes, int base, int position) {
    if (isNull(bytes, base, position + HEADER_BITS)) {
      return null;
    }
    int slot = base + RowLayout.slotOffset(type.size(), position);
    return value(type.field(position).type(), bytes, base, slot);
  }

  static List<@Nullable Object> row(RowType type, byte[] bytes, int base) {
    List<@Nullable Object> values = new ArrayList<>(type.size());
    for (int i = 0; i < type.size(); i++) {
      values.add(field(type, bytes, base, i));
    }
    return Collections.unmodifiableList(values);
  }

  private static boolean isNull(byte[] bytes, int start, int bit) {
    return (bytes[start + (bit >>> 3)] & (1 << (bit & 7))) != 0;
  }

  private static List<@Nullable Object> array(DataType element, byte[] bytes, int base) {
    int size = LittleEndian.getInt(bytes, base);
    int width = RowLayout.elementWidth(element);
    int first = base + RowLayout.arrayHeaderSize(size);
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add(
          isNull(bytes, base + 4, i) ? null : value(element, bytes, base, first + i * width));
    }
    return Collections.unmodifiableList(values);
  }

  private static Map<@Nullable Object, @Nullable Object> map(
      DataType key, DataType value, byte[] bytes, int base) {
    int keyBytes = LittleEndian.getInt(bytes, base);
    List<@Nullable Object> keys = array(key, bytes, base + 4);
    List<@Nullable Object> values = array(value, bytes, base + 4 + keyBytes);
    Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      entries.put(keys.get(i), values.get(i));
    }
    return Collections.unmodifiableMap(entries);
  }

  private static Object value(DataType type, byte[] bytes, int base, int slot) {
    return switch (type.root()) {
      case BOOLEAN -> bytes[slot] != 0;
      case TINYINT -> bytes[slot];
      case SMALLINT -> LittleEndian.getShort(bytes, slot);
      case INT, DATE, TIME -> LittleEndian.getInt(bytes, slot);
      case BIGINT -> LittleEndian.getLong(bytes, slot);
      case FLOAT -> Float.intBitsToFloat(LittleEndian.getInt(bytes, slot));
      case DOUBLE -> Double.longBitsToDouble(LittleEndian.getLong(bytes, slot));
      case DECIMAL -> decimal((AtomicType) type, bytes, base, slot);
      case CHAR, VARCHAR ->
          new String(
              bytes,
              textOffset(bytes, base, slot),
              textLength(bytes, slot),
              StandardCharsets.UTF_8);
      case BINARY, VARBINARY, BLOB ->
          copy(bytes, textOffset(bytes, base, slot), textLength(bytes, slot));
      case TIMESTAMP, TIMESTAMP_LTZ -> timestamp(type, bytes, base, slot);
      case VARIANT -> variant(bytes, base, slot);
      case ARRAY -> array(((ArrayType) type).element(), bytes, base + offset(bytes, slot));
      case MAP ->
          map(((MapType) type).key(), ((MapType) type).value(), bytes, base + offset(bytes, slot));
      case MULTISET ->
          map(
              ((MultisetType) type).element(),
              DataTypes.INT.asNotNull(),
              bytes,
              base + offset(bytes, slot));
      case ROW -> row((RowType) type, bytes, base + offset(bytes, slot));
      case VECTOR -> throw RowLayout.unsupported(type);
    };
  }

  private static int offset(byte[] bytes, int slot) {
    return LittleEndian.getInt(bytes, slot + 4);
  }

  private static int length(byte[] bytes, int slot) {
    return LittleEndian.getInt(bytes, slot);
  }

  /** Where the text or bytes of a slot start, from the start of {@code bytes}. */
  static int textOffset(byte[] bytes, int base, int slot) {
    return bytes[slot + MAX_INLINE_LENGTH] < 0 ? slot : base + offset(bytes, slot);
  }

  /** How many bytes the text or bytes of a slot have. */
  static int textLength(byte[] bytes, int slot) {
    byte last = bytes[slot + MAX_INLINE_LENGTH];
    return last < 0 ? last & 0x7f : length(bytes, slot);
  }

  private static Bytes copy(byte[] bytes, int from, int length) {
    return Bytes.wrap(Arrays.copyOfRange(bytes, from, from + length));
  }

  private static BigDecimal decimal(AtomicType type, byte[] bytes, int base, int slot) {
    return RowLayout.isCompactDecimal(type)
        ? BigDecimal.valueOf(LittleEndian.getLong(bytes, slot), type.scale())
        : new BigDecimal(bigUnscaled(bytes, base, slot), type.scale());
  }

  static BigInteger bigUnscaled(byte[] bytes, int base, int slot) {
    return new BigInteger(bytes, base + offset(bytes, slot), length(bytes, slot));
  }

  private static Timestamp timestamp(DataType type, byte[] bytes, int base, int slot) {
    return RowLayout.isCompactTimestamp(type)
        ? new Timestamp(LittleEndian.getLong(bytes, slot), 0)
        : new Timestamp(
            LittleEndian.getLong(bytes, base + offset(bytes, slot)), length(bytes, slot));
  }

  private static Variant variant(byte[] bytes, int base, int slot) {
    int start = base + offset(bytes, slot);
    int valueLength = LittleEndian.getInt(bytes, start);
    int metadataLength = length(bytes, slot) - 4 - valueLength;
    return new Variant(
        copy(bytes, start + 4, valueLength), copy(bytes, start + 4 + valueLength, metadataLength));
  }
}
