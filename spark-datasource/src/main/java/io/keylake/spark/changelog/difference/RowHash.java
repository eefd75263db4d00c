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

package io.keylake.spark.changelog.difference;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.unsafe.types.VariantVal;

/**
 * Hashes of rows: rows that are the same for {@link io.keylake.spark.vector.ValueEquality} have the
 * same hash, whatever bits their NaN has and in whatever order their maps are.
 */
final class RowHash {
  private static final long SEED = 42;

  private RowHash() {}

  /** The hash of the columns of a row from {@code first} on. */
  static long of(InternalRow row, StructType type, int first) {
    long hash = SEED;
    for (int i = first; i < type.size(); i++) {
      hash = of(row, i, type.fields()[i].dataType(), hash);
    }
    return hash;
  }

  private static long of(SpecializedGetters values, int at, DataType type, long seed) {
    if (values.isNullAt(at)) {
      return XXH64.hashLong(0, seed + 1);
    } else if (type instanceof ArrayType array) {
      return ofArray(values.getArray(at), array.elementType(), seed);
    } else if (type instanceof MapType map) {
      return ofMap(values.getMap(at), map, seed);
    } else if (type instanceof StructType struct) {
      return XXH64.hashLong(of(values.getStruct(at, struct.size()), struct, 0), seed);
    } else if (type instanceof VariantType) {
      VariantVal variant = values.getVariant(at);
      return ofBytes(variant.getValue(), ofBytes(variant.getMetadata(), seed));
    } else if (type instanceof StringType) {
      UTF8String text = values.getUTF8String(at);
      return XXH64.hashUnsafeBytes(
          text.getBaseObject(), text.getBaseOffset(), text.numBytes(), seed);
    } else if (type instanceof BinaryType) {
      return ofBytes(values.getBinary(at), seed);
    } else if (type instanceof DecimalType decimal) {
      return XXH64.hashLong(
          values.getDecimal(at, decimal.precision(), decimal.scale()).hashCode(), seed);
    }
    return XXH64.hashLong(number(values, at, type), seed);
  }

  private static long number(SpecializedGetters values, int at, DataType type) {
    if (type instanceof IntegerType || type instanceof DateType) {
      return values.getInt(at);
    } else if (type instanceof DoubleType) {
      return Double.doubleToLongBits(values.getDouble(at) + 0.0);
    } else if (type instanceof FloatType) {
      return Float.floatToIntBits(values.getFloat(at) + 0.0f);
    } else if (type instanceof BooleanType) {
      return values.getBoolean(at) ? 1 : 0;
    } else if (type instanceof ByteType) {
      return values.getByte(at);
    } else if (type instanceof ShortType) {
      return values.getShort(at);
    }
    return values.getLong(at);
  }

  private static long ofBytes(byte[] bytes, long seed) {
    return XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, seed);
  }

  private static long ofArray(ArrayData array, DataType element, long seed) {
    long hash = XXH64.hashLong(array.numElements(), seed);
    for (int i = 0; i < array.numElements(); i++) {
      hash = of(array, i, element, hash);
    }
    return hash;
  }

  /** Entries add up, so that their order does not matter. */
  private static long ofMap(MapData map, MapType type, long seed) {
    long sum = 0;
    for (int i = 0; i < map.numElements(); i++) {
      sum += of(map.valueArray(), i, type.valueType(), of(map.keyArray(), i, type.keyType(), SEED));
    }
    return XXH64.hashLong(sum, seed);
  }
}
