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

package io.keylake.table.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.table.options.support.RewriteSupport;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RewriteSupportTest {
  private static TableSchema with(DataType type) {
    return new TableSchema(
        3,
        0,
        List.of(DataField.of(0, "k", DataTypes.INT.asNotNull()), DataField.of(1, "precise", type)),
        1,
        List.of(),
        List.of("k"),
        Map.of(),
        null,
        0,
        UnknownKeys.NONE);
  }

  static Stream<DataType> fineTypes() {
    return Stream.of(
        DataTypes.timestamp(7),
        DataTypes.timestampLtz(9),
        new ArrayType(DataTypes.timestamp(9), true),
        new MapType(DataTypes.STRING.asNotNull(), DataTypes.timestamp(8), true),
        new MapType(DataTypes.timestamp(8).asNotNull(), DataTypes.INT, true),
        new ArrayType(
            new RowType(List.of(DataField.of(2, "x", DataTypes.timestampLtz(7))), true), true));
  }

  @ParameterizedTest
  @MethodSource("fineTypes")
  void rowsWithNanosecondsAreNotWrittenAgain(DataType type) {
    assertThat(RewriteSupport.keepsRows(with(type))).isFalse();
    assertThatThrownBy(() -> RewriteSupport.check(with(type), "db.t"))
        .isInstanceOfSatisfying(
            UnsupportedTableException.class,
            e -> assertThat(e.condition()).isEqualTo(Condition.KEYLAKE_UNSUPPORTED_TYPE))
        .hasMessageContainingAll("db.t", "'precise'", type.toString());
  }

  @Test
  void microsecondsAreKept() {
    for (DataType type :
        List.of(
            DataTypes.timestamp(6),
            DataTypes.timestampLtz(6),
            new ArrayType(DataTypes.timestamp(3), true),
            DataTypes.decimal(38, 18))) {
      assertThat(RewriteSupport.keepsRows(with(type))).as(type.toString()).isTrue();
      RewriteSupport.check(with(type), "db.t");
    }
  }
}
