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

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.types.VariantVal;
import org.jspecify.annotations.Nullable;

/**
 * Whether two values of a column are the same, as {@code <=>} says.
 *
 * <ol>
 *   <li>NULL is the same as NULL and nothing else.
 *   <li>FLOAT and DOUBLE: NaN is the same as NaN, -0.0 as 0.0.
 *   <li>Arrays and structs: value by value. Maps, which Spark does not compare: the same keys with
 *       the same values, in any order. Variants: the same bytes.
 * </ol>
 *
 * Flat values are compared where they are in their vectors. Pinned by {@code ValueEqualityTest}.
 */
public final class ValueEquality {
  private final DataType type;
  private final ValueForm form;

  /** Equality of values of {@code type}. */
  public ValueEquality(DataType type) {
    this.type = type;
    this.form = ValueForm.of(type);
  }

  /** Whether two values are the same. */
  public boolean isSame(ColumnVector left, int leftRow, ColumnVector right, int rightRow) {
    boolean leftNull = left.isNullAt(leftRow);
    boolean rightNull = right.isNullAt(rightRow);
    if (leftNull || rightNull) {
      return leftNull && rightNull;
    }
    return switch (form) {
      case BOOLEAN -> left.getBoolean(leftRow) == right.getBoolean(rightRow);
      case BYTE -> left.getByte(leftRow) == right.getByte(rightRow);
      case SHORT -> left.getShort(leftRow) == right.getShort(rightRow);
      case INT -> left.getInt(leftRow) == right.getInt(rightRow);
      case LONG -> left.getLong(leftRow) == right.getLong(rightRow);
      case FLOAT -> isSame(left.getFloat(leftRow), right.getFloat(rightRow));
      case DOUBLE -> isSame(left.getDouble(leftRow), right.getDouble(rightRow));
      case TEXT -> left.getUTF8String(leftRow).equals(right.getUTF8String(rightRow));
      case BINARY -> Arrays.equals(left.getBinary(leftRow), right.getBinary(rightRow));
      case WIDE_DECIMAL -> {
        DecimalType decimal = (DecimalType) type;
        yield left.getDecimal(leftRow, decimal.precision(), decimal.scale())
            .equals(right.getDecimal(rightRow, decimal.precision(), decimal.scale()));
      }
      case NESTED -> isSame(nested(left, leftRow), nested(right, rightRow), type);
    };
  }

  private static boolean isSame(float left, float right) {
    return left == right || (Float.isNaN(left) && Float.isNaN(right));
  }

  private static boolean isSame(double left, double right) {
    return left == right || (Double.isNaN(left) && Double.isNaN(right));
  }

  private Object nested(ColumnVector vector, int row) {
    if (type instanceof ArrayType) {
      return vector.getArray(row);
    } else if (type instanceof MapType) {
      return vector.getMap(row);
    } else if (type instanceof VariantType) {
      return vector.getVariant(row);
    }
    return vector.getStruct(row);
  }

  /** Whether two rows are the same in all their columns. */
  public static boolean isSame(InternalRow left, InternalRow right, StructType type) {
    return areSameStructs(left, right, type);
  }

  private static boolean isSame(@Nullable Object left, @Nullable Object right, DataType type) {
    if (left == null || right == null) {
      return left == right;
    } else if (type instanceof ArrayType array) {
      return areSameArrays((ArrayData) left, (ArrayData) right, array.elementType());
    } else if (type instanceof MapType map) {
      return areSameMaps((MapData) left, (MapData) right, map);
    } else if (type instanceof StructType struct) {
      return areSameStructs((InternalRow) left, (InternalRow) right, struct);
    } else if (type instanceof VariantType) {
      VariantVal a = (VariantVal) left;
      VariantVal b = (VariantVal) right;
      return Arrays.equals(a.getValue(), b.getValue())
          && Arrays.equals(a.getMetadata(), b.getMetadata());
    } else if (left instanceof Float a && right instanceof Float b) {
      return isSame(a.floatValue(), b.floatValue());
    } else if (left instanceof Double a && right instanceof Double b) {
      return isSame(a.doubleValue(), b.doubleValue());
    } else if (left instanceof byte[] a && right instanceof byte[] b) {
      return Arrays.equals(a, b);
    }
    return left.equals(right);
  }

  private static boolean areSameStructs(InternalRow left, InternalRow right, StructType type) {
    for (int i = 0; i < type.size(); i++) {
      StructField field = type.fields()[i];
      if (!isSame(
          value(left, i, field.dataType()), value(right, i, field.dataType()), field.dataType())) {
        return false;
      }
    }
    return true;
  }

  private static boolean areSameArrays(ArrayData left, ArrayData right, DataType element) {
    if (left.numElements() != right.numElements()) {
      return false;
    }
    for (int i = 0; i < left.numElements(); i++) {
      if (!isSame(value(left, i, element), value(right, i, element), element)) {
        return false;
      }
    }
    return true;
  }

  private static boolean areSameMaps(MapData left, MapData right, MapType type) {
    int size = left.numElements();
    if (size != right.numElements()) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      Object key = value(left.keyArray(), i, type.keyType());
      int at = find(right.keyArray(), key, type.keyType(), i);
      if (at < 0
          || !isSame(
              value(left.valueArray(), i, type.valueType()),
              value(right.valueArray(), at, type.valueType()),
              type.valueType())) {
        return false;
      }
    }
    return true;
  }

  /** Where a key is, which is looked for at {@code likely} first; -1 when it is not there. */
  private static int find(ArrayData keys, @Nullable Object key, DataType type, int likely) {
    if (isSame(value(keys, likely, type), key, type)) {
      return likely;
    }
    for (int i = 0; i < keys.numElements(); i++) {
      if (isSame(value(keys, i, type), key, type)) {
        return i;
      }
    }
    return -1;
  }

  private static @Nullable Object value(SpecializedGetters values, int at, DataType type) {
    return values.isNullAt(at) ? null : values.get(at, type);
  }
}
