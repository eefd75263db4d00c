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

package io.keylake.spark.vector;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.unsafe.types.VariantVal;

/** Copies a value out of a row, or out of an array, to a row of a vector. */
@FunctionalInterface
interface ValueCopy {
  /** Copies a value that is not NULL; there is room for it. */
  void putPresent(SpecializedGetters source, int ordinal, WritableColumnVector target, int at);

  /** Copies a value. */
  default void put(SpecializedGetters source, int ordinal, WritableColumnVector target, int at) {
    if (source.isNullAt(ordinal)) {
      putNull(target, at);
    } else {
      putPresent(source, ordinal, target, at);
    }
  }

  /** Sets a value to NULL, and those inside of a struct. */
  static void putNull(WritableColumnVector target, int at) {
    target.putNull(at);
    if (VectorCompaction.hasChildren(target.dataType())) {
      for (int child = 0; child < target.getNumChildren(); child++) {
        putNull(target.getChild(child), at);
      }
    }
  }

  /** The copy of values of {@code type}. */
  static ValueCopy of(DataType type) {
    return switch (ValueForm.of(type)) {
      case BOOLEAN -> (source, i, target, at) -> target.putBoolean(at, source.getBoolean(i));
      case BYTE -> (source, i, target, at) -> target.putByte(at, source.getByte(i));
      case SHORT -> (source, i, target, at) -> target.putShort(at, source.getShort(i));
      case INT -> type instanceof DecimalType decimal ? decimal(decimal) : ints();
      case LONG -> type instanceof DecimalType decimal ? decimal(decimal) : longs();
      case FLOAT -> (source, i, target, at) -> target.putFloat(at, source.getFloat(i));
      case DOUBLE -> (source, i, target, at) -> target.putDouble(at, source.getDouble(i));
      case TEXT -> (source, i, target, at) -> text(source.getUTF8String(i), target, at);
      case BINARY -> ValueCopy::binary;
      case WIDE_DECIMAL -> decimal((DecimalType) type);
      case NESTED -> nested(type);
    };
  }

  private static ValueCopy ints() {
    return (source, i, target, at) -> target.putInt(at, source.getInt(i));
  }

  private static ValueCopy longs() {
    return (source, i, target, at) -> target.putLong(at, source.getLong(i));
  }

  private static ValueCopy decimal(DecimalType type) {
    int precision = type.precision();
    int scale = type.scale();
    return (source, i, target, at) ->
        target.putDecimal(at, source.getDecimal(i, precision, scale), precision);
  }

  /** Takes the bytes from where they are when they are on heap. */
  private static void text(UTF8String text, WritableColumnVector target, int at) {
    if (text.getBaseObject() instanceof byte[] bytes) {
      int offset = (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
      target.putByteArray(at, bytes, offset, text.numBytes());
    } else {
      target.putByteArray(at, text.getBytes());
    }
  }

  private static void binary(
      SpecializedGetters source, int ordinal, WritableColumnVector target, int at) {
    if (source instanceof UnsafeRow row) {
      // The bytes of binaries and texts lie in the same way.
      text(row.getUTF8String(ordinal), target, at);
    } else {
      target.putByteArray(at, source.getBinary(ordinal));
    }
  }

  private static ValueCopy nested(DataType type) {
    if (type instanceof ArrayType array) {
      ValueCopy element = of(array.elementType());
      return (source, i, target, at) -> {
        ArrayData elements = source.getArray(i);
        target.putArray(at, next(target), elements.numElements());
        append(element, elements, target.getChild(0));
      };
    } else if (type instanceof MapType map) {
      ValueCopy key = of(map.keyType());
      ValueCopy value = of(map.valueType());
      return (source, i, target, at) -> {
        MapData entries = source.getMap(i);
        target.putArray(at, next(target), entries.numElements());
        append(key, entries.keyArray(), target.getChild(0));
        append(value, entries.valueArray(), target.getChild(1));
      };
    } else if (type instanceof StructType struct) {
      return struct(struct);
    } else if (type instanceof VariantType) {
      return (source, i, target, at) -> {
        VariantVal variant = source.getVariant(i);
        target.getChild(0).putByteArray(at, variant.getValue());
        target.getChild(1).putByteArray(at, variant.getMetadata());
      };
    }
    throw new IllegalArgumentException("No way to copy values of type " + type.sql());
  }

  private static ValueCopy struct(StructType type) {
    ValueCopy[] fields = new ValueCopy[type.size()];
    for (int field = 0; field < fields.length; field++) {
      fields[field] = of(type.fields()[field].dataType());
    }
    return (source, i, target, at) -> {
      var row = source.getStruct(i, fields.length);
      for (int field = 0; field < fields.length; field++) {
        fields[field].put(row, field, target.getChild(field), at);
      }
    };
  }

  private static int next(WritableColumnVector target) {
    return target.getChild(0).getElementsAppended();
  }

  private static void append(ValueCopy copy, ArrayData elements, WritableColumnVector target) {
    int first = target.getElementsAppended();
    int count = elements.numElements();
    VectorCopy.reserve(target, first + count);
    for (int i = 0; i < count; i++) {
      copy.put(elements, i, target, first + i);
    }
    target.addElementsAppended(count);
  }
}
