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

package io.keylake.spark.file.rowwise;

import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import java.io.IOException;
import java.util.List;
import org.apache.avro.io.Encoder;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Writes the value at a position of a row or array to Avro, as {@link AvroSchemas} describes it.
 */
@FunctionalInterface
interface AvroValueWriter {
  int NULL_BRANCH = 0;
  int VALUE_BRANCH = 1;

  void write(SpecializedGetters from, int position, Encoder out) throws IOException;

  /** The writer of a type, with its union when it is nullable. */
  static AvroValueWriter of(DataType type) {
    AvroValueWriter value = notNull(type);
    if (!type.nullable()) {
      return value;
    }
    return (from, position, out) -> {
      if (from.isNullAt(position)) {
        out.writeIndex(NULL_BRANCH);
        out.writeNull();
      } else {
        out.writeIndex(VALUE_BRANCH);
        value.write(from, position, out);
      }
    };
  }

  private static AvroValueWriter notNull(DataType type) {
    return switch (type.root()) {
      case BOOLEAN -> (from, position, out) -> out.writeBoolean(from.getBoolean(position));
      case TINYINT -> (from, position, out) -> out.writeInt(from.getByte(position));
      case SMALLINT -> (from, position, out) -> out.writeInt(from.getShort(position));
      case INT, DATE, TIME -> (from, position, out) -> out.writeInt(from.getInt(position));
      case BIGINT -> (from, position, out) -> out.writeLong(from.getLong(position));
      case FLOAT -> (from, position, out) -> out.writeFloat(from.getFloat(position));
      case DOUBLE -> (from, position, out) -> out.writeDouble(from.getDouble(position));
      case CHAR, VARCHAR -> (from, position, out) -> writeText(from.getUTF8String(position), out);
      case BINARY, VARBINARY, BLOB ->
          (from, position, out) -> out.writeBytes(from.getBinary(position));
      case DECIMAL -> decimal((AtomicType) type);
      case TIMESTAMP, TIMESTAMP_LTZ -> timestamp((AtomicType) type);
      case ARRAY -> array(((ArrayType) type).element());
      case MAP -> map(((MapType) type).key(), ((MapType) type).value());
      case MULTISET -> map(((MultisetType) type).element(), DataTypes.INT.asNotNull());
      case ROW -> row((RowType) type);
      case VARIANT, VECTOR -> throw new IllegalArgumentException("No Avro form of " + type);
    };
  }

  private static void writeText(UTF8String text, Encoder out) throws IOException {
    out.writeBytes(text.getBytes());
  }

  private static AvroValueWriter decimal(AtomicType type) {
    return (from, position, out) ->
        out.writeBytes(
            from.getDecimal(position, type.precision(), type.scale())
                .toJavaBigDecimal()
                .unscaledValue()
                .toByteArray());
  }

  private static AvroValueWriter timestamp(AtomicType type) {
    return type.precision() <= 3
        ? (from, position, out) -> out.writeLong(Math.floorDiv(from.getLong(position), 1000L))
        : (from, position, out) -> out.writeLong(from.getLong(position));
  }

  private static AvroValueWriter row(RowType type) {
    List<AvroValueWriter> fields =
        type.fields().stream().map(DataField::type).map(AvroValueWriter::of).toList();
    return (from, position, out) -> {
      SpecializedGetters row = from.getStruct(position, fields.size());
      for (int i = 0; i < fields.size(); i++) {
        fields.get(i).write(row, i, out);
      }
    };
  }

  private static AvroValueWriter array(DataType elementType) {
    AvroValueWriter element = of(elementType);
    return (from, position, out) -> {
      ArrayData array = from.getArray(position);
      int size = array.numElements();
      out.writeArrayStart();
      out.setItemCount(size);
      for (int i = 0; i < size; i++) {
        out.startItem();
        element.write(array, i, out);
      }
      out.writeArrayEnd();
    };
  }

  private static AvroValueWriter map(DataType keyType, DataType valueType) {
    AvroValueWriter value = of(valueType);
    if (AvroSchemas.isText(keyType)) {
      return (from, position, out) -> {
        MapData map = from.getMap(position);
        int size = map.numElements();
        out.writeMapStart();
        out.setItemCount(size);
        for (int i = 0; i < size; i++) {
          out.startItem();
          writeText(map.keyArray().getUTF8String(i), out);
          value.write(map.valueArray(), i, out);
        }
        out.writeMapEnd();
      };
    }
    AvroValueWriter key = of(keyType);
    return (from, position, out) -> {
      MapData map = from.getMap(position);
      int size = map.numElements();
      out.writeArrayStart();
      out.setItemCount(size);
      for (int i = 0; i < size; i++) {
        out.startItem();
        key.write(map.keyArray(), i, out);
        value.write(map.valueArray(), i, out);
      }
      out.writeArrayEnd();
    };
  }
}
