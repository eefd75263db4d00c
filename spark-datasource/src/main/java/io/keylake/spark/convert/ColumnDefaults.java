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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.types.DataField;
import io.keylake.format.types.TypeRoot;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.ColumnDefaultValue;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Column defaults. The format stores the text that casts to the value ({@code 7}, {@code dflt},
 * {@code 2020-02-02}); Spark wants SQL and the value.
 *
 * <p>Rule source: table format, schema files; observed of the reference implementation 1.4.2. Time
 * zone of TIMESTAMP defaults: UTC.
 */
public final class ColumnDefaults {
  private ColumnDefaults() {}

  /**
   * The stored text of a column's default; null when it has none.
   *
   * @throws InvalidRequestException when the default is no constant, or has no text form
   */
  public static @Nullable String toText(Column column) {
    ColumnDefaultValue declared = column.defaultValue();
    if (declared == null) {
      return null;
    }
    Literal<?> value = declared.getValue();
    if (value == null) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
          "The default of column "
              + column.name()
              + " is no constant: "
              + declared.getSql()
              + ". Use a constant, or write the value in the query.");
    }
    if (value.value() == null) {
      return null;
    }
    return toText(column.name(), value);
  }

  private static String toText(String column, Literal<?> value) {
    DataType type = value.dataType();
    if (!Cast.canCast(type, DataTypes.StringType) || isNested(type)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
          "Column " + column + " of type " + type.sql() + " cannot have a default.");
    }
    Object text = cast(value.value(), type, DataTypes.StringType);
    return String.valueOf(text);
  }

  private static boolean isNested(DataType type) {
    return type instanceof org.apache.spark.sql.types.ArrayType
        || type instanceof org.apache.spark.sql.types.MapType
        || type instanceof org.apache.spark.sql.types.StructType;
  }

  /**
   * The default of {@code field}, whose stored text is {@code text}, as Spark wants it.
   *
   * @throws InvalidRequestException when the text does not cast to the column's type
   */
  public static ColumnDefaultValue toSpark(DataField field, String text) {
    DataType type = SparkTypes.toSpark(field.name(), field.type());
    Object value = cast(UTF8String.fromString(text), DataTypes.StringType, type);
    if (value == null) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
          "The default '"
              + text
              + "' of column "
              + field.name()
              + " is no value of type "
              + type.sql()
              + ". Change it with ALTER TABLE ... ALTER COLUMN ... SET DEFAULT.");
    }
    return new ColumnDefaultValue(toSql(field, text, type), new LiteralValue<>(value, type));
  }

  private static String toSql(DataField field, String text, DataType type) {
    String quoted = "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    TypeRoot root = field.type().root();
    return switch (root) {
      case CHAR, VARCHAR -> quoted;
      case BOOLEAN, INT, TIME -> text.strip();
      case DATE -> "DATE " + quoted;
      default -> "CAST(" + quoted + " AS " + type.sql() + ")";
    };
  }

  private static @Nullable Object cast(Object value, DataType from, DataType to) {
    if (from.equals(to)) {
      return value;
    }
    return new Cast(
            new org.apache.spark.sql.catalyst.expressions.Literal(value, from),
            to,
            Option.apply("UTC"),
            EvalMode.TRY())
        .eval(null);
  }
}
