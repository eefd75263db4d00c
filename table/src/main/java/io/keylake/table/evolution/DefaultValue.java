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

package io.keylake.table.evolution;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.TypeText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Turns the text of a column's default into a value of its type.
 *
 * <ol>
 *   <li>One pair of single quotes around the text is dropped.
 *   <li>Numbers, {@code true} and {@code false}, {@code 2024-01-31}, {@code 12:30:00[.123]}, {@code
 *       2024-01-31 12:30:00[.123456]} (or with {@code T}, or the date alone); TIMESTAMP_LTZ may
 *       have an offset or {@code Z} at its end; bytes are the UTF-8 bytes of the text.
 *   <li>DECIMAL is rounded to its scale; text longer than the type is refused.
 *   <li>Arrays, maps, rows and variants have no default.
 * </ol>
 *
 * Rule source: table format, default values. Pinned by {@code DefaultValueTest}.
 */
public final class DefaultValue {
  private static final int DATE_LENGTH = 10;

  private DefaultValue() {}

  /**
   * The value of {@code text} as a Java value of {@code type}.
   *
   * @throws InvalidRequestException with KEYLAKE_INVALID_TABLE_DEFINITION when it is none
   */
  public static Object parse(String column, DataType type, String text, ZoneId zone) {
    try {
      if (type instanceof AtomicType atomic) {
        return parse(atomic, unquoted(text), zone);
      }
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException invalid) {
      throw invalid(column, type, text, invalid);
    }
    throw invalid(column, type, text, null);
  }

  private static String unquoted(String text) {
    return text.length() >= 2 && text.startsWith("'") && text.endsWith("'")
        ? text.substring(1, text.length() - 1)
        : text;
  }

  private static Object parse(AtomicType type, String text, ZoneId zone) {
    return switch (type.root()) {
      case BOOLEAN -> bool(text.strip());
      case TINYINT -> Byte.valueOf(text.strip());
      case SMALLINT -> Short.valueOf(text.strip());
      case INT -> Integer.valueOf(text.strip());
      case BIGINT -> Long.valueOf(text.strip());
      case FLOAT -> Float.valueOf(text.strip());
      case DOUBLE -> Double.valueOf(text.strip());
      case DECIMAL -> decimal(type, text.strip());
      case CHAR, VARCHAR -> text(type, text);
      case BINARY, VARBINARY -> bytes(type, text);
      case DATE -> (int) LocalDate.parse(text.strip()).toEpochDay();
      case TIME -> (int) (LocalTime.parse(text.strip()).toNanoOfDay() / 1_000_000L);
      case TIMESTAMP -> timestamp(dateTime(text.strip()).toInstant(ZoneOffset.UTC));
      case TIMESTAMP_LTZ -> timestamp(instant(text.strip(), zone));
      case VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw new IllegalArgumentException("This type has no default");
    };
  }

  private static Boolean bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("Neither true nor false");
    };
  }

  private static BigDecimal decimal(AtomicType type, String text) {
    BigDecimal value = new BigDecimal(text).setScale(type.scale(), RoundingMode.HALF_UP);
    if (value.precision() > type.precision()) {
      throw new IllegalArgumentException("Too many digits");
    }
    return value;
  }

  private static String text(AtomicType type, String text) {
    if (text.codePointCount(0, text.length()) > type.precision()) {
      throw new IllegalArgumentException("Too long");
    }
    return text;
  }

  private static Bytes bytes(AtomicType type, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > type.precision()) {
      throw new IllegalArgumentException("Too long");
    }
    return Bytes.wrap(bytes);
  }

  private static LocalDateTime dateTime(String text) {
    return text.length() == DATE_LENGTH
        ? LocalDate.parse(text).atStartOfDay()
        : LocalDateTime.parse(text.replace(' ', 'T'));
  }

  private static Instant instant(String text, ZoneId zone) {
    boolean hasOffset =
        text.length() > DATE_LENGTH
            && text.substring(DATE_LENGTH).matches(".*(Z|[+-]\\d\\d:\\d\\d)");
    return hasOffset
        ? OffsetDateTime.parse(text.replace(' ', 'T')).toInstant()
        : dateTime(text).atZone(zone).toInstant();
  }

  private static Timestamp timestamp(Instant instant) {
    int millis = instant.getNano() / 1_000_000;
    return new Timestamp(
        Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1000L), millis),
        instant.getNano() % 1_000_000);
  }

  private static InvalidRequestException invalid(
      String column, DataType type, String text, @Nullable Throwable cause) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        "The default '"
            + text
            + "' of column "
            + column
            + " is no value of its type "
            + TypeText.of(type)
            + ". Write it as a literal of that type, or leave the default out.",
        cause);
  }
}
