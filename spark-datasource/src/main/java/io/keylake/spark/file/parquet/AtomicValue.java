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

package io.keylake.spark.file.parquet;

import io.keylake.format.types.AtomicType;
import java.util.Arrays;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Hands one value inside a nested column from a row or array to Parquet's column writer. */
@FunctionalInterface
interface AtomicValue {
  /** Writes the value at {@code ordinal}, which is not NULL. */
  void write(SpecializedGetters from, int ordinal, ColumnWriter to, int repetition, int definition);

  /** The way of a type's values. */
  static AtomicValue of(AtomicType type) {
    return switch (type.root()) {
      case BOOLEAN -> (from, i, to, r, d) -> to.write(from.getBoolean(i), r, d);
      case TINYINT -> (from, i, to, r, d) -> to.write((int) from.getByte(i), r, d);
      case SMALLINT -> (from, i, to, r, d) -> to.write((int) from.getShort(i), r, d);
      case INT, DATE, TIME -> (from, i, to, r, d) -> to.write(from.getInt(i), r, d);
      case BIGINT -> (from, i, to, r, d) -> to.write(from.getLong(i), r, d);
      case FLOAT -> (from, i, to, r, d) -> to.write(from.getFloat(i), r, d);
      case DOUBLE -> (from, i, to, r, d) -> to.write(from.getDouble(i), r, d);
      case CHAR, VARCHAR ->
          (from, i, to, r, d) -> to.write(constant(from.getUTF8String(i).getBytes()), r, d);
      case BINARY, VARBINARY -> (from, i, to, r, d) -> to.write(constant(from.getBinary(i)), r, d);
      case DECIMAL -> decimal(type.precision(), type.scale());
      case TIMESTAMP, TIMESTAMP_LTZ -> timestamp(type.precision());
      default -> throw new IllegalArgumentException("No atomic value: " + type);
    };
  }

  /** Bytes that nobody changes any more. */
  static Binary constant(byte[] bytes) {
    return Binary.fromConstantByteArray(bytes);
  }

  private static AtomicValue decimal(int precision, int scale) {
    if (precision <= 9) {
      return (from, i, to, r, d) ->
          to.write((int) from.getDecimal(i, precision, scale).toUnscaledLong(), r, d);
    }
    if (precision <= 18) {
      return (from, i, to, r, d) ->
          to.write(from.getDecimal(i, precision, scale).toUnscaledLong(), r, d);
    }
    int width = ParquetMessage.decimalBytes(precision);
    return (from, i, to, r, d) -> {
      byte[] minimal =
          from.getDecimal(i, precision, scale).toJavaBigDecimal().unscaledValue().toByteArray();
      byte[] bytes = new byte[width];
      Arrays.fill(bytes, 0, width - minimal.length, (byte) (minimal[0] < 0 ? -1 : 0));
      System.arraycopy(minimal, 0, bytes, width - minimal.length, minimal.length);
      to.write(constant(bytes), r, d);
    };
  }

  private static AtomicValue timestamp(int precision) {
    if (precision <= 3) {
      return (from, i, to, r, d) -> to.write(Math.floorDiv(from.getLong(i), 1000L), r, d);
    }
    if (precision <= 6) {
      return (from, i, to, r, d) -> to.write(from.getLong(i), r, d);
    }
    return (from, i, to, r, d) -> {
      byte[] bytes = new byte[12];
      BytesGather.putInt96(from.getLong(i), bytes, 0);
      to.write(constant(bytes), r, d);
    };
  }
}
