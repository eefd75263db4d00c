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
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.table.evolution.DefaultValue;
import io.keylake.table.evolution.ExistsDefaults;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.ColumnDefaultValue;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
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

  /** What rows that are older than a column have in it, as Spark holds it, by the column's id. */
  public static Map<Integer, Object> ofOlderRows(TableSchema schema) {
    Map<Integer, Object> values = new HashMap<>();
    ExistsDefaults.of(schema)
        .forEach(
            (id, value) -> values.put(id, Objects.requireNonNull(PartitionRows.toSpark(value))));
    return values;
  }

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
    Object text = cast(value.value(), type);
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
   * @throws InvalidRequestException when the text is no value of the column's type
   */
  public static ColumnDefaultValue toSpark(DataField field, String text) {
    Object value = DefaultValue.parse(field.name(), field.type(), text, ZoneOffset.UTC);
    DataType type = SparkTypes.toSpark(field.name(), field.type());
    return new ColumnDefaultValue(
        toSql(field, value, text, type), new LiteralValue<>(PartitionRows.toSpark(value), type));
  }

  private static String toSql(DataField field, Object value, String text, DataType type) {
    return switch (field.type().root()) {
      case CHAR, VARCHAR -> quoted(value.toString());
      case BOOLEAN, INT, TIME -> value.toString();
      case DATE -> "DATE " + quoted(LocalDate.ofEpochDay((Integer) value).toString());
      default -> "CAST(" + quoted(text) + " AS " + type.sql() + ")";
    };
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private static @Nullable Object cast(Object value, DataType from) {
    if (from.equals(DataTypes.StringType)) {
      return value;
    }
    return new Cast(
            new org.apache.spark.sql.catalyst.expressions.Literal(value, from),
            DataTypes.StringType,
            Option.apply("UTC"),
            EvalMode.TRY())
        .eval(null);
  }
}
