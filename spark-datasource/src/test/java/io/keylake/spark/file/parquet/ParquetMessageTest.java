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

package io.keylake.spark.file.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.format.types.VectorType;
import java.util.List;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Test;

class ParquetMessageTest {
  @Test
  void scalarsHaveTheTypesOfTheFormat() {
    MessageType message =
        ParquetMessage.of(
            List.of(
                DataField.of(0, "b", DataTypes.BOOLEAN),
                DataField.of(1, "t", DataTypes.TINYINT.asNotNull()),
                DataField.of(2, "d9", DataTypes.decimal(9, 1)),
                DataField.of(3, "d18", DataTypes.decimal(18, 1)),
                DataField.of(4, "d20", DataTypes.decimal(20, 1)),
                DataField.of(5, "d38", DataTypes.decimal(38, 1)),
                DataField.of(6, "ts3", DataTypes.timestamp(3)),
                DataField.of(7, "ts6", DataTypes.timestampLtz(6)),
                DataField.of(8, "ts9", DataTypes.timestampLtz(9)),
                DataField.of(9, "time", DataTypes.sized(TypeRoot.TIME, 0)),
                DataField.of(10, "v", DataTypes.VARIANT)));
    assertThat(message.toString())
        .isEqualTo(
            """
            message paimon_schema {
              optional boolean b = 0;
              required int32 t (INTEGER(8,true)) = 1;
              optional int32 d9 (DECIMAL(9,1)) = 2;
              optional int64 d18 (DECIMAL(18,1)) = 3;
              optional fixed_len_byte_array(9) d20 (DECIMAL(20,1)) = 4;
              optional fixed_len_byte_array(16) d38 (DECIMAL(38,1)) = 5;
              optional int64 ts3 (TIMESTAMP(MILLIS,false)) = 6;
              optional int64 ts6 (TIMESTAMP(MICROS,true)) = 7;
              optional int96 ts9 = 8;
              optional int32 time (TIME(MILLIS,true)) = 9;
              optional group v = 10 {
                required binary value = 0;
                required binary metadata = 1;
              }
            }
            """);
  }

  @Test
  void nestedValuesHaveDerivedIds() {
    MessageType message =
        ParquetMessage.of(
            List.of(
                DataField.of(
                    27,
                    "m",
                    new MapType(DataTypes.STRING, new ArrayType(DataTypes.INT, true), true)),
                DataField.of(
                    30,
                    "r",
                    RowType.of(
                        List.of(
                            DataField.of(
                                31, "a", new ArrayType(DataTypes.INT.asNotNull(), true)))))));
    assertThat(message.toString())
        .isEqualTo(
            """
            message paimon_schema {
              optional group m (MAP) = 27 {
                repeated group key_value (MAP_KEY_VALUE) {
                  required binary key (STRING) = 536843262;
                  optional group value (LIST) = 536898560 {
                    repeated group list {
                      optional int32 element = 536898561;
                    }
                  }
                }
              }
              required group r = 30 {
                optional group a (LIST) = 31 {
                  repeated group list {
                    required int32 element = 536902656;
                  }
                }
              }
            }
            """);
  }

  @Test
  void vectorsAreRefused() {
    DataField vector = DataField.of(0, "v", new VectorType(DataTypes.FLOAT, 3, true));
    assertThatThrownBy(() -> ParquetMessage.of(List.of(vector)))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("column v of type VECTOR");
  }
}
