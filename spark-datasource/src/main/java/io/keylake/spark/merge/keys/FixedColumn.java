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

package io.keylake.spark.merge.keys;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Reads a column of fixed width as longs whose order is that of the values. FLOAT and DOUBLE are
 * ordered as {@link Double#compare} does, but -0.0 equals 0.0.
 */
@FunctionalInterface
interface FixedColumn {
  /** Reads the first {@code rows} values; none is NULL. */
  void load(ColumnVector column, int rows, long[] values);

  /** Whether values of {@code type} have a fixed width of at most 8 bytes. */
  static boolean isFixed(DataType type) {
    return switch (type.root()) {
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_LTZ ->
          true;
      case DECIMAL -> ((AtomicType) type).precision() <= Decimal.MAX_LONG_DIGITS();
      case CHAR, VARCHAR, BINARY, VARBINARY, VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          false;
    };
  }

  /** The reader of columns of {@code type}, which is fixed. */
  static FixedColumn of(DataType type) {
    return switch (type.root()) {
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> FixedColumn::longs;
      case INT, DATE, TIME -> FixedColumn::ints;
      case DECIMAL ->
          ((AtomicType) type).precision() <= Decimal.MAX_INT_DIGITS()
              ? FixedColumn::ints
              : FixedColumn::longs;
      case SMALLINT ->
          (column, rows, values) -> {
            for (int i = 0; i < rows; i++) {
              values[i] = column.getShort(i);
            }
          };
      case TINYINT ->
          (column, rows, values) -> {
            for (int i = 0; i < rows; i++) {
              values[i] = column.getByte(i);
            }
          };
      case BOOLEAN ->
          (column, rows, values) -> {
            for (int i = 0; i < rows; i++) {
              values[i] = column.getBoolean(i) ? 1 : 0;
            }
          };
      case FLOAT ->
          (column, rows, values) -> {
            for (int i = 0; i < rows; i++) {
              values[i] = ordered(column.getFloat(i));
            }
          };
      case DOUBLE ->
          (column, rows, values) -> {
            for (int i = 0; i < rows; i++) {
              values[i] = ordered(column.getDouble(i));
            }
          };
      case CHAR, VARCHAR, BINARY, VARBINARY, VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw new IllegalArgumentException(type + " has no fixed width");
    };
  }

  private static void longs(ColumnVector column, int rows, long[] values) {
    for (int i = 0; i < rows; i++) {
      values[i] = column.getLong(i);
    }
  }

  private static void ints(ColumnVector column, int rows, long[] values) {
    for (int i = 0; i < rows; i++) {
      values[i] = column.getInt(i);
    }
  }

  private static long ordered(double value) {
    long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
    return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
  }
}
