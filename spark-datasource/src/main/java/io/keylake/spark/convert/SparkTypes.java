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
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.connector.catalog.CatalogV2Util;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VarcharType;
import org.apache.spark.sql.types.VariantType;

/**
 * Data types of the format as Spark sees them, and the other way round.
 *
 * <ol>
 *   <li>TIMESTAMP of Spark is TIMESTAMP_LTZ(6), TIMESTAMP_NTZ is TIMESTAMP(6); any precision of the
 *       format reads as the Spark type of the same kind.
 *   <li>STRING is VARCHAR(2147483647), BINARY is VARBINARY(2147483647); CHAR and VARCHAR keep their
 *       length, BINARY(n) and VARBINARY(n) read as BINARY.
 *   <li>TIME reads as INT (milliseconds of the day), MULTISET&lt;e&gt; as MAP&lt;e, INT&gt;.
 *   <li>New columns and nested fields have the id 0 until {@link io.keylake.format.types.FieldIds}
 *       numbers them.
 * </ol>
 *
 * Rule source: table format, writes from Spark (types). Pinned by {@code SparkTypesTest}.
 */
public final class SparkTypes {
  private static final int UNNUMBERED = 0;

  private SparkTypes() {}

  /**
   * The format's type of {@code type}; {@code column} is its name for messages.
   *
   * @throws UnsupportedTableException with KEYLAKE_UNSUPPORTED_TYPE when the format has no such
   *     type
   */
  public static io.keylake.format.types.DataType toFormat(String column, DataType type) {
    if (type instanceof StructType struct) {
      List<DataField> fields = new ArrayList<>();
      for (StructField field : struct.fields()) {
        String path = column + "." + field.name();
        io.keylake.format.types.DataType inner = toFormat(path, field.dataType());
        fields.add(
            new DataField(
                UNNUMBERED,
                field.name(),
                withNullability(inner, field.nullable()),
                field.getComment().isDefined() ? field.getComment().get() : null,
                null));
      }
      return new RowType(fields, true);
    }
    if (type instanceof ArrayType array) {
      io.keylake.format.types.DataType element = toFormat(column + ".element", array.elementType());
      return new io.keylake.format.types.ArrayType(
          withNullability(element, array.containsNull()), true);
    }
    if (type instanceof MapType map) {
      io.keylake.format.types.DataType key = toFormat(column + ".key", map.keyType());
      io.keylake.format.types.DataType value = toFormat(column + ".value", map.valueType());
      return new io.keylake.format.types.MapType(
          key.asNotNull(), withNullability(value, map.valueContainsNull()), true);
    }
    return atomicToFormat(column, type);
  }

  /** The same type with this nullability. */
  private static io.keylake.format.types.DataType withNullability(
      io.keylake.format.types.DataType type, boolean nullable) {
    return nullable ? type.asNullable() : type.asNotNull();
  }

  private static AtomicType atomicToFormat(String column, DataType type) {
    if (type instanceof CharType fixed) {
      requireBinaryOrder(column, fixed);
      return DataTypes.sized(TypeRoot.CHAR, fixed.length());
    }
    if (type instanceof VarcharType variable) {
      requireBinaryOrder(column, variable);
      return DataTypes.sized(TypeRoot.VARCHAR, variable.length());
    }
    if (type instanceof StringType text) {
      requireBinaryOrder(column, text);
      return DataTypes.STRING;
    }
    if (type instanceof DecimalType decimal) {
      return DataTypes.decimal(decimal.precision(), decimal.scale());
    }
    return numberOrTimeToFormat(column, type);
  }

