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

package io.keylake.spark.read.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.write.bucket.BucketFunctionBinding;
import io.keylake.table.options.BucketOptions.Function;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.Reducer;
import org.apache.spark.sql.connector.catalog.functions.ReducibleFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LayoutFunctionTest {
  private static final DataType INT = org.apache.spark.sql.types.DataTypes.IntegerType;
  private static final DataType TIMESTAMP = org.apache.spark.sql.types.DataTypes.TimestampNTZType;

  private static BoundFunction bound(String name, DataType... types) {
    StructType input = new StructType();
    for (int i = 0; i < types.length; i++) {
      input = input.add("_" + i, types[i]);
    }
    return LayoutFunction.find(name).orElseThrow().bind(input);
  }

  private static BoundFunction bucket(int buckets, Function function, String type) {
    BucketKey key = new BucketKey(List.of("c"), List.of(type), function);
    return bound(
        LayoutFunction.nameOf(key, buckets, 0), type.startsWith("TIMESTAMP") ? TIMESTAMP : INT);
  }

  @Test
  void namesTellEverythingThatChangesTheBucket() {
    assertThat(
            List.of(
                bucket(4, Function.DEFAULT, "INT").canonicalName(),
                bucket(8, Function.DEFAULT, "INT").canonicalName(),
                bucket(4, Function.MOD, "INT").canonicalName(),
                bucket(4, Function.HIVE, "INT").canonicalName(),
                bucket(4, Function.DEFAULT, "TIMESTAMP(3)").canonicalName(),
                bucket(4, Function.DEFAULT, "TIMESTAMP(6)").canonicalName()))
        .doesNotHaveDuplicates();
    assertThat(bucket(4, Function.DEFAULT, "INT").canonicalName())
        .isEqualTo(bucket(4, Function.DEFAULT, "INT").canonicalName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bucket", "keylake_bucket$x$default$0$INT", "keylake_bucket$4$sha$0$INT"})
  void otherNamesAreNoFunctions(String name) {
    assertThat(LayoutFunction.find(name)).isEmpty();
  }

  @Test
  void bucketsAreThoseOfTheWriter() {
    ScalarFunction<?> ours = (ScalarFunction<?>) bucket(5, Function.DEFAULT, "INT");
    ScalarFunction<?> writers =
        (ScalarFunction<?>)
            new BucketFunctionBinding().bind(new StructType().add("n", INT).add("c", INT));
    for (int value = -50; value < 50; value++) {
      assertThat(ours.produceResult(new GenericInternalRow(new Object[] {value})))
          .isEqualTo(writers.produceResult(new GenericInternalRow(new Object[] {5, value})));
    }
    assertThat(
            ((ScalarFunction<?>) bucket(5, Function.MOD, "INT"))
                .produceResult(new GenericInternalRow(new Object[] {-1})))
        .isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "MOD", "HIVE"})
  void reducedBucketsAreThoseAmongFewer(Function function) {
    ScalarFunction<?> six = (ScalarFunction<?>) bucket(6, function, "INT");
    ScalarFunction<?> two = (ScalarFunction<?>) bucket(2, function, "INT");
    ReducibleFunction<?, ?> other = (ReducibleFunction<?, ?>) bucket(4, function, "INT");
    @SuppressWarnings("unchecked")
    Reducer<Object, Object> reducer =
        (Reducer<Object, Object>) ((ReducibleFunction<?, ?>) six).reducer(other);
    for (int value = -50; value < 50; value++) {
      GenericInternalRow row = new GenericInternalRow(new Object[] {value});
      assertThat(reducer.reduce(six.produceResult(row))).isEqualTo(two.produceResult(row));
    }
  }

  @Test
  void nothingReducesToAnotherHash() {
    ReducibleFunction<?, ?> four =
        (ReducibleFunction<?, ?>) bucket(4, Function.DEFAULT, "TIMESTAMP(3)");
    assertThat(four.reducer((ReducibleFunction<?, ?>) bucket(2, Function.DEFAULT, "TIMESTAMP(6)")))
        .isNull();
    assertThat(four.reducer((ReducibleFunction<?, ?>) bucket(3, Function.DEFAULT, "TIMESTAMP(3)")))
        .isNull();
  }

  @Test
  void partOfAKeyOfSeveralColumnsIsNeverComputed() {
    BucketKey key = new BucketKey(List.of("a", "b"), List.of("INT", "INT"), Function.DEFAULT);
    BoundFunction first = bound(LayoutFunction.nameOf(key, 4, 0), INT);
    BoundFunction second = bound(LayoutFunction.nameOf(key, 4, 1), INT);
    assertThat(first)
        .isNotInstanceOf(ScalarFunction.class)
        .isNotInstanceOf(ReducibleFunction.class);
    assertThat(first.canonicalName()).isNotEqualTo(second.canonicalName());
    assertThatThrownBy(() -> bound(LayoutFunction.nameOf(key, 4, 0), INT, INT))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("one argument");
  }

  @Test
  void typesOfWhichEqualValuesHaveSeveralFormsHaveNoLayout() {
    assertThat(BucketKey.type(DataField.of(0, "c", DataTypes.DOUBLE))).isEmpty();
    assertThat(BucketKey.type(DataField.of(0, "c", DataTypes.FLOAT))).isEmpty();
    assertThat(BucketKey.type(DataField.of(0, "c", DataTypes.timestamp(9)))).isEmpty();
    assertThat(BucketKey.type(DataField.of(0, "c", DataTypes.sized(TypeRoot.CHAR, 3)))).isEmpty();
    assertThat(BucketKey.type(DataField.of(0, "c", DataTypes.sized(TypeRoot.VARCHAR, 3))))
        .isEqualTo(BucketKey.type(DataField.of(1, "d", DataTypes.STRING)))
        .contains("STRING");
  }
}
