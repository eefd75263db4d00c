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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class ValueEqualityTest {
  private static final DataType MAP =
      DataTypes.createMapType(DataTypes.StringType, DataTypes.DoubleType);

  private static boolean isSame(DataType type, Object left, Object right) {
    return isSame(type, new GenericInternalRow(new Object[] {left}), right);
  }

  private static boolean isSame(DataType type, InternalRow left, Object right) {
    OnHeapColumnVector vector = new OnHeapColumnVector(2, type);
    VectorCopy copy = new VectorCopy(type);
    VectorCopy.reserve(vector, 2);
    copy.copy(left, 0, vector, 0);
    copy.copy(new GenericInternalRow(new Object[] {right}), 0, vector, 1);
    boolean found = new ValueEquality(type).isSame(vector, 0, vector, 1);
    StructType row = new StructType().add("c", type);
    assertThat(ValueEquality.isSame(left, new GenericInternalRow(new Object[] {right}), row))
        .as("rows that hold the values")
        .isEqualTo(found);
    return found;
  }

  private static Object map(Object... entries) {
    Object[] keys = new Object[entries.length / 2];
    Object[] values = new Object[keys.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = UTF8String.fromString((String) entries[2 * i]);
      values[i] = entries[2 * i + 1];
    }
    return new ArrayBasedMapData(new GenericArrayData(keys), new GenericArrayData(values));
  }

  @Test
  void everyTypeEqualsItselfAndNothingElse() {
    for (int i = 0; i < EveryType.TYPE.size(); i++) {
      StructField field = EveryType.TYPE.fields()[i];
      DataType type = field.dataType();
      for (int n : List.of(1, 25, 26, 27)) {
        Object value = value(EveryType.row(n), i);
        assertThat(isSame(type, value, value(EveryType.row(n), i))).as(field.name()).isTrue();
      }
      if (type != DataTypes.BooleanType) {
        assertThat(isSame(type, value(EveryType.row(24), i), value(EveryType.row(41), i)))
            .as(field.name())
            .isEqualTo(value(EveryType.row(24), i) == value(EveryType.row(41), i));
      }
    }
  }

  private static Object value(InternalRow row, int column) {
    return ((GenericInternalRow) row).values()[column];
  }

  @Test
  void nullEqualsNullOnly() {
    assertThat(isSame(DataTypes.IntegerType, (Object) null, null)).isTrue();
    assertThat(isSame(DataTypes.IntegerType, (Object) null, 0)).isFalse();
    assertThat(isSame(DataTypes.IntegerType, 0, null)).isFalse();
    assertThat(isSame(MAP, map("a", null), map("a", null))).isTrue();
    assertThat(isSame(MAP, map("a", null), map("a", 0.0))).isFalse();
  }

  @Test
  void notANumberEqualsItselfAndZeroesEqualEachOther() {
    assertThat(isSame(DataTypes.DoubleType, Double.NaN, Double.NaN)).isTrue();
    assertThat(isSame(DataTypes.FloatType, Float.NaN, Float.NaN)).isTrue();
    assertThat(isSame(DataTypes.DoubleType, -0.0, 0.0)).isTrue();
    assertThat(isSame(DataTypes.FloatType, -0.0f, 0.0f)).isTrue();
    assertThat(isSame(DataTypes.DoubleType, Double.NaN, 0.0)).isFalse();
    assertThat(isSame(MAP, map("a", Double.NaN, "b", -0.0), map("a", Double.NaN, "b", 0.0)))
        .isTrue();
  }

  @Test
  void mapsEqualInAnyOrder() {
    assertThat(isSame(MAP, map("a", 1.0, "b", 2.0), map("b", 2.0, "a", 1.0))).isTrue();
    assertThat(isSame(MAP, map("a", 1.0, "b", 2.0), map("a", 2.0, "b", 1.0))).isFalse();
    assertThat(isSame(MAP, map("a", 1.0), map("a", 1.0, "b", 2.0))).isFalse();
    assertThat(isSame(MAP, map("a", 1.0), map("c", 1.0))).isFalse();
  }
}