  private static AtomicType numberOrTimeToFormat(String column, DataType type) {
    if (type instanceof BooleanType) {
      return DataTypes.BOOLEAN;
    } else if (type instanceof ByteType) {
      return DataTypes.TINYINT;
    } else if (type instanceof ShortType) {
      return DataTypes.SMALLINT;
    } else if (type instanceof IntegerType) {
      return DataTypes.INT;
    } else if (type instanceof LongType) {
      return DataTypes.BIGINT;
    } else if (type instanceof FloatType) {
      return DataTypes.FLOAT;
    } else if (type instanceof DoubleType) {
      return DataTypes.DOUBLE;
    } else if (type instanceof BinaryType) {
      return DataTypes.BYTES;
    } else if (type instanceof DateType) {
      return DataTypes.DATE;
    } else if (type instanceof TimestampType) {
      return DataTypes.timestampLtz(6);
    } else if (type instanceof TimestampNTZType) {
      return DataTypes.timestamp(6);
    } else if (type instanceof VariantType) {
      return DataTypes.VARIANT;
    }
    throw unsupported(column, type.sql(), "Use another type, or leave the column out.");
  }

  private static void requireBinaryOrder(String column, StringType type) {
    if (!type.isUTF8BinaryCollation()) {
      throw unsupported(
          column,
          type.sql(),
          "The table format stores no collation: use STRING and apply COLLATE in the query.");
    }
  }

