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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.SparkTypes;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ValueAppendersTest {
  private static final DataType INT = DataTypes.INT;
  private static final long NOON = 1_709_208_000_123_456L;

  /** What {@code value}, stored as {@code from}, reads as, in canonical text. */
  private static String cast(DataType from, DataType to, @Nullable Object value) {
    StructType source = new StructType().add("c", SparkTypes.toSpark("c", from));
    StructType target = new StructType().add("c", SparkTypes.toSpark("c", to));
    WritableColumnVector[] stored = {new OnHeapColumnVector(4, source.fields()[0].dataType())};
    new RowToColumnConverter(source).convert(new GenericInternalRow(new Object[] {value}), stored);
    WritableColumnVector seen = new OnHeapColumnVector(4, target.fields()[0].dataType());
    ValueAppenders.of("c", from, to).append(stored[0], 0, seen);
    ColumnarBatch batch = new ColumnarBatch(new ColumnVector[] {seen}, 1);
    String text = CanonicalText.of(batch.getRow(0), target);
    return text.substring("{\"c\":".length(), text.length() - 1);
  }

  private static Decimal decimal(String value, int precision, int scale) {
    return Decimal.apply(new BigDecimal(value), precision, scale);
  }

  private static UTF8String text(String value) {
    return UTF8String.fromString(value);
  }

  @Test
  void nullStaysNull() {
    assertThat(cast(INT, DataTypes.STRING, null)).isEqualTo("null");
  }

  @Test
  void integersNarrowAsJavaDoes() {
    assertThat(cast(INT, DataTypes.TINYINT, 383)).isEqualTo("127");
    assertThat(cast(DataTypes.BIGINT, INT, 5_000_000_000L)).isEqualTo("705032704");
    assertThat(cast(DataTypes.DOUBLE, INT, 1e10)).isEqualTo("2147483647");
    assertThat(cast(DataTypes.FLOAT, DataTypes.SMALLINT, -1.9f)).isEqualTo("-1");
    assertThat(cast(INT, DataTypes.DOUBLE, 7)).isEqualTo("7.0");
  }

  @Test
  void booleansCountAsZeroAndOne() {
    assertThat(cast(DataTypes.BOOLEAN, INT, true)).isEqualTo("1");
    assertThat(cast(DataTypes.BIGINT, DataTypes.BOOLEAN, -2L)).isEqualTo("true");
    assertThat(cast(DataTypes.BIGINT, DataTypes.BOOLEAN, 0L)).isEqualTo("false");
  }

  @Test
  void decimalsRoundHalfUpAndOverflowToNull() {
    DataType target = DataTypes.decimal(4, 1);
    assertThat(cast(DataTypes.decimal(6, 2), target, decimal("12.35", 6, 2))).isEqualTo("\"12.4\"");
    assertThat(cast(DataTypes.decimal(6, 2), target, decimal("1234.50", 6, 2))).isEqualTo("null");
    assertThat(cast(INT, target, 999)).isEqualTo("\"999.0\"");
    assertThat(cast(INT, target, 1000)).isEqualTo("null");
    assertThat(cast(DataTypes.DOUBLE, target, 0.25)).isEqualTo("\"0.3\"");
    assertThat(cast(DataTypes.DOUBLE, target, Double.NaN)).isEqualTo("null");
    assertThat(cast(DataTypes.decimal(4, 1), DataTypes.decimal(30, 4), decimal("-9.5", 4, 1)))
        .isEqualTo("\"-9.5000\"");
  }

  @Test
  void decimalsBecomeIntegersWithoutTheirFraction() {
    DataType source = DataTypes.decimal(12, 2);
    assertThat(cast(source, INT, decimal("-3.99", 12, 2))).isEqualTo("-3");
    assertThat(cast(source, INT, decimal("5000000000.00", 12, 2))).isEqualTo("705032704");
    assertThat(cast(source, DataTypes.DOUBLE, decimal("1.25", 12, 2))).isEqualTo("1.25");
  }

  @Test
  void scalarsBecomeTheirText() {
    assertThat(cast(INT, DataTypes.STRING, -7)).isEqualTo("\"-7\"");
    assertThat(cast(DataTypes.BOOLEAN, DataTypes.STRING, true)).isEqualTo("\"true\"");
    assertThat(cast(DataTypes.DOUBLE, DataTypes.STRING, 1e10)).isEqualTo("\"1.0E10\"");
    assertThat(cast(DataTypes.decimal(5, 2), DataTypes.STRING, decimal("1.50", 5, 2)))
        .isEqualTo("\"1.50\"");
    int day = (int) LocalDate.of(2024, 2, 29).toEpochDay();
    assertThat(cast(DataTypes.DATE, DataTypes.STRING, day)).isEqualTo("\"2024-02-29\"");
    assertThat(cast(DataTypes.timestamp(3), DataTypes.STRING, NOON))
        .isEqualTo("\"2024-02-29 12:00:00.123\"");
    assertThat(cast(DataTypes.timestamp(0), DataTypes.STRING, NOON))
        .isEqualTo("\"2024-02-29 12:00:00\"");
    assertThat(cast(DataTypes.sized(TypeRoot.TIME, 3), DataTypes.STRING, 43_200_500))
        .isEqualTo("\"12:00:00.500\"");
  }

  @Test
  void textsAreCutOrPaddedByCharacters() {
    DataType two = DataTypes.sized(TypeRoot.VARCHAR, 2);
    assertThat(cast(DataTypes.STRING, two, text("\u00e9\u00e9\u00e9"))).isEqualTo("\"éé\"");
    DataType fixed = DataTypes.sized(TypeRoot.CHAR, 4);
    assertThat(cast(DataTypes.STRING, fixed, text("ab"))).isEqualTo("\"ab  \"");
    assertThat(cast(DataTypes.STRING, fixed, text("abcdef"))).isEqualTo("\"abcd\"");
  }

  @Test
  void binariesAreCutOrPaddedWithZeros() {
    byte[] bytes = "abc".getBytes(StandardCharsets.US_ASCII);
    assertThat(cast(DataTypes.BYTES, DataTypes.sized(TypeRoot.BINARY, 4), bytes))
        .isEqualTo("\"0x61626300\"");
    assertThat(cast(DataTypes.BYTES, DataTypes.sized(TypeRoot.VARBINARY, 2), bytes))
        .isEqualTo("\"0x6162\"");
  }

  @Test
  void timestampsLoseDigitsOfASmallerPrecision() {
    assertThat(cast(DataTypes.timestamp(6), DataTypes.timestamp(3), NOON))
        .isEqualTo("\"2024-02-29T12:00:00.123000000\"");
    assertThat(cast(DataTypes.timestamp(6), DataTypes.timestamp(0), -1L))
        .isEqualTo("\"1969-12-31T23:59:59.000000000\"");
  }

  @Test
  void timestampsAndIntegersCountSeconds() {
    assertThat(cast(DataTypes.timestamp(6), DataTypes.BIGINT, NOON)).isEqualTo("1709208000");
    assertThat(cast(INT, DataTypes.timestamp(3), 60))
        .isEqualTo("\"1970-01-01T00:01:00.000000000\"");
  }

  @Test
  void datesAndTimestampsMeetAtMidnight() {
    assertThat(cast(DataTypes.DATE, DataTypes.timestamp(3), 1))
        .isEqualTo("\"1970-01-02T00:00:00.000000000\"");
    assertThat(cast(DataTypes.timestamp(3), DataTypes.DATE, NOON)).isEqualTo("\"2024-02-29\"");
    assertThat(cast(DataTypes.timestamp(3), DataTypes.DATE, -1L)).isEqualTo("\"1970-01-01\"");
  }

  @Test
  void fieldsOfRowsAreMatchedById() {
    RowType from =
        new RowType(
            List.of(
                DataField.of(1, "a", INT),
                DataField.of(2, "b", DataTypes.STRING),
                DataField.of(3, "c", DataTypes.DOUBLE)),
            true);
    RowType to =
        new RowType(
            List.of(
                DataField.of(3, "renamed", DataTypes.STRING),
                DataField.of(9, "added", new RowType(List.of(DataField.of(10, "x", INT)), true)),
                DataField.of(1, "a", DataTypes.BIGINT)),
            true);
    Object row = new GenericInternalRow(new Object[] {1, text("dropped"), 2.5});

    assertThat(cast(from, to, row)).isEqualTo("{\"renamed\":\"2.5\",\"added\":null,\"a\":1}");
    assertThat(cast(from, to, null)).isEqualTo("null");
  }

  @Test
  void elementsAndMapValuesAreCast() {
    Object array = new GenericArrayData(new Object[] {1, null, 300});
    assertThat(cast(new ArrayType(INT, true), new ArrayType(DataTypes.TINYINT, true), array))
        .isEqualTo("[1,null,44]");
    Object map =
        new ArrayBasedMapData(
            new GenericArrayData(new Object[] {text("k")}), new GenericArrayData(new Object[] {7}));
    assertThat(
            cast(
                new MapType(DataTypes.STRING, INT, true),
                new MapType(DataTypes.STRING, DataTypes.STRING, true),
                map))
        .isEqualTo("[[\"k\",\"7\"]]");
  }

  @Test
  void impossibleCastsNameTheColumn() {
    assertThatThrownBy(() -> ValueAppenders.of("c", DataTypes.VARIANT, INT))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("Column c is stored as VARIANT")
        .hasMessageContaining("INT");
  }
}
