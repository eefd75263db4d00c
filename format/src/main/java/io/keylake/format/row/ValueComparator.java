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
import java.math.BigDecimal;
import java.util.Comparator;

/**
 * The order of two Java values of one type, neither null, as SQL has it: text by code point (which
 * is the order of its UTF-8 bytes), bytes unsigned, false before true, NaN equal to itself and
 * above every number, -0.0 equal to 0.0, DECIMAL by value whatever its scale.
 */
public final class ValueComparator {
  private ValueComparator() {}

  /** The order of values of {@code type}, which must be atomic and not VARIANT. */
  public static Comparator<Object> of(DataType type) {
    return switch (type.root()) {
      case BOOLEAN -> (left, right) -> Boolean.compare((Boolean) left, (Boolean) right);
      case TINYINT -> (left, right) -> Byte.compare((Byte) left, (Byte) right);
      case SMALLINT -> (left, right) -> Short.compare((Short) left, (Short) right);
      case INT, DATE, TIME -> (left, right) -> Integer.compare((Integer) left, (Integer) right);
      case BIGINT -> (left, right) -> Long.compare((Long) left, (Long) right);
      case FLOAT -> (left, right) -> compareDoubles((Float) left, (Float) right);
      case DOUBLE -> (left, right) -> compareDoubles((Double) left, (Double) right);
      case DECIMAL -> (left, right) -> ((BigDecimal) left).compareTo((BigDecimal) right);
      case CHAR, VARCHAR -> (left, right) -> compareText((String) left, (String) right);
      case BINARY, VARBINARY, BLOB -> (left, right) -> ((Bytes) left).compareTo((Bytes) right);
      case TIMESTAMP, TIMESTAMP_LTZ ->
          (left, right) -> ((Timestamp) left).compareTo((Timestamp) right);
      case VARIANT, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw new IllegalArgumentException("Values of " + type.root() + " have no order");
    };
  }

  private static int compareDoubles(double left, double right) {
    return left == right ? 0 : Double.compare(left, right);
  }

  private static int compareText(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      char leftChar = left.charAt(i);
      char rightChar = right.charAt(i);
      if (leftChar != rightChar) {
        boolean leftPair = Character.isSurrogate(leftChar);
        return leftPair == Character.isSurrogate(rightChar)
            ? Character.compare(leftChar, rightChar)
            : Boolean.compare(leftPair, Character.isSurrogate(rightChar));
      }
    }
    return Integer.compare(left.length(), right.length());
  }
}
