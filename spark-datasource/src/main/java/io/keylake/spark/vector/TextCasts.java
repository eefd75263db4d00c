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
import io.keylake.format.types.DataTypes;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Casts to texts and binaries. The value is not NULL.
 *
 * <ol>
 *   <li>Any scalar becomes its text: {@code true}, {@code 1.50}, {@code 2024-01-31}, {@code
 *       2024-01-31 12:00:00.120} with as many digits as the precision says.
 *   <li>CHAR(n): cut to n characters or padded with blanks; VARCHAR(n): cut.
 *   <li>BINARY(n): cut to n bytes or padded with zeros; VARBINARY(n): cut. Only from texts and
 *       binaries.
 * </ol>
 */
final class TextCasts {
  private TextCasts() {}

  @FunctionalInterface
  private interface TextValue {
    UTF8String at(WritableColumnVector source, int row);
  }

  static @Nullable ValueAppender of(AtomicType from, AtomicType to) {
    return switch (to.root()) {
      case CHAR, VARCHAR -> toText(from, to);
      default -> toBinary(from, to);
    };
  }

  private static @Nullable ValueAppender toText(AtomicType from, AtomicType to) {
    TextValue text = text(from);
    if (text == null) {
      return null;
    }
    int length = to.precision();
    return switch (to.root()) {
      case CHAR ->
          (source, row, target) ->
              append(text.at(source, row).rpad(length, UTF8String.fromString(" ")), target);
      default ->
          length == DataTypes.MAX_LENGTH
              ? (source, row, target) -> append(text.at(source, row), target)
              : (source, row, target) -> append(text.at(source, row).substring(0, length), target);
    };
  }

  private static void append(UTF8String text, WritableColumnVector target) {
    byte[] bytes = text.getBytes();
    target.appendByteArray(bytes, 0, bytes.length);
  }

  private static @Nullable ValueAppender toBinary(AtomicType from, AtomicType to) {
    switch (from.root()) {
      case CHAR, VARCHAR, BINARY, VARBINARY -> {}
      default -> {
        return null;
      }
    }
    int length = to.precision();
    return switch (to.root()) {
      case BINARY ->
          (source, row, target) ->
              target.appendByteArray(Arrays.copyOf(source.getBinary(row), length), 0, length);
      default ->
          (source, row, target) -> {
            byte[] bytes = source.getBinary(row);
            target.appendByteArray(bytes, 0, Math.min(bytes.length, length));
          };
    };
  }

  private static @Nullable TextValue text(AtomicType from) {
    ScalarCasts.LongValue integer = ScalarCasts.integer(from.root());
    return switch (from.root()) {
      case CHAR, VARCHAR -> WritableColumnVector::getUTF8String;
      case BINARY, VARBINARY -> (source, row) -> UTF8String.fromBytes(source.getBinary(row));
      case BOOLEAN -> (source, row) -> string(source.getBoolean(row));
      case TINYINT, SMALLINT, INT, BIGINT ->
          (source, row) -> string(integer == null ? 0 : integer.at(source, row));
      case FLOAT -> (source, row) -> string(source.getFloat(row));
      case DOUBLE -> (source, row) -> string(source.getDouble(row));
      case DECIMAL ->
          (source, row) -> string(ScalarCasts.decimal(source, row, from).toPlainString());
      case DATE -> (source, row) -> string(LocalDate.ofEpochDay(source.getInt(row)));
      case TIME ->
          (source, row) -> {
            long millis = source.getInt(row);
            return string(time(LocalTime.ofNanoOfDay(millis * 1_000_000), from.precision()));
          };
      case TIMESTAMP, TIMESTAMP_LTZ ->
          (source, row) -> {
            LocalDateTime local = TimeCasts.local(source.getLong(row), from.root());
            return string(local.toLocalDate() + " " + time(local.toLocalTime(), from.precision()));
          };
      case VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR -> null;
    };
  }

  private static UTF8String string(Object value) {
    return UTF8String.fromString(value.toString());
  }

  /** {@code 12:00:00} and, for a precision above 0, so many digits of the fraction. */
  private static String time(LocalTime time, int precision) {
    String seconds = "%02d:%02d:%02d".formatted(time.getHour(), time.getMinute(), time.getSecond());
    return precision == 0
        ? seconds
        : seconds + "." + "%09d".formatted(time.getNano()).substring(0, precision);
  }
}
