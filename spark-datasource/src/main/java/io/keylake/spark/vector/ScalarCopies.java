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
import org.apache.spark.sql.types.Decimal;

/** Appenders that copy a scalar without changing its type. The value is not NULL. */
final class ScalarCopies {
  private ScalarCopies() {}

  static ValueAppender of(AtomicType type) {
    return switch (type.root()) {
      case BOOLEAN -> (source, row, target) -> target.appendBoolean(source.getBoolean(row));
      case TINYINT -> (source, row, target) -> target.appendByte(source.getByte(row));
      case SMALLINT -> (source, row, target) -> target.appendShort(source.getShort(row));
      case INT, DATE, TIME -> (source, row, target) -> target.appendInt(source.getInt(row));
      case BIGINT, TIMESTAMP, TIMESTAMP_LTZ ->
          (source, row, target) -> target.appendLong(source.getLong(row));
      case FLOAT -> (source, row, target) -> target.appendFloat(source.getFloat(row));
      case DOUBLE -> (source, row, target) -> target.appendDouble(source.getDouble(row));
      case DECIMAL -> decimal(type.precision());
      case CHAR, VARCHAR, BINARY, VARBINARY, BLOB ->
          (source, row, target) -> {
            byte[] bytes = source.getBinary(row);
            target.appendByteArray(bytes, 0, bytes.length);
          };
      case VARIANT ->
          (source, row, target) -> {
            ValueAppender.appendStruct(target);
            for (int child = 0; child < 2; child++) {
              byte[] bytes = source.getChild(child).getBinary(row);
              target.getChild(child).appendByteArray(bytes, 0, bytes.length);
            }
          };
      case ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw new IllegalArgumentException(type.root() + " is no scalar");
    };
  }

  private static ValueAppender decimal(int precision) {
    if (precision <= Decimal.MAX_INT_DIGITS()) {
      return (source, row, target) -> target.appendInt(source.getInt(row));
    } else if (precision <= Decimal.MAX_LONG_DIGITS()) {
      return (source, row, target) -> target.appendLong(source.getLong(row));
    }
    return (source, row, target) -> {
      byte[] bytes = source.getBinary(row);
      target.appendByteArray(bytes, 0, bytes.length);
    };
  }
}
