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

package io.keylake.spark.merge.fold;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An aggregate function on boxed values: a late value is the first operand. */
final class ValueModel {
  private static final int PRECISION = 9;

  private final String type;
  private final String function;
  private final boolean skipsRetracts;
  private boolean found;

  /**
   * A column.
   *
   * @param function as options have it, {@code list} for a distinct listagg; empty for a column of
   *     a sequence group that has none
   */
  ValueModel(String type, String function, boolean skipsRetracts) {
    this.type = type;
    this.function = function;
    this.skipsRetracts = skipsRetracts;
  }

  boolean hasFunction() {
    return !function.isEmpty();
  }

  void clear() {
    found = false;
  }

  @Nullable Object parse(String cell) {
    if (cell.equals("null")) {
      return null;
    }
    return switch (type) {
      case "TINYINT" -> Byte.valueOf(cell);
      case "SMALLINT" -> Short.valueOf(cell);
      case "INT" -> Integer.valueOf(cell);
      case "BIGINT" -> Long.valueOf(cell);
      case "FLOAT" -> Float.valueOf(cell);
      case "DOUBLE" -> Double.valueOf(cell);
      case "BOOLEAN" -> Boolean.valueOf(cell);
      case "STRING" -> cell.equals("''") ? "" : cell;
      default -> new BigDecimal(cell);
    };
  }

  String text(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    return value.equals("") ? "''" : value.toString();
  }

  @Nullable Object addLate(@Nullable Object acc, @Nullable Object value) {
    // Decided: a late NULL does not wipe the first value.
    return function.equals("first_non_null_value") && value == null && found
        ? acc
        : add(value, acc);
  }

  boolean canRetract() {
    return switch (function) {
      case "sum", "product", "last_value", "last_non_null_value" -> true;
      default -> false;
    };
  }

  @Nullable Object add(@Nullable Object acc, @Nullable Object in) {
    return switch (function) {
      case "last_value" -> in;
      case "last_non_null_value" -> in == null ? acc : in;
      case "first_value" -> {
        boolean first = !found;
        found = true;
        yield first ? in : acc;
      }
      case "first_non_null_value" -> {
        boolean first = !found && in != null;
        found |= first;
        yield first ? in : acc;
      }
      default -> acc == null || in == null ? (acc == null ? in : acc) : combine(acc, in);
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private @Nullable Object combine(Object acc, Object in) {
    return switch (function) {
      case "max" -> ((Comparable) acc).compareTo(in) < 0 ? in : acc;
      case "min" -> ((Comparable) acc).compareTo(in) < 0 ? acc : in;
      case "bool_and" -> (Boolean) acc && (Boolean) in;
      case "bool_or" -> (Boolean) acc || (Boolean) in;
      case "listagg" -> listagg((String) acc, (String) in);
      case "list" -> distinct((String) acc, (String) in);
      case "sum" -> sum(acc, in);
      default -> product(acc, in);
    };
  }

  private static String listagg(String acc, String in) {
    return in.isEmpty() ? acc : acc.isEmpty() ? in : acc + "," + in;
  }

  private static String distinct(String acc, String in) {
    if (acc.isEmpty()) {
      return in;
    }
    List<String> parts = new ArrayList<>(List.of(acc.split(",", -1)));
    StringBuilder text = new StringBuilder(acc);
    for (String part : in.split(",", -1)) {
      if (!part.isEmpty() && !parts.contains(part)) {
        parts.add(part);
        text.append(',').append(part);
      }
    }
    return text.toString();
  }

  private Object sum(Object acc, Object in) {
    return switch (type) {
      case "TINYINT" -> (byte) ((Byte) acc + (Byte) in);
      case "SMALLINT" -> (short) ((Short) acc + (Short) in);
      case "INT" -> (Integer) acc + (Integer) in;
      case "BIGINT" -> (Long) acc + (Long) in;
      case "FLOAT" -> (Float) acc + (Float) in;
      case "DOUBLE" -> (Double) acc + (Double) in;
      default -> ((BigDecimal) acc).add((BigDecimal) in);
    };
  }

  private @Nullable Object product(Object acc, Object in) {
    return switch (type) {
      case "TINYINT" -> (byte) ((Byte) acc * (Byte) in);
      case "SMALLINT" -> (short) ((Short) acc * (Short) in);
      case "INT" -> (Integer) acc * (Integer) in;
      case "BIGINT" -> (Long) acc * (Long) in;
      case "FLOAT" -> (Float) acc * (Float) in;
      case "DOUBLE" -> (Double) acc * (Double) in;
      default -> fit(((BigDecimal) acc).multiply((BigDecimal) in));
    };
  }

  private static @Nullable BigDecimal fit(BigDecimal value) {
    BigDecimal scaled = value.setScale(2, RoundingMode.HALF_UP);
    return scaled.precision() > PRECISION ? null : scaled;
  }

  @Nullable Object retract(@Nullable Object acc, @Nullable Object in) {
    if (skipsRetracts) {
      return acc;
    }
    return switch (function) {
      case "last_value" -> null;
      case "last_non_null_value" -> in == null ? acc : null;
      case "sum" -> in == null ? acc : acc == null ? negate(in) : sum(acc, negate(in));
      case "product" -> acc == null || in == null ? acc : quotient(acc, in);
      default -> throw new IllegalStateException("No way back from " + function);
    };
  }

  private Object negate(Object value) {
    return switch (type) {
      case "TINYINT" -> (byte) -(Byte) value;
      case "SMALLINT" -> (short) -(Short) value;
      case "INT" -> -(Integer) value;
      case "BIGINT" -> -(Long) value;
      case "FLOAT" -> -(Float) value;
      case "DOUBLE" -> -(Double) value;
      default -> ((BigDecimal) value).negate();
    };
  }

  private @Nullable Object quotient(Object acc, Object in) {
    return switch (type) {
      case "TINYINT" -> (byte) ((Byte) acc / (Byte) in);
      case "SMALLINT" -> (short) ((Short) acc / (Short) in);
      case "INT" -> (Integer) acc / (Integer) in;
      case "BIGINT" -> (Long) acc / (Long) in;
      case "FLOAT" -> (Float) acc / (Float) in;
      case "DOUBLE" -> (Double) acc / (Double) in;
      default -> fit(((BigDecimal) acc).divide((BigDecimal) in));
    };
  }
}
