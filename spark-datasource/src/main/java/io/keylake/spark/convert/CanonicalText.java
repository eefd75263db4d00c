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

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VariantType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Rows as JSON text in which equal rows have equal text, whatever engine read them: the form in
 * which expected rows of tests are kept. The rules:
 *
 * <ol>
 *   <li>integers and booleans are JSON values; FLOAT and DOUBLE are printed as Java prints them,
 *       with NaN and the infinities as strings;
 *   <li>a DECIMAL is a string with all digits of its scale, a BINARY a string {@code "0x.."};
 *   <li>a DATE is {@code "2024-01-31"}, a TIMESTAMP_NTZ {@code "2024-01-31T12:00:00.000000000"}
 *       with nine digits always, a TIMESTAMP the same in UTC with {@code Z}, a TIME {@code
 *       "12:00:00.000"};
 *   <li>an array is an array, a struct an object, a map an array of {@code [key,value]} pairs
 *       sorted by their text, a VARIANT its JSON text as a string;
 *   <li>strings escape the quote, the backslash and control characters only.
 * </ol>
 *
 * <p>Types outside the table format (intervals for example) are written as Spark's internal value.
 */
public final class CanonicalText {
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendPattern("'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 9, 9, true)
          .toFormatter();

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final HexFormat HEX = HexFormat.of();

  private CanonicalText() {}

  /** The row as one JSON object, its fields in the order of {@code type}. */
  public static String of(SpecializedGetters row, StructType type) {
    StringBuilder out = new StringBuilder();
    appendStruct(out, row, type);
    return out.toString();
  }

  /** Appends one value that may be null. */
  public static void append(
      StringBuilder out, SpecializedGetters values, int position, DataType type) {
    if (values.isNullAt(position)) {
      out.append("null");
    } else if (type instanceof StructType struct) {
      appendStruct(out, values.getStruct(position, struct.fields().length), struct);
    } else if (type instanceof ArrayType array) {
      appendArray(out, values.getArray(position), array.elementType());
    } else if (type instanceof MapType map) {
      appendMap(out, values.getMap(position), map);
    } else {
      appendScalar(out, values, position, type);
    }
  }

  private static void appendScalar(
      StringBuilder out, SpecializedGetters values, int position, DataType type) {
    if (type instanceof BooleanType) {
      out.append(values.getBoolean(position));
    } else if (type instanceof ByteType) {
      out.append(values.getByte(position));
    } else if (type instanceof ShortType) {
      out.append(values.getShort(position));
    } else if (type instanceof IntegerType) {
      out.append(values.getInt(position));
    } else if (type instanceof LongType) {
      out.append(values.getLong(position));
    } else if (type instanceof FloatType) {
      appendNumber(out, Float.toString(values.getFloat(position)));
    } else if (type instanceof DoubleType) {
      appendNumber(out, Double.toString(values.getDouble(position)));
    } else if (type instanceof DecimalType decimal) {
      BigDecimal value =
          values.getDecimal(position, decimal.precision(), decimal.scale()).toJavaBigDecimal();
      appendString(out, value.setScale(decimal.scale()).toPlainString());
    } else {
      appendString(out, text(values, position, type));
    }
  }

  private static String text(SpecializedGetters values, int position, DataType type) {
    if (type instanceof StringType) {
      return values.getUTF8String(position).toString();
    }
    if (type instanceof BinaryType) {
      return "0x" + HEX.formatHex(values.getBinary(position));
    }
    if (type instanceof DateType) {
      return LocalDate.ofEpochDay(values.getInt(position)).toString();
    }
    if (type instanceof TimestampType) {
      return timestamp(values.getLong(position)) + "Z";
    }
    if (type instanceof TimestampNTZType) {
      return timestamp(values.getLong(position));
    }
    if (type instanceof TimeType) {
      return TIME.format(LocalTime.ofNanoOfDay(values.getLong(position)));
    }
    if (type instanceof VariantType) {
      return values.getVariant(position).toJson(ZoneOffset.UTC);
    }
    return String.valueOf(values.get(position, type));
  }

  private static String timestamp(long micros) {
    long seconds = Math.floorDiv(micros, MICROS_PER_SECOND);
    int nanos = (int) Math.floorMod(micros, MICROS_PER_SECOND) * 1000;
    return TIMESTAMP.format(LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC));
  }

  private static void appendStruct(StringBuilder out, SpecializedGetters row, StructType type) {
    out.append('{');
    StructField[] fields = type.fields();
    for (int i = 0; i < fields.length; i++) {
      if (i > 0) {
        out.append(',');
      }
      appendString(out, fields[i].name());
      out.append(':');
      append(out, row, i, fields[i].dataType());
    }
    out.append('}');
  }

  private static void appendArray(StringBuilder out, ArrayData array, DataType element) {
    out.append('[');
    for (int i = 0; i < array.numElements(); i++) {
      if (i > 0) {
        out.append(',');
      }
      append(out, array, i, element);
    }
    out.append(']');
  }

  private static void appendMap(StringBuilder out, MapData map, MapType type) {
    List<String> entries = new ArrayList<>(map.numElements());
    for (int i = 0; i < map.numElements(); i++) {
      StringBuilder entry = new StringBuilder("[");
      append(entry, map.keyArray(), i, type.keyType());
      entry.append(',');
      append(entry, map.valueArray(), i, type.valueType());
      entries.add(entry.append(']').toString());
    }
    entries.sort(Comparator.comparing(UTF8String::fromString));
    out.append('[').append(String.join(",", entries)).append(']');
  }

  private static void appendNumber(StringBuilder out, String number) {
    if (Character.isDigit(number.charAt(number.length() - 1))) {
      out.append(number);
    } else {
      appendString(out, number);
    }
  }

  private static void appendString(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ' || c == 0x7f) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
