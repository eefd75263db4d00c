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

package io.keylake.spark.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keylake.format.types.DataField;
import io.keylake.format.types.FieldIds;
import io.keylake.spark.convert.SparkTypes;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.connector.catalog.Column;
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
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Rows out of their canonical text: the way back from {@link
 * io.keylake.spark.convert.CanonicalText}. Fields that are missing are NULL; a map may be an object
 * when its keys are texts or numbers.
 */
public final class JsonRows {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private JsonRows() {}

  /** Columns, with ids, from text as in CREATE TABLE, such as {@code k INT NOT NULL, v STRING}. */
  public static List<DataField> columns(String ddl) {
    List<DataField> fields = new ArrayList<>();
    for (StructField field : StructType.fromDDL(ddl).fields()) {
      fields.add(
          SparkTypes.toField(
              Column.builderFor(field.name(), field.dataType())
                  .nullable(field.nullable())
                  .build()));
    }
    return FieldIds.fromZero().number(fields);
  }

  /** Parses JSON. */
  public static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("No JSON: " + json, e);
    }
  }

  /** A row of Spark from an object. */
  public static GenericInternalRow row(JsonNode json, StructType type) {
    Object[] values = new Object[type.size()];
    for (int i = 0; i < values.length; i++) {
      StructField field = type.fields()[i];
      values[i] = value(json.isArray() ? json.get(i) : json.get(field.name()), field.dataType());
    }
    return new GenericInternalRow(values);
  }

  /** A value of Spark. */
  public static @Nullable Object value(@Nullable JsonNode json, DataType type) {
    if (json == null || json.isNull()) {
      return null;
    } else if (type instanceof StructType struct) {
      return row(json, struct);
    } else if (type instanceof ArrayType array) {
      Object[] elements = new Object[json.size()];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = value(json.get(i), array.elementType());
      }
      return new GenericArrayData(elements);
    } else if (type instanceof MapType map) {
      return map(json, map);
    }
    return scalar(json, type);
  }

  private static ArrayBasedMapData map(JsonNode json, MapType type) {
    List<Object> keys = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    if (json.isArray()) {
      for (JsonNode entry : json) {
        keys.add(value(entry.get(0), type.keyType()));
        values.add(value(entry.get(1), type.valueType()));
      }
    } else {
      Iterator<Map.Entry<String, JsonNode>> entries = json.fields();
      while (entries.hasNext()) {
        Map.Entry<String, JsonNode> entry = entries.next();
        keys.add(value(MAPPER.getNodeFactory().textNode(entry.getKey()), type.keyType()));
        values.add(value(entry.getValue(), type.valueType()));
      }
    }
    return new ArrayBasedMapData(
        new GenericArrayData(keys.toArray()), new GenericArrayData(values.toArray()));
  }

  private static Object scalar(JsonNode json, DataType type) {
    String text = json.asText();
    if (type instanceof BooleanType) {
      return Boolean.valueOf(text);
    } else if (type instanceof ByteType) {
      return Byte.valueOf(text);
    } else if (type instanceof ShortType) {
      return Short.valueOf(text);
    } else if (type instanceof IntegerType) {
      return Integer.valueOf(text);
    } else if (type instanceof LongType) {
      return Long.valueOf(text);
    } else if (type instanceof FloatType) {
      return Float.valueOf(text);
    } else if (type instanceof DoubleType) {
      return Double.valueOf(text);
    } else if (type instanceof DecimalType decimal) {
      return Decimal.apply(new BigDecimal(text), decimal.precision(), decimal.scale());
    } else if (type instanceof StringType) {
      return UTF8String.fromString(text);
    } else if (type instanceof BinaryType) {
      return HexFormat.of().parseHex(text.substring(2));
    } else if (type instanceof DateType) {
      return (int) LocalDate.parse(text).toEpochDay();
    } else if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      return micros(text);
    }
    throw new IllegalArgumentException("No text form of " + type.sql());
  }

  private static long micros(String text) {
    String local = text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
    LocalDateTime time = LocalDateTime.parse(local.replace(' ', 'T'));
    return time.toEpochSecond(ZoneOffset.UTC) * 1_000_000L + time.getNano() / 1000;
  }
}
