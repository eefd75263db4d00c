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

import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The order of keys: that of rows in data files, of minimum and maximum keys, and of sorted runs.
 * Compares the bytes without making objects, except for DECIMAL of more than 18 digits. Immutable.
 *
 * <ol>
 *   <li>Column by column, in key order; NULL (which no stored key has) comes first.
 *   <li>Text and bytes by unsigned bytes; false before true; numbers, dates and times by value.
 *   <li>FLOAT and DOUBLE by value: -0.0 equals 0.0; NaN equals itself and is above every number, as
 *       writers here sort it. In the reference NaN equals every number, which orders nothing.
 * </ol>
 *
 * Rule source: table format, PK table row layout. Pinned by {@code KeyComparatorTest}.
 */
public final class KeyComparator implements Comparator<BinaryRow> {
  /** Compares one column of two rows; {@code slot} is the column's place in both. */
  private interface FieldOrder {
    int compare(byte[] left, byte[] right, int slot);
  }

  private final FieldOrder[] orders;

  private KeyComparator(FieldOrder[] orders) {
    this.orders = orders;
  }

  /** The order of keys of {@code keyType}. */
  public static KeyComparator of(RowType keyType) {
    return new KeyComparator(
        keyType.fields().stream().map(field -> orderOf(field.type())).toArray(FieldOrder[]::new));
  }

  @Override
  public int compare(BinaryRow left, BinaryRow right) {
    int arity = orders.length;
    byte[] leftBytes = left.array();
    byte[] rightBytes = right.array();
    for (int i = 0; i < arity; i++) {
      int result =
          left.isNullAt(i) || right.isNullAt(i)
              ? Boolean.compare(right.isNullAt(i), left.isNullAt(i))
              : orders[i].compare(leftBytes, rightBytes, RowLayout.slotOffset(arity, i));
      if (result != 0) {
        return result;
      }
    }
    return 0;
  }

  private static FieldOrder orderOf(DataType type) {
    return switch (type.root()) {
      case BOOLEAN, TINYINT -> (left, right, slot) -> Byte.compare(left[slot], right[slot]);
      case SMALLINT ->
          (left, right, slot) ->
              Short.compare(LittleEndian.getShort(left, slot), LittleEndian.getShort(right, slot));
      case INT, DATE, TIME ->
          (left, right, slot) ->
              Integer.compare(LittleEndian.getInt(left, slot), LittleEndian.getInt(right, slot));
      case BIGINT -> KeyComparator::compareLongs;
      case FLOAT ->
          (left, right, slot) ->
              doubles(
                  Float.intBitsToFloat(LittleEndian.getInt(left, slot)),
                  Float.intBitsToFloat(LittleEndian.getInt(right, slot)));
      case DOUBLE ->
          (left, right, slot) ->
              doubles(
                  Double.longBitsToDouble(LittleEndian.getLong(left, slot)),
                  Double.longBitsToDouble(LittleEndian.getLong(right, slot)));
      case DECIMAL ->
          RowLayout.isCompactDecimal(type)
              ? KeyComparator::compareLongs
              : (left, right, slot) ->
                  RowReader.bigUnscaled(left, 0, slot)
                      .compareTo(RowReader.bigUnscaled(right, 0, slot));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          RowLayout.isCompactTimestamp(type)
              ? KeyComparator::compareLongs
              : KeyComparator::compareTimestamps;
      case CHAR, VARCHAR, BINARY, VARBINARY, BLOB -> KeyComparator::compareText;
      case VARIANT, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw new IllegalArgumentException("No key has type " + type.root());
    };
  }

  private static int compareLongs(byte[] left, byte[] right, int slot) {
    return Long.compare(LittleEndian.getLong(left, slot), LittleEndian.getLong(right, slot));
  }

  private static int doubles(double left, double right) {
    return left == right ? 0 : Double.compare(left, right);
  }

  private static int compareTimestamps(byte[] left, byte[] right, int slot) {
    int byMillis =
        Long.compare(
            LittleEndian.getLong(left, LittleEndian.getInt(left, slot + 4)),
            LittleEndian.getLong(right, LittleEndian.getInt(right, slot + 4)));
    return byMillis != 0
        ? byMillis
        : Integer.compare(LittleEndian.getInt(left, slot), LittleEndian.getInt(right, slot));
  }

  private static int compareText(byte[] left, byte[] right, int slot) {
    int leftFrom = RowReader.textOffset(left, 0, slot);
    int rightFrom = RowReader.textOffset(right, 0, slot);
    return Arrays.compareUnsigned(
        left,
        leftFrom,
        leftFrom + RowReader.textLength(left, slot),
        right,
        rightFrom,
        rightFrom + RowReader.textLength(right, slot));
  }
}
