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

package io.keylake.spark.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

final class PartitionRowsTest {
  private static final RowType TYPE =
      RowType.of(
          List.of(
              DataField.of(0, "s", DataTypes.STRING),
              DataField.of(1, "i", DataTypes.INT),
              DataField.of(2, "m", DataTypes.decimal(10, 2)),
              DataField.of(3, "ts", DataTypes.timestamp(6)),
              DataField.of(4, "ltz", DataTypes.timestampLtz(3)),
              DataField.of(5, "b", DataTypes.BYTES),
              DataField.of(6, "l", DataTypes.BIGINT)));
  private static final BinaryRow ROW =
      BinaryRowCodec.of(TYPE)
          .encode(
              List.of(
                  "é",
                  -7,
                  new BigDecimal("0.05"),
                  new Timestamp(-1, 999_000),
                  new Timestamp(1234, 0),
                  Bytes.wrap(new byte[] {-1}),
                  1L << 40));

  @Test
  void valuesAreThoseOfSpark() {
    InternalRow row = new PartitionRows(TYPE).rowToSpark(ROW);

    assertThat(row.getUTF8String(0)).isEqualTo(UTF8String.fromString("é"));
    assertThat(row.getInt(1)).isEqualTo(-7);
    assertThat(row.getDecimal(2, 10, 2)).isEqualTo(Decimal.apply("0.05"));
    assertThat(row.getLong(3)).isEqualTo(-1L);
    assertThat(row.getLong(4)).isEqualTo(1_234_000L);
    assertThat(row.getBinary(5)).containsExactly(-1);
    assertThat(row.getLong(6)).isEqualTo(1L << 40);
  }

  @Test
  void rowsComeBackAsTheyWentIn() {
    PartitionRows rows = new PartitionRows(TYPE);

    assertThat(rows.toBinary(rows.rowToSpark(ROW))).isEqualTo(ROW);
  }

  @Test
  void nullStaysNull() {
    PartitionRows rows = new PartitionRows(TYPE);
    BinaryRow nulls = BinaryRowCodec.of(TYPE).encode(Arrays.asList(new Object[7]));

    assertThat(rows.rowToSpark(nulls).anyNull()).isTrue();
    assertThat(rows.toBinary(rows.rowToSpark(nulls))).isEqualTo(nulls);
  }
}
