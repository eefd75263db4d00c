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

package io.keylake.spark.compaction.changes;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
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
import org.apache.spark.sql.types.YearMonthIntervalType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.types.VariantVal;

/** Whether two values of a type are stored alike. Immutable. */
interface ValueEquality {
  /** Compares values that are not NULL. */
  boolean isSame(ColumnVector left, int leftRow, ColumnVector right, int rightRow);

  /** Compares values; NULL is equal to NULL only. */
  default boolean isEqual(ColumnVector left, int leftRow, ColumnVector right, int rightRow) {
    boolean leftNull = left.isNullAt(leftRow);
    boolean rightNull = right.isNullAt(rightRow);
    return leftNull || rightNull ? leftNull && rightNull : isSame(left, leftRow, right, rightRow);
  }

  /** The equality of a column of a type. */
  static ValueEquality of(DataType type) {
    if (type instanceof BooleanType) {
      return (a, i, b, j) -> a.getBoolean(i) == b.getBoolean(j);
    } else if (type instanceof ByteType) {
      return (a, i, b, j) -> a.getByte(i) == b.getByte(j);
    } else if (type instanceof ShortType) {
      return (a, i, b, j) -> a.getShort(i) == b.getShort(j);
    }
    if (type instanceof IntegerType || type instanceof DateType) {
      return (a, i, b, j) -> a.getInt(i) == b.getInt(j);
    } else if (type instanceof YearMonthIntervalType) {
      return (a, i, b, j) -> a.getInt(i) == b.getInt(j);
    } else if (type instanceof FloatType) {
      return (a, i, b, j) ->
          Float.floatToIntBits(a.getFloat(i)) == Float.floatToIntBits(b.getFloat(j));
    } else if (type instanceof DoubleType) {
      return (a, i, b, j) ->
          Double.doubleToLongBits(a.getDouble(i)) == Double.doubleToLongBits(b.getDouble(j));
    }
    if (type instanceof DecimalType decimal) {
      int precision = decimal.precision();
      int scale = decimal.scale();
      return (a, i, b, j) ->
          a.getDecimal(i, precision, scale).equals(b.getDecimal(j, precision, scale));
    } else if (type instanceof StringType) {
      return (a, i, b, j) -> a.getUTF8String(i).equals(b.getUTF8String(j));
    } else if (type instanceof BinaryType) {
      return (a, i, b, j) -> Arrays.equals(a.getBinary(i), b.getBinary(j));
    }
    return ofNested(type);
  }

  private static ValueEquality ofNested(DataType type) {
    if (type instanceof StructType struct) {
      return (a, i, b, j) -> isSame(a.getStruct(i), b.getStruct(j), struct);
    } else if (type instanceof ArrayType array) {
      return (a, i, b, j) -> isSame(a.getArray(i), b.getArray(j), array.elementType());
    } else if (type instanceof MapType map) {
      return (a, i, b, j) ->
          isSame(a.getMap(i).keyArray(), b.getMap(j).keyArray(), map.keyType())
              && isSame(a.getMap(i).valueArray(), b.getMap(j).valueArray(), map.valueType());
    } else if (type instanceof VariantType) {
      return (a, i, b, j) -> isSame(a.getVariant(i), b.getVariant(j));
    }
    return (a, i, b, j) -> a.getLong(i) == b.getLong(j);
  }

  private static boolean isSame(VariantVal left, VariantVal right) {
    return Arrays.equals(left.getValue(), right.getValue())
        && Arrays.equals(left.getMetadata(), right.getMetadata());
  }

  private static boolean isSame(InternalRow left, InternalRow right, StructType type) {
    for (int field = 0; field < type.size(); field++) {
      if (!isEqual(left, field, right, field, type.fields()[field].dataType())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(ArrayData left, ArrayData right, DataType type) {
    int count = left.numElements();
    if (count != right.numElements()) {
      return false;
    }
    for (int element = 0; element < count; element++) {
      if (!isEqual(left, element, right, element, type)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEqual(
      SpecializedGetters left, int i, SpecializedGetters right, int j, DataType type) {
    boolean leftNull = left.isNullAt(i);
    boolean rightNull = right.isNullAt(j);
    if (leftNull || rightNull) {
      return leftNull && rightNull;
    }
    if (type instanceof StructType struct) {
      return isSame(left.getStruct(i, struct.size()), right.getStruct(j, struct.size()), struct);
    } else if (type instanceof ArrayType array) {
      return isSame(left.getArray(i), right.getArray(j), array.elementType());
    } else if (type instanceof MapType map) {
      return isSame(left.getMap(i).keyArray(), right.getMap(j).keyArray(), map.keyType())
          && isSame(left.getMap(i).valueArray(), right.getMap(j).valueArray(), map.valueType());
    }
    if (type instanceof BinaryType) {
      return Arrays.equals(left.getBinary(i), right.getBinary(j));
    } else if (type instanceof VariantType) {
      return isSame(left.getVariant(i), right.getVariant(j));
    }
    return left.get(i, type).equals(right.get(j, type));
  }
}
