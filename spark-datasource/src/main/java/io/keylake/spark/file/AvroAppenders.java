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

package io.keylake.spark.file;

import io.keylake.spark.vector.ValueAppender;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.util.Utf8;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
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
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VariantType;

/**
 * How values of an Avro schema become values of a Spark type.
 *
 * <ol>
 *   <li>A nullable type is a union with null.
 *   <li>TIMESTAMP is {@code timestamp-millis} or {@code -micros}, TIMESTAMP_LTZ is {@code
 *       local-timestamp-millis} or {@code -micros}: that way round. Only the unit matters here.
 *   <li>DECIMAL is bytes (or fixed) of the unscaled value.
 *   <li>A map with string keys is an Avro map, any other an array of records of key and value.
 *   <li>Integers and floats widen to the wanted type. Fields of records are found by name.
 * </ol>
 *
 * Rule source: table format, ORC and Avro.
 */
final class AvroAppenders {
  private static final long MICROS_PER_MILLI = 1000L;

  private AvroAppenders() {}

  static AvroAppender of(Schema schema, DataType type) {
    AvroAppender.NotNull value = notNull(nonNull(schema), type);
    return (datum, target) -> {
      if (datum == null) {
        ValueAppender.appendNull(target);
      } else {
        value.append(datum, target);
      }
    };
  }

  private static Schema nonNull(Schema schema) {
    if (!schema.isUnion()) {
      return schema;
    }
    return schema.getTypes().stream()
        .filter(type -> type.getType() != Schema.Type.NULL)
        .findFirst()
        .orElse(schema);
  }

  private static AvroAppender.NotNull notNull(Schema schema, DataType type) {
    if (type instanceof StructType struct) {
      return record(schema, struct);
    } else if (type instanceof ArrayType array) {
      return array(of(schema.getElementType(), array.elementType()));
    } else if (type instanceof MapType map) {
      return schema.getType() == Schema.Type.MAP
          ? map(of(schema.getValueType(), map.valueType()))
          : entries(schema.getElementType(), map);
    } else if (type instanceof DecimalType decimal) {
      return decimal(schema, decimal);
    } else if (type instanceof VariantType) {
      return record(
          schema,
          new StructType()
              .add("value", org.apache.spark.sql.types.DataTypes.BinaryType)
              .add("metadata", org.apache.spark.sql.types.DataTypes.BinaryType));
    }
    return scalar(schema, type);
  }

  private static AvroAppender.NotNull scalar(Schema schema, DataType type) {
    if (type instanceof IntegerType || type instanceof DateType) {
      return (value, target) -> target.appendInt(number(value).intValue());
    } else if (type instanceof LongType) {
      return (value, target) -> target.appendLong(number(value).longValue());
    } else if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      long unit = unitMicros(schema.getLogicalType());
      return (value, target) -> target.appendLong(number(value).longValue() * unit);
    } else if (type instanceof ByteType) {
      return (value, target) -> target.appendByte(number(value).byteValue());
    } else if (type instanceof ShortType) {
      return (value, target) -> target.appendShort(number(value).shortValue());
    } else if (type instanceof FloatType) {
      return (value, target) -> target.appendFloat(number(value).floatValue());
    } else if (type instanceof DoubleType) {
      return (value, target) -> target.appendDouble(number(value).doubleValue());
    } else if (type instanceof BooleanType) {
      return (value, target) -> target.appendBoolean(Boolean.TRUE.equals(value));
    } else if (type instanceof StringType) {
      return (value, target) -> {
        Utf8 text = value instanceof Utf8 utf8 ? utf8 : new Utf8(String.valueOf(value));
        target.appendByteArray(text.getBytes(), 0, text.getByteLength());
      };
    } else if (type instanceof BinaryType) {
      return (value, target) -> {
        byte[] bytes = bytes(value);
        target.appendByteArray(bytes, 0, bytes.length);
      };
    }
    throw new IllegalStateException("No way to read Avro values as " + type.sql());
  }

  private static Number number(Object value) {
    return (Number) value;
  }

  private static long unitMicros(LogicalType type) {
    boolean millis =
        type instanceof LogicalTypes.TimestampMillis
            || type instanceof LogicalTypes.LocalTimestampMillis;
    return millis ? MICROS_PER_MILLI : 1;
  }

  private static byte[] bytes(Object value) {
    if (value instanceof GenericFixed fixed) {
      return fixed.bytes();
    }
    ByteBuffer buffer = ((ByteBuffer) value).duplicate();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static AvroAppender.NotNull decimal(Schema schema, DecimalType type) {
    int scale =
        schema.getLogicalType() instanceof LogicalTypes.Decimal stored
            ? stored.getScale()
            : type.scale();
    return (value, target) -> {
      BigDecimal decimal =
          new BigDecimal(new BigInteger(bytes(value)), scale).setScale(type.scale());
      if (type.precision() <= Decimal.MAX_INT_DIGITS()) {
        target.appendInt(decimal.unscaledValue().intValueExact());
      } else if (type.precision() <= Decimal.MAX_LONG_DIGITS()) {
        target.appendLong(decimal.unscaledValue().longValueExact());
      } else {
        byte[] unscaled = decimal.unscaledValue().toByteArray();
        target.appendByteArray(unscaled, 0, unscaled.length);
      }
    };
  }

  private static AvroAppender.NotNull record(Schema schema, StructType type) {
    StructField[] fields = type.fields();
    int[] sources = new int[fields.length];
    AvroAppender[] appenders = new AvroAppender[fields.length];
    for (int i = 0; i < fields.length; i++) {
      Schema.Field field = schema.getField(fields[i].name());
      sources[i] = field == null ? -1 : field.pos();
      appenders[i] = field == null ? AvroAppender.NULL : of(field.schema(), fields[i].dataType());
    }
    return (value, target) -> {
      IndexedRecord record = (IndexedRecord) value;
      ValueAppender.appendStruct(target);
      for (int i = 0; i < sources.length; i++) {
        appenders[i].append(sources[i] < 0 ? null : record.get(sources[i]), target.getChild(i));
      }
    };
  }

  private static AvroAppender.NotNull array(AvroAppender element) {
    return (value, target) -> {
      List<?> elements = (List<?>) value;
      target.appendArray(elements.size());
      WritableColumnVector data = target.getChild(0);
      for (Object item : elements) {
        element.append(item, data);
      }
    };
  }

  private static AvroAppender.NotNull map(AvroAppender mapValue) {
    AvroAppender key =
        of(Schema.create(Schema.Type.STRING), org.apache.spark.sql.types.DataTypes.StringType);
    return (value, target) -> {
      Map<?, ?> map = (Map<?, ?>) value;
      target.appendArray(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        key.append(entry.getKey(), target.getChild(0));
        mapValue.append(entry.getValue(), target.getChild(1));
      }
    };
  }

  private static AvroAppender.NotNull entries(Schema entry, MapType type) {
    AvroAppender key = of(entry.getFields().get(0).schema(), type.keyType());
    AvroAppender mapValue = of(entry.getFields().get(1).schema(), type.valueType());
    return (value, target) -> {
      List<?> entries = (List<?>) value;
      target.appendArray(entries.size());
      for (Object item : entries) {
        IndexedRecord record = (IndexedRecord) item;
        key.append(record.get(0), target.getChild(0));
        mapValue.append(record.get(1), target.getChild(1));
      }
    };
  }
}
