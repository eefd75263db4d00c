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

package io.keylake.spark.vector;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import java.math.BigInteger;
import java.util.Arrays;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Compares values of one column, none of them NULL, where they are in their vectors.
 *
 * <ol>
 *   <li>Texts and binaries: byte by byte, unsigned.
 *   <li>FLOAT and DOUBLE: -0.0 before 0.0, NaN last.
 * </ol>
 *
 * Rule source: observed behaviour of the reference implementation, 1.4.2. Pinned by {@code
 * MaskModelTest} and {@code KeyFolderOracleTest}.
 */
@FunctionalInterface
public interface ValueOrder {
  /** Below 0 when the left value comes first, 0 when the values are equal. */
  int compare(ColumnVector left, int leftRow, ColumnVector right, int rightRow);

  /**
   * The order of values of a type that says which of two rows is newer, as {@link
   * io.keylake.spark.sort.SortOrder} has it inside of one write: -0.0 and 0.0 are equal.
   *
   * @throws IllegalArgumentException when values of the type have no order
   */
  static ValueOrder ofSequence(DataType type) {
    return switch (type.root()) {
      case FLOAT -> (a, i, b, j) -> Float.compare(a.getFloat(i) + 0.0f, b.getFloat(j) + 0.0f);
      case DOUBLE -> (a, i, b, j) -> Double.compare(a.getDouble(i) + 0.0, b.getDouble(j) + 0.0);
      default -> of(type);
    };
  }

  /**
   * The order of values of a type.
   *
   * @throws IllegalArgumentException when values of the type have no order
   */
  static ValueOrder of(DataType type) {
    return switch (type.root()) {
      case BOOLEAN -> (a, i, b, j) -> Boolean.compare(a.getBoolean(i), b.getBoolean(j));
      case TINYINT -> (a, i, b, j) -> Byte.compare(a.getByte(i), b.getByte(j));
      case SMALLINT -> (a, i, b, j) -> Short.compare(a.getShort(i), b.getShort(j));
      case INT, DATE, TIME -> (a, i, b, j) -> Integer.compare(a.getInt(i), b.getInt(j));
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ ->
          (a, i, b, j) -> Long.compare(a.getLong(i), b.getLong(j));
      case FLOAT -> (a, i, b, j) -> Float.compare(a.getFloat(i), b.getFloat(j));
      case DOUBLE -> (a, i, b, j) -> Double.compare(a.getDouble(i), b.getDouble(j));
      case DECIMAL -> decimal((AtomicType) type);
      case CHAR, VARCHAR -> (a, i, b, j) -> a.getUTF8String(i).binaryCompare(b.getUTF8String(j));
      case BINARY, VARBINARY ->
          (a, i, b, j) -> Arrays.compareUnsigned(a.getBinary(i), b.getBinary(j));
      case VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw new IllegalArgumentException("No order of " + type.root());
    };
  }

  private static ValueOrder decimal(AtomicType type) {
    if (type.precision() <= Decimal.MAX_INT_DIGITS()) {
      return (a, i, b, j) -> Integer.compare(a.getInt(i), b.getInt(j));
    } else if (type.precision() <= Decimal.MAX_LONG_DIGITS()) {
      return (a, i, b, j) -> Long.compare(a.getLong(i), b.getLong(j));
    }
    return (a, i, b, j) -> new BigInteger(a.getBinary(i)).compareTo(new BigInteger(b.getBinary(j)));
  }
}
