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

package io.keylake.table.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.table.options.BucketOptions.Function;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class BucketFunctionTest {
  /** Marks a vector for which the function is not defined. */
  private static final int NONE = -1;

  /** A key with its buckets: default of 5, default of 16, hive of 5, mod of 5. */
  record Vector(List<DataType> types, List<Object> values, int b5, int b16, int h5, int m5) {
    RowType rowType() {
      List<DataField> fields = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        fields.add(DataField.of(i, "c" + i, types.get(i)));
      }
      return RowType.of(fields);
    }

    BinaryRow row() {
      return BinaryRowCodec.of(rowType()).encode(values);
    }

    int bucket(Function function, int buckets) {
      return BucketFunction.of(function, rowType()).bucket(row(), buckets);
    }
  }

  private static Vector one(DataType type, Object value, int b5, int b16, int h5, int m5) {
    return new Vector(List.of(type), Arrays.asList(value), b5, b16, h5, m5);
  }

  private static Bytes bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Bytes.wrap(bytes);
  }

  /** The vectors of the table format page. */
  static Stream<Vector> vectors() {
    return Stream.concat(singleKeyVectors(), compositeKeyVectors());
  }

  private static Stream<Vector> singleKeyVectors() {
    DataType wide = DataTypes.decimal(20, 3);
    DataType narrow = DataTypes.decimal(10, 2);
    DataType micros = DataTypes.timestamp(6);
    return Stream.of(
        one(DataTypes.INT, 1, 3, 14, 1, 1),
        one(DataTypes.INT, -7, 2, 11, 1, 3),
        one(DataTypes.INT, 0, 4, 11, 0, 0),
        one(DataTypes.INT, null, 4, 0, 0, 0),
        one(DataTypes.BIGINT, 1234567890123L, 1, 12, 1, 3),
        one(DataTypes.BIGINT, -1L, 2, 0, 0, 4),
        one(DataTypes.SMALLINT, (short) 300, 2, 3, 0, NONE),
        one(DataTypes.TINYINT, (byte) -2, 1, 15, 1, NONE),
        one(DataTypes.BOOLEAN, true, 3, 14, 1, NONE),
        one(DataTypes.FLOAT, 1.5f, 4, 11, 0, NONE),
        one(DataTypes.DOUBLE, -2.25d, 1, 11, 1, NONE),
        one(DataTypes.STRING, "", 4, 7, 0, NONE),
        one(DataTypes.STRING, "abc", 4, 3, 4, NONE),
        one(DataTypes.STRING, "abcdefg", 3, 11, 2, NONE),
        one(DataTypes.STRING, "abcdefgh", 3, 2, 2, NONE),
        one(DataTypes.STRING, "hello paimon", 1, 4, 4, NONE),
        one(DataTypes.STRING, "héé中", 0, 15, 2, NONE),
        one(DataTypes.BYTES, bytes(1, 2), 4, 7, 3, NONE),
        one(DataTypes.BYTES, bytes(1, 2, 3, 4, 5, 6, 7, 8, 9), 0, 9, 3, NONE),
        one(narrow, new BigDecimal("123.45"), 2, 14, 2, NONE),
        one(narrow, new BigDecimal("-123.45"), 3, 15, 0, NONE),
        one(wide, new BigDecimal("123.456"), 1, 3, 4, NONE),
        one(wide, new BigDecimal("-123.456"), 0, 11, 0, NONE),
        one(
            DataTypes.decimal(38, 0),
            new BigDecimal("12345678901234567890123456789"),
            2,
            6,
            3,
            NONE),
        one(wide, null, 0, 8, 0, NONE),
        one(DataTypes.timestamp(3), new Timestamp(1704164645123L, 0), 0, 12, NONE, NONE),
        one(micros, new Timestamp(1704164645123L, 456_000), 3, 5, NONE, NONE),
        one(DataTypes.timestamp(9), new Timestamp(1704164645123L, 456_789), 3, 1, NONE, NONE),
        one(micros, new Timestamp(-1, 999_000), 4, 15, NONE, NONE),
        one(micros, null, 1, 5, 0, NONE),
        one(DataTypes.DATE, 19724, 1, 4, 4, NONE),
        one(DataTypes.sized(TypeRoot.TIME, 3), 45296789, 2, 5, 4, NONE));
  }

  private static Stream<Vector> compositeKeyVectors() {
    DataType wide = DataTypes.decimal(20, 3);
    DataType narrow = DataTypes.decimal(10, 2);
    DataType micros = DataTypes.timestamp(6);
    return Stream.of(
        new Vector(List.of(DataTypes.INT, DataTypes.STRING), List.of(1, "abc"), 0, 1, 0, NONE),
        new Vector(
            List.of(DataTypes.STRING, DataTypes.BIGINT),
            List.of("hello paimon", 42L),
            0,
            8,
            4,
            NONE),
        new Vector(
            List.of(DataTypes.INT, DataTypes.STRING),
            Arrays.asList(null, "abcdefgh"),
            1,
            8,
            2,
            NONE),
        new Vector(
            List.of(DataTypes.STRING, wide, DataTypes.INT),
            Arrays.asList("x", null, 5),
            2,
            4,
            0,
            NONE),
        new Vector(List.of(micros, DataTypes.INT), Arrays.asList(null, 5), 0, 6, 0, NONE),
        new Vector(
            List.of(DataTypes.STRING, DataTypes.STRING),
            List.of("0123456789", "abcdefghijklmnop"),
            0,
            6,
            3,
            NONE),
        new Vector(
            List.of(DataTypes.DATE, DataTypes.INT, narrow),
            List.of(19724, 7, new BigDecimal("1.10")),
            4,
            6,
            3,
            NONE));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void bucketsAreThoseOfTheFormat(Vector vector) {
    assertThat(vector.bucket(Function.DEFAULT, 5)).isEqualTo(vector.b5());
    assertThat(vector.bucket(Function.DEFAULT, 16)).isEqualTo(vector.b16());
    if (vector.h5() != NONE) {
      assertThat(vector.bucket(Function.HIVE, 5)).isEqualTo(vector.h5());
    }
    if (vector.m5() != NONE) {
      assertThat(vector.bucket(Function.MOD, 5)).isEqualTo(vector.m5());
    }
  }

  @Test
  void timestampsHaveNoHiveHash() {
    Vector vector = one(DataTypes.timestamp(3), new Timestamp(1, 0), 0, 0, 0, 0);
    assertThatThrownBy(() -> vector.bucket(Function.HIVE, 5))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("c0");
  }

  @Test
  void smallestHashHasABucket() {
    assertThat(BucketFunction.ofHash(Integer.MIN_VALUE, 7)).isBetween(0, 6);
    assertThat(BucketFunction.ofHash(Integer.MIN_VALUE, 1)).isZero();
  }
}
