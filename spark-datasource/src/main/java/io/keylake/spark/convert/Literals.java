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

package io.keylake.spark.convert;

import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.TypeRoot;
import java.math.BigDecimal;
import java.util.List;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.jspecify.annotations.Nullable;

/** Literals of Spark's predicates as literals of the format's predicates. */
final class Literals {
  private static final int SPARK_TIMESTAMP_DIGITS = 6;

  private Literals() {}

  /**
   * The literal as a value that compares with the stored values of a column of {@code type} exactly
   * as Spark compares; null when there is none.
   */
  static @Nullable Object toFormat(DataType type, Literal<?> literal) {
    Object value = literal.value();
    if (value == null || !(type instanceof AtomicType atomic) || !sameType(atomic, literal)) {
      return null;
    }
    return switch (atomic.root()) {
      case BOOLEAN -> value instanceof Boolean ? value : null;
      case TINYINT -> value instanceof Byte ? value : null;
      case SMALLINT -> value instanceof Short ? value : null;
      case INT, DATE, TIME -> value instanceof Integer ? value : null;
      case BIGINT -> value instanceof Long ? value : null;
      case FLOAT -> value instanceof Float number && !number.isNaN() ? value : null;
      case DOUBLE -> value instanceof Double number && !number.isNaN() ? value : null;
      case DECIMAL -> value instanceof Decimal number ? decimal(atomic, number) : null;
      case VARCHAR -> value.toString();
      case BINARY, VARBINARY -> value instanceof byte[] bytes ? Bytes.copyOf(bytes) : null;
      case TIMESTAMP, TIMESTAMP_LTZ ->
          value instanceof Long micros && atomic.precision() <= SPARK_TIMESTAMP_DIGITS
              ? Timestamp.ofMicros(micros)
              : null;
      case CHAR, VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR -> null;
    };
  }

  private static boolean sameType(AtomicType type, Literal<?> literal) {
    if (type.root() == TypeRoot.BLOB) {
      return false;
    }
    org.apache.spark.sql.types.DataType expected = SparkTypes.toSpark("literal", type);
    if (expected instanceof DecimalType) {
      return literal.dataType() instanceof DecimalType;
    }
    if (expected instanceof StringType) {
      return literal.dataType() instanceof StringType text && text.isUTF8BinaryCollation();
    }
    return expected.equals(literal.dataType());
  }

  private static @Nullable BigDecimal decimal(AtomicType type, Decimal number) {
    BigDecimal exact = number.toJavaBigDecimal();
    BigDecimal stripped = exact.stripTrailingZeros();
    return stripped.scale() <= type.scale() ? exact.setScale(type.scale()) : null;
  }

  static boolean isZeroFloating(Object value) {
    return value instanceof Float f && f == 0.0f || value instanceof Double d && d == 0.0d;
  }

  /** Adds {@code value}, and what Spark takes as equal to it. */
  static void addEqual(List<Object> values, Object value) {
    if (isZeroFloating(value)) {
      values.add(value instanceof Float ? (Object) (-0.0f) : (Object) (-0.0d));
      values.add(value instanceof Float ? (Object) 0.0f : (Object) 0.0d);
    } else {
      values.add(value);
    }
  }
}
