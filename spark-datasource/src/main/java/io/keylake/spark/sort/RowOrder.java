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

import io.keylake.spark.sort.SortColumn.Direction;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** Compares columns of two rows in memory, without making objects. */
final class RowOrder {
  private final SortColumn[] columns;
  private final long firstField;

  RowOrder(List<SortColumn> columns, int arity) {
    this.columns = columns.toArray(new SortColumn[0]);
    this.firstField = UnsafeRow.calculateBitSetWidthInBytes(arity);
  }

  /** Compares the rows at {@code left} and {@code right}. */
  int compare(Object leftBase, long left, Object rightBase, long right) {
    for (SortColumn column : columns) {
      int result = compare(column, leftBase, left, rightBase, right);
      if (result != 0) {
        return result;
      }
    }
    return 0;
  }

  private int compare(SortColumn column, Object leftBase, long left, Object rightBase, long right) {
    boolean leftNull = isNull(column.ordinal(), leftBase, left);
    boolean rightNull = isNull(column.ordinal(), rightBase, right);
    if (leftNull || rightNull) {
      return Boolean.compare(rightNull, leftNull);
    }
    int result = compareValues(column, leftBase, left, rightBase, right);
    return column.direction() == Direction.ASCENDING ? result : -result;
  }

  private int compareValues(
      SortColumn column, Object leftBase, long left, Object rightBase, long right) {
    long field = firstField + 8L * column.ordinal();
    long leftField = left + field;
    long rightField = right + field;
    return switch (column.form()) {
      case BYTE ->
          Byte.compare(
              Platform.getByte(leftBase, leftField), Platform.getByte(rightBase, rightField));
      case SHORT ->
          Short.compare(
              Platform.getShort(leftBase, leftField), Platform.getShort(rightBase, rightField));
      case INT ->
          Integer.compare(
              Platform.getInt(leftBase, leftField), Platform.getInt(rightBase, rightField));
      case LONG ->
          Long.compare(
              Platform.getLong(leftBase, leftField), Platform.getLong(rightBase, rightField));
      case FLOAT ->
          Float.compare(
              Platform.getFloat(leftBase, leftField) + 0.0f,
              Platform.getFloat(rightBase, rightField) + 0.0f);
      case DOUBLE ->
          Double.compare(
              Platform.getDouble(leftBase, leftField) + 0.0,
              Platform.getDouble(rightBase, rightField) + 0.0);
      case BYTES -> {
        long leftSlot = Platform.getLong(leftBase, leftField);
        long rightSlot = Platform.getLong(rightBase, rightField);
        yield compareBytes(leftBase, left, leftSlot, rightBase, right, rightSlot);
      }
      case BIG_DECIMAL -> {
        long leftSlot = Platform.getLong(leftBase, leftField);
        long rightSlot = Platform.getLong(rightBase, rightField);
        yield compareDecimals(leftBase, left, leftSlot, rightBase, right, rightSlot);
      }
    };
  }

  private static boolean isNull(int ordinal, Object base, long row) {
    long word = Platform.getLong(base, row + ((ordinal >> 6) << 3));
    return (word & (1L << (ordinal & 63))) != 0;
  }

  private static int compareBytes(
      Object leftBase, long left, long leftSlot, Object rightBase, long right, long rightSlot) {
    int leftLength = (int) leftSlot;
    int rightLength = (int) rightSlot;
    int result =
        compareUnsigned(
            leftBase,
            left + (leftSlot >>> 32),
            rightBase,
            right + (rightSlot >>> 32),
            Math.min(leftLength, rightLength));
    return result != 0 ? result : Integer.compare(leftLength, rightLength);
  }

  /** Minimal two's complement numbers: sign first, then the number of bytes, then the bytes. */
  private static int compareDecimals(
      Object leftBase, long left, long leftSlot, Object rightBase, long right, long rightSlot) {
    long leftStart = left + (leftSlot >>> 32);
    long rightStart = right + (rightSlot >>> 32);
    boolean leftNegative = Platform.getByte(leftBase, leftStart) < 0;
    boolean rightNegative = Platform.getByte(rightBase, rightStart) < 0;
    if (leftNegative != rightNegative) {
      return leftNegative ? -1 : 1;
    }
    int byLength = Integer.compare((int) leftSlot, (int) rightSlot);
    if (byLength != 0) {
      return leftNegative ? -byLength : byLength;
    }
    return compareUnsigned(leftBase, leftStart, rightBase, rightStart, (int) leftSlot);
  }

  private static int compareUnsigned(
      Object leftBase, long left, Object rightBase, long right, int length) {
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      long leftWord = Platform.getLong(leftBase, left + i);
      long rightWord = Platform.getLong(rightBase, right + i);
      if (leftWord != rightWord) {
        return Long.compareUnsigned(bigEndian(leftWord), bigEndian(rightWord));
      }
    }
    for (; i < length; i++) {
      int result =
          Integer.compare(
              Platform.getByte(leftBase, left + i) & 0xff,
              Platform.getByte(rightBase, right + i) & 0xff);
      if (result != 0) {
        return result;
      }
    }
    return 0;
  }

  static long bigEndian(long nativeWord) {
    return java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN
        ? Long.reverseBytes(nativeWord)
        : nativeWord;
  }
}
