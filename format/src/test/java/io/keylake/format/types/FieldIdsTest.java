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

package io.keylake.format.types;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FieldIdsTest {
  private static DataField column(String name, DataType type) {
    return DataField.of(99, name, type);
  }

  private static RowType row(DataField... fields) {
    return new RowType(List.of(fields), true);
  }

  @Test
  void columnIsNumberedBeforeAndNestedFieldAfterItsType() {
    DataType nested =
        new MapType(
            DataTypes.STRING,
            row(
                column("x", DataTypes.INT),
                column("y", new ArrayType(row(column("z", DataTypes.STRING)), true))),
            true);
    FieldIds ids = FieldIds.after(19);

    List<DataField> numbered =
        ids.number(List.of(column("mp", nested), column("next", DataTypes.INT)));

    RowType value = (RowType) ((MapType) numbered.get(0).type()).value();
    RowType inner = (RowType) ((ArrayType) value.field(1).type()).element();
    assertThat(numbered.get(0).id()).isEqualTo(20);
    assertThat(value.field(0).id()).isEqualTo(21);
    assertThat(inner.field(0).id()).isEqualTo(22);
    assertThat(value.field(1).id()).isEqualTo(23);
    assertThat(numbered.get(1).id()).isEqualTo(24);
    assertThat(ids.highest()).isEqualTo(24);
    assertThat(FieldIds.highestOf(numbered)).isEqualTo(24);
  }

  @Test
  void firstColumnOfNewTableIsZero() {
    assertThat(FieldIds.fromZero().number(column("a", DataTypes.INT)).id()).isZero();
  }

  @Test
  void commentAndDefaultSurviveNumbering() {
    DataField field = new DataField(7, "a", DataTypes.INT, "comment", "1");
    assertThat(FieldIds.fromZero().number(field))
        .isEqualTo(new DataField(0, "a", DataTypes.INT, "comment", "1"));
  }

  @Test
  void systemColumnsDoNotCountAsHighest() {
    DataField system = DataField.of(2147483646, "_SEQUENCE_NUMBER", DataTypes.BIGINT);
    DataField nested =
        DataField.of(1, "m", new MultisetType(row(DataField.of(5, "a", DataTypes.INT)), true));
    assertThat(FieldIds.highestOf(List.of(system))).isEqualTo(-1);
    assertThat(FieldIds.highestOf(List.of(nested, system))).isEqualTo(5);
  }
}