  private static UnsupportedTableException unsupported(String column, String type, String advice) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_TYPE,
        "Column "
            + column
            + " has the type "
            + type
            + ", which the table format cannot store. "
            + advice);
  }

  /** The columns of a new table, not numbered yet. */
  public static List<DataField> toFields(Column[] columns) {
    List<DataField> fields = new ArrayList<>();
    for (Column column : columns) {
      fields.add(toField(column));
    }
    return fields;
  }

  /** A new column, not numbered yet. */
  public static DataField toField(Column column) {
    if (column.generationExpression() != null || column.identityColumnSpec() != null) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_UNSUPPORTED_FEATURE,
          "Column "
              + column.name()
              + " is a generated or identity column, which the table format does not have. Compute"
              + " the value in the query that writes the table.");
    }
    io.keylake.format.types.DataType type = toFormat(column.name(), column.dataType());
    return new DataField(
        UNNUMBERED,
        column.name(),
        withNullability(type, column.nullable()),
        column.comment(),
        ColumnDefaults.toText(column));
  }

  /** The columns of a table with ids, comments and defaults. CHAR and VARCHAR keep their length. */
  public static Column[] toColumns(List<DataField> fields) {
    Column[] columns = new Column[fields.size()];
    for (int i = 0; i < columns.length; i++) {
      DataField field = fields.get(i);
      Column.Builder builder =
          Column.builderFor(field.name(), toDeclared(field.name(), field.type()))
              .nullable(field.type().nullable())
              .id(Integer.toString(field.id()));
      if (field.description() != null) {
        builder = builder.comment(field.description());
      }
      if (field.defaultValue() != null) {
        builder = builder.defaultValue(ColumnDefaults.toSpark(field, field.defaultValue()));
      }
      columns[i] = builder.build();
    }
    return columns;
  }

  /**
   * The same columns with STRING for CHAR and VARCHAR, whose lengths move to the metadata of the
   * column. Spark does this itself for tables that it reads in batches, not for streams.
   */
  public static Column[] asRead(Column[] columns) {
    return Arrays.stream(columns)
        .map(column -> CharVarcharUtils.hasCharVarchar(column.dataType()) ? asRead(column) : column)
        .toArray(Column[]::new);
  }

  private static Column asRead(Column column) {
    StructType declared = CatalogV2Util.v2ColumnsToStructType(new Column[] {column});
    StructField read = CharVarcharUtils.replaceCharVarcharWithStringInSchema(declared).apply(0);
    Column.Builder builder =
        Column.builderFor(column.name(), read.dataType())
            .nullable(column.nullable())
            .metadata(read.metadata().json());
    if (column.comment() != null) {
      builder = builder.comment(column.comment());
    }
    return column.id() == null ? builder.build() : builder.id(column.id()).build();
  }

  /** The rows of {@code type} as Spark reads them: CHAR and VARCHAR are STRING. */
  public static StructType toSpark(RowType type) {
    StructField[] fields = new StructField[type.size()];
    for (int i = 0; i < fields.length; i++) {
      DataField field = type.field(i);
      fields[i] = structField(field, toSpark(field.name(), field.type()));
    }
    return new StructType(fields);
  }

  /** The type of {@code column}'s values as Spark reads them: CHAR and VARCHAR are STRING. */
  public static DataType toSpark(String column, io.keylake.format.types.DataType type) {
    return CharVarcharUtils.replaceCharVarcharWithString(toDeclared(column, type));
  }

  private static StructField structField(DataField field, DataType type) {
    Metadata metadata =
        field.description() == null
            ? Metadata.empty()
            : new MetadataBuilder().putString("comment", field.description()).build();
    return new StructField(field.name(), type, field.type().nullable(), metadata);
  }

  /** As {@link #toSpark}, but CHAR and VARCHAR keep their length, and struct fields their id. */
  private static DataType toDeclared(String column, io.keylake.format.types.DataType type) {
    if (type instanceof AtomicType atomic) {
      return atomicToSpark(column, atomic);
    }
    if (type instanceof io.keylake.format.types.ArrayType array) {
      return new ArrayType(
          toDeclared(column + ".element", array.element()), array.element().nullable());
    }
    if (type instanceof io.keylake.format.types.MapType map) {
      return new MapType(
          toDeclared(column + ".key", map.key()),
          toDeclared(column + ".value", map.value()),
          map.value().nullable());
    }
    if (type instanceof io.keylake.format.types.MultisetType multiset) {
      return new MapType(
          toDeclared(column + ".key", multiset.element()),
          org.apache.spark.sql.types.DataTypes.IntegerType,
          false);
    }
    if (type instanceof RowType row) {
      StructField[] fields = new StructField[row.size()];
      for (int i = 0; i < fields.length; i++) {
        DataField field = row.field(i);
        fields[i] =
            structField(field, toDeclared(column + "." + field.name(), field.type()))
                .withId(Integer.toString(field.id()));
      }
      return new StructType(fields);
    }
    throw unsupported(column, type.root().name(), "Read the table without this column elsewhere.");
  }

  private static DataType atomicToSpark(String column, AtomicType type) {
    return switch (type.root()) {
      case BOOLEAN -> org.apache.spark.sql.types.DataTypes.BooleanType;
      case TINYINT -> org.apache.spark.sql.types.DataTypes.ByteType;
      case SMALLINT -> org.apache.spark.sql.types.DataTypes.ShortType;
      case INT, TIME -> org.apache.spark.sql.types.DataTypes.IntegerType;
      case BIGINT -> org.apache.spark.sql.types.DataTypes.LongType;
      case FLOAT -> org.apache.spark.sql.types.DataTypes.FloatType;
      case DOUBLE -> org.apache.spark.sql.types.DataTypes.DoubleType;
      case DECIMAL -> new DecimalType(type.precision(), type.scale());
      case CHAR -> CharType.apply(type.precision());
      case VARCHAR ->
          type.precision() == DataTypes.MAX_LENGTH
              ? org.apache.spark.sql.types.DataTypes.StringType
              : VarcharType.apply(type.precision());
      case BINARY, VARBINARY -> org.apache.spark.sql.types.DataTypes.BinaryType;
      case DATE -> org.apache.spark.sql.types.DataTypes.DateType;
      case TIMESTAMP -> org.apache.spark.sql.types.DataTypes.TimestampNTZType;
      case TIMESTAMP_LTZ -> org.apache.spark.sql.types.DataTypes.TimestampType;
      case VARIANT -> org.apache.spark.sql.types.DataTypes.VariantType;
      case BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          throw unsupported(
              column, type.root().name(), "Read the table with an engine that has this type.");
    };
  }
}
