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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * The Parquet schema of a data file.
 *
 * <ol>
 *   <li>The message is called {@code paimon_schema}; every node has a field id.
 *   <li>The id of an array's element and of a map's value is {@code 536870911 + 1024 F + depth},
 *       that of a map's key {@code 536870911 - 1024 F - depth}, where F is the id of the enclosing
 *       declared field and depth counts nesting from 1. Example: field 27 {@code MAP<STRING,
 *       ARRAY<INT>>} has key 536843262, value 536898560 and inner element 536898561.
 *   <li>A nullable value is optional, any other required; a map's key is always required.
 *   <li>A variant is a group of {@code value}, id 0, then {@code metadata}, id 1.
 * </ol>
 *
 * Rule source: table format, Parquet type mapping; pinned by {@code ParquetMessageTest}.
 */
public final class ParquetMessage {
  /** The name of the message. */
  public static final String NAME = "paimon_schema";

  private static final int NESTED_ID_BASE = 536870911;
  private static final int NESTED_ID_STEP = 1024;

  private ParquetMessage() {}

  /** The schema of a file with these columns. */
  public static MessageType of(List<DataField> columns) {
    List<Type> fields = new ArrayList<>();
    for (DataField column : columns) {
      fields.add(field(column));
    }
    return new MessageType(NAME, fields);
  }

  /** The bytes that a decimal of more than 18 digits takes: 9 for 20 digits, 16 for 38. */
  public static int decimalBytes(int precision) {
    int bytes = 1;
    while (Math.pow(2.0, 8 * bytes - 1) < Math.pow(10.0, precision)) {
      bytes++;
    }
    return bytes;
  }

  private static Type field(DataField column) {
    return new Node(column.id(), 0).convert(column.name(), column.type()).withId(column.id());
  }

  /** A place in the schema: the declared field it lies in and how deep. */
  private record Node(int fieldId, int depth) {
    Type convert(String name, DataType type) {
      return convert(name, type, type.nullable() ? Repetition.OPTIONAL : Repetition.REQUIRED);
    }

    Type convert(String name, DataType type, Repetition repetition) {
      if (type instanceof AtomicType atomic) {
        return atomic(name, atomic, repetition);
      }
      if (type instanceof ArrayType array) {
        Node inner = new Node(fieldId, depth + 1);
        Type element = inner.convert("element", array.element()).withId(inner.valueId());
        return Types.buildGroup(repetition)
            .addField(Types.repeatedGroup().addField(element).named("list"))
            .as(LogicalTypeAnnotation.listType())
            .named(name);
      }
      if (type instanceof MapType map) {
        return map(name, map.key(), map.value(), repetition);
      }
      if (type instanceof MultisetType multiset) {
        return map(name, multiset.element(), DataTypes.INT.asNotNull(), repetition);
      }
      if (type instanceof RowType row) {
        Types.GroupBuilder<org.apache.parquet.schema.GroupType> group =
            Types.buildGroup(repetition);
        row.fields().forEach(child -> group.addField(field(child)));
        return group.named(name);
      }
      throw unsupported(name, type);
    }

    private Type map(String name, DataType key, DataType value, Repetition repetition) {
      Node inner = new Node(fieldId, depth + 1);
      return Types.buildGroup(repetition)
          .addField(
              Types.repeatedGroup()
                  .addField(inner.convert("key", key, Repetition.REQUIRED).withId(inner.keyId()))
                  .addField(inner.convert("value", value).withId(inner.valueId()))
                  .as(LogicalTypeAnnotation.MapKeyValueTypeAnnotation.getInstance())
                  .named("key_value"))
          .as(LogicalTypeAnnotation.mapType())
          .named(name);
    }

    private int valueId() {
      return NESTED_ID_BASE + NESTED_ID_STEP * fieldId + depth;
    }

    private int keyId() {
      return NESTED_ID_BASE - NESTED_ID_STEP * fieldId - depth;
    }
  }

  private static Type atomic(String name, AtomicType type, Repetition repetition) {
    return switch (type.root()) {
      case BOOLEAN -> primitive(PrimitiveTypeName.BOOLEAN, repetition).named(name);
      case TINYINT ->
          primitive(PrimitiveTypeName.INT32, repetition)
              .as(LogicalTypeAnnotation.intType(8, true))
              .named(name);
      case SMALLINT ->
          primitive(PrimitiveTypeName.INT32, repetition)
              .as(LogicalTypeAnnotation.intType(16, true))
              .named(name);
      case INT -> primitive(PrimitiveTypeName.INT32, repetition).named(name);
      case BIGINT -> primitive(PrimitiveTypeName.INT64, repetition).named(name);
      case FLOAT -> primitive(PrimitiveTypeName.FLOAT, repetition).named(name);
      case DOUBLE -> primitive(PrimitiveTypeName.DOUBLE, repetition).named(name);
      case DECIMAL -> decimal(name, type, repetition);
      case CHAR, VARCHAR ->
          primitive(PrimitiveTypeName.BINARY, repetition)
              .as(LogicalTypeAnnotation.stringType())
              .named(name);
      case BINARY, VARBINARY -> primitive(PrimitiveTypeName.BINARY, repetition).named(name);
      case DATE ->
          primitive(PrimitiveTypeName.INT32, repetition)
              .as(LogicalTypeAnnotation.dateType())
              .named(name);
      case TIME ->
          primitive(PrimitiveTypeName.INT32, repetition)
              .as(LogicalTypeAnnotation.timeType(true, TimeUnit.MILLIS))
              .named(name);
      case TIMESTAMP -> timestamp(name, type, repetition, false);
      case TIMESTAMP_LTZ -> timestamp(name, type, repetition, true);
      case VARIANT ->
          Types.buildGroup(repetition)
              .addField(Types.required(PrimitiveTypeName.BINARY).named("value").withId(0))
              .addField(Types.required(PrimitiveTypeName.BINARY).named("metadata").withId(1))
              .named(name);
      case BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR -> throw unsupported(name, type);
    };
  }

  private static Type decimal(String name, AtomicType type, Repetition repetition) {
    LogicalTypeAnnotation annotation =
        LogicalTypeAnnotation.decimalType(type.scale(), type.precision());
    if (type.precision() <= 9) {
      return primitive(PrimitiveTypeName.INT32, repetition).as(annotation).named(name);
    }
    if (type.precision() <= 18) {
      return primitive(PrimitiveTypeName.INT64, repetition).as(annotation).named(name);
    }
    return primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
        .length(decimalBytes(type.precision()))
        .as(annotation)
        .named(name);
  }

  private static Type timestamp(
      String name, AtomicType type, Repetition repetition, boolean adjustedToUtc) {
    if (type.precision() > 6) {
      return primitive(PrimitiveTypeName.INT96, repetition).named(name);
    }
    TimeUnit unit = type.precision() <= 3 ? TimeUnit.MILLIS : TimeUnit.MICROS;
    return primitive(PrimitiveTypeName.INT64, repetition)
        .as(LogicalTypeAnnotation.timestampType(adjustedToUtc, unit))
        .named(name);
  }

  private static Types.PrimitiveBuilder<org.apache.parquet.schema.PrimitiveType> primitive(
      PrimitiveTypeName type, Repetition repetition) {
    return Types.primitive(type, repetition);
  }

  private static UnsupportedTableException unsupported(String name, DataType type) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_TYPE,
        "Cannot write column "
            + name
            + " of type "
            + type.root()
            + " to a Parquet file. Drop the column, or write the table with an engine that"
            + " supports it.");
  }
}
