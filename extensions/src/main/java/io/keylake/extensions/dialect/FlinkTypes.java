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

package io.keylake.extensions.dialect;

import io.keylake.extensions.parser.StatementScope;
import io.keylake.extensions.parser.TokenCursor;
import io.keylake.format.errors.Condition;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the type of a column.
 *
 * <ol>
 *   <li>A table gets the type that Flink would give it: TIMESTAMP(3) is stored as such, and Spark
 *       reads it as TIMESTAMP_NTZ; MULTISET&lt;T&gt; reads as MAP&lt;T, INT&gt;, TIME as INT.
 *   <li>TIMESTAMP is without a time zone and BINARY has one byte, unless the statement has clauses
 *       of Spark: then they are what they are there.
 *   <li>Keys of a MAP are NOT NULL, as Spark declares them: both dialects give the same table.
 *   <li>What the format or Spark has no type for is refused by name.
 * </ol>
 *
 * Pinned by {@code FlinkTypesTest}.
 */
final class FlinkTypes {
  /** What type names without a precision mean. */
  enum Names {
    FLINK,
    SPARK
  }

  private static final int MAX_PRECISION = 9;
  private static final int MICROS = 6;
  private static final int UNNUMBERED = 0;

  private static final Map<String, FlinkType> PLAIN =
      Map.ofEntries(
          plain("BOOLEAN", "BOOLEAN", DataTypes.BOOLEAN),
          plain("TINYINT", "TINYINT", DataTypes.TINYINT),
          plain("BYTE", "TINYINT", DataTypes.TINYINT),
          plain("SMALLINT", "SMALLINT", DataTypes.SMALLINT),
          plain("SHORT", "SMALLINT", DataTypes.SMALLINT),
          plain("INT", "INT", DataTypes.INT),
          plain("INTEGER", "INT", DataTypes.INT),
          plain("BIGINT", "BIGINT", DataTypes.BIGINT),
          plain("LONG", "BIGINT", DataTypes.BIGINT),
          plain("FLOAT", "FLOAT", DataTypes.FLOAT),
          plain("REAL", "FLOAT", DataTypes.FLOAT),
          plain("DATE", "DATE", DataTypes.DATE),
          plain("STRING", "STRING", DataTypes.STRING),
          plain("BYTES", "BINARY", DataTypes.BYTES),
          plain("VARIANT", "VARIANT", DataTypes.VARIANT));

  private final TokenCursor cursor;
  private final Names names;

  /** Greater-than signs of the coming token, which the lexer may join, that are still to close. */
  private int openSigns;

  FlinkTypes(TokenCursor cursor, Names names) {
    this.cursor = cursor;
    this.names = names;
  }

  private static Map.Entry<String, FlinkType> plain(String name, String sql, AtomicType stored) {
    return Map.entry(name, new FlinkType(sql, stored, true));
  }

  /**
   * Passes and gives the type at the cursor; whether it may be NULL is not part of it.
   *
   * @param column its name, for messages
   */
  FlinkType read(String column) throws ParseException {
    FlinkType type = base(column);
    while (openSigns == 0 && (cursor.sees("ARRAY") || cursor.sees("MULTISET"))) {
      type = cursor.next().getText().equalsIgnoreCase("ARRAY") ? array(type) : multiset(type);
    }
    return type;
  }

  private FlinkType base(String column) throws ParseException {
    String name = cursor.peek().getText().toUpperCase(Locale.ROOT);
    if (PLAIN.containsKey(name)) {
      cursor.next();
      return PLAIN.get(name);
    }
    return switch (name) {
      case "DOUBLE" -> {
        cursor.next();
        cursor.accept("PRECISION");
        yield new FlinkType("DOUBLE", DataTypes.DOUBLE, true);
      }
      case "DECIMAL", "DEC", "NUMERIC" -> decimal();
      case "CHAR", "CHARACTER", "VARCHAR" -> text(name.equals("VARCHAR"));
      case "BINARY", "VARBINARY" -> bytes(name.equals("VARBINARY"));
      case "TIME" -> time();
      case "TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ" -> timestamp(column, name);
      case "ARRAY", "MULTISET", "MAP" -> collection(column, name);
      case "ROW", "STRUCT" -> row(column);
      default -> throw unsupported(column, name);
    };
  }

  private FlinkType decimal() throws ParseException {
    cursor.next();
    int precision = 10;
    int scale = 0;
    if (cursor.accept("(")) {
      precision = number("a precision");
      scale = cursor.accept(",") ? number("a scale") : 0;
      cursor.expect(")");
    }
    return new FlinkType(
        "DECIMAL(" + precision + ", " + scale + ")", DataTypes.decimal(precision, scale), true);
  }

  private FlinkType text(boolean varies) throws ParseException {
    cursor.next();
    int length = parameter("a length").orElse(1);
    if (varies && length == DataTypes.MAX_LENGTH) {
      return new FlinkType("STRING", DataTypes.STRING, true);
    }
    return new FlinkType(
        (varies ? "VARCHAR(" : "CHAR(") + length + ")",
        DataTypes.sized(varies ? TypeRoot.VARCHAR : TypeRoot.CHAR, length),
        true);
  }

  private FlinkType bytes(boolean varies) throws ParseException {
    cursor.next();
    Optional<Integer> length = parameter("a length");
    if (length.isEmpty() && names == Names.SPARK) {
      return new FlinkType("BINARY", DataTypes.BYTES, true);
    }
    AtomicType stored =
        DataTypes.sized(varies ? TypeRoot.VARBINARY : TypeRoot.BINARY, length.orElse(1));
    return new FlinkType("BINARY", stored, stored.equals(DataTypes.BYTES));
  }

  private FlinkType time() throws ParseException {
    cursor.next();
    int precision = parameter("a precision").orElse(0);
    cursor.accept("WITHOUT", "TIME", "ZONE");
    return new FlinkType("INT", DataTypes.sized(TypeRoot.TIME, precision), false);
  }

  private FlinkType timestamp(String column, String name) throws ParseException {
    cursor.next();
    Optional<Integer> given = parameter("a precision");
    int precision = given.orElse(MICROS);
    if (precision < 0 || precision > MAX_PRECISION) {
      throw cursor.error("a precision from 0 to " + MAX_PRECISION + " is expected");
    }
    boolean local =
        name.equals("TIMESTAMP_LTZ")
            || (name.equals("TIMESTAMP") && given.isEmpty() && names == Names.SPARK);
    if (cursor.accept("WITH", "LOCAL", "TIME", "ZONE")) {
      local = true;
    } else if (cursor.accept("WITHOUT", "TIME", "ZONE")) {
      local = false;
    } else if (cursor.sees("WITH", "TIME", "ZONE")) {
      throw unsupported(column, "TIMESTAMP WITH TIME ZONE");
    }
    return local
        ? new FlinkType("TIMESTAMP_LTZ", DataTypes.timestampLtz(precision), precision == MICROS)
        : new FlinkType("TIMESTAMP_NTZ", DataTypes.timestamp(precision), precision == MICROS);
  }

  private FlinkType collection(String column, String name) throws ParseException {
    cursor.next();
    cursor.expect("<");
    FlinkType type =
        switch (name) {
          case "ARRAY" -> array(part(column + ".element"));
          case "MULTISET" -> multiset(part(column + ".element"));
          default -> map(column);
        };
    close();
    return type;
  }

  private static FlinkType array(FlinkType element) {
    return new FlinkType(
        "ARRAY<" + element.sql() + ">", new ArrayType(element.stored(), true), element.isExact());
  }

  private static FlinkType multiset(FlinkType element) {
    return new FlinkType(
        "MAP<" + element.sql() + ", INT>", new MultisetType(element.stored(), true), false);
  }

  private FlinkType map(String column) throws ParseException {
    FlinkType key = read(column + ".key");
    if (openSigns == 0) {
      nullability();
    }
    cursor.expect(",");
    FlinkType value = part(column + ".value");
    return new FlinkType(
        "MAP<" + key.sql() + ", " + value.sql() + ">",
        new MapType(key.stored().asNotNull(), value.stored(), true),
        key.isExact() && value.isExact());
  }

  /** The element of an array or value of a map: in Spark's DDL it may always be NULL. */
  private FlinkType part(String column) throws ParseException {
    FlinkType type = read(column);
    return nullability() ? type : type.asNotNullPart();
  }

  private boolean nullability() throws ParseException {
    if (openSigns == 0 && cursor.accept("NOT")) {
      cursor.expect("NULL");
      return false;
    }
    if (openSigns == 0) {
      cursor.accept("NULL");
    }
    return true;
  }

  private FlinkType row(String column) throws ParseException {
    cursor.next();
    boolean angled = cursor.accept("<");
    if (!angled) {
      cursor.expect("(");
    }
    List<DataField> fields = new ArrayList<>();
    List<String> sql = new ArrayList<>();
    boolean exact = true;
    do {
      String name = cursor.identifier();
      cursor.accept(":");
      FlinkType type = read(column + "." + name);
      boolean nullable = nullability();
      String comment = openSigns == 0 ? comment() : null;
      fields.add(
          new DataField(
              UNNUMBERED,
              name,
              nullable ? type.stored() : type.stored().asNotNull(),
              comment,
              null));
      sql.add(
          StatementScope.quoted(List.of(name))
              + ": "
              + type.sql()
              + (nullable ? "" : " NOT NULL")
              + (comment == null ? "" : " COMMENT " + StatementScope.literal(comment)));
      exact &= type.isExact();
    } while (openSigns == 0 && cursor.accept(","));
    if (angled) {
      close();
    } else {
      cursor.expect(")");
    }
    return new FlinkType(
        "STRUCT<" + String.join(", ", sql) + ">", new RowType(fields, true), exact);
  }

  private @Nullable String comment() throws ParseException {
    return cursor.accept("COMMENT")
        ? cursor.expectString("a comment")
        : cursor.string().orElse(null);
  }

  /** Passes a closing sign, which the lexer may have joined with those that follow. */
  private void close() throws ParseException {
    if (openSigns == 0) {
      openSigns =
          switch (cursor.peek().getType()) {
            case SqlBaseLexer.GT -> 1;
            case SqlBaseLexer.SHIFT_RIGHT -> 2;
            case SqlBaseLexer.SHIFT_RIGHT_UNSIGNED -> 3;
            default -> throw cursor.error("'>' is expected");
          };
    }
    openSigns--;
    if (openSigns == 0) {
      cursor.next();
    }
  }

  private Optional<Integer> parameter(String what) throws ParseException {
    if (!cursor.accept("(")) {
      return Optional.empty();
    }
    int value = number(what);
    cursor.expect(")");
    return Optional.of(value);
  }

  private int number(String what) throws ParseException {
    OptionalLong value = cursor.integer();
    if (value.isEmpty() || value.getAsLong() < 0 || value.getAsLong() > Integer.MAX_VALUE) {
      throw cursor.error(what + " is expected, a whole number");
    }
    return (int) value.getAsLong();
  }

  private RuntimeException unsupported(String column, String name) {
    return Refusals.at(
        cursor.peek(),
        Condition.KEYLAKE_UNSUPPORTED_TYPE,
        "Column "
            + column
            + " has the type "
            + name
            + ", which tables do not have here. Use another type, or leave the column out.");
  }
}
