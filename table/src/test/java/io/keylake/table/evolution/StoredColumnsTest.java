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

package io.keylake.table.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.predicate.ValueBounds;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoredColumnsTest {
  private static final DataField A = DataField.of(0, "a", DataTypes.INT);
  private static final DataField B = DataField.of(1, "b", DataTypes.STRING);
  private static final DataField C = DataField.of(2, "c", DataTypes.decimal(5, 2));
  private static final TableSchema OLD = schema(Map.of(), A, B, C);

  private static TableSchema schema(Map<String, String> options, DataField... fields) {
    return new TableSchema(
        3, 0, List.of(fields), 9, List.of(), List.of(), options, null, 0, UnknownKeys.NONE);
  }

  private static StoredColumns toCurrent(TableSchema current) {
    return StoredColumns.of(OLD, current);
  }

  private static final StoredColumns COLUMNS = toCurrent(OLD);

  private static ColumnStats stats(
      List<DataField> columns, Object[] min, Object[] max, Long... nulls) {
    BinaryRowCodec codec = BinaryRowCodec.of(RowType.of(columns));
    return new ColumnStats(
        codec.encode(Arrays.asList(min)), codec.encode(Arrays.asList(max)), Arrays.asList(nulls));
  }

  private static final ColumnStats ALL =
      stats(
          OLD.fields(),
          new Object[] {1, "x", new BigDecimal("1.25")},
          new Object[] {5, null, new BigDecimal("9.00")},
          0L,
          null,
          2L);

  private static DataField retyped(DataField field, DataType type) {
    return DataField.of(field.id(), "renamed_" + field.name(), type);
  }

  private static ValueBounds bounds(DataField wanted) {
    return COLUMNS.bounds(wanted, ALL, null, 10);
  }

  @Test
  void columnsAreFoundByIdWhateverTheirName() {
    assertThat(COLUMNS.find(retyped(A, DataTypes.INT))).contains(A);
    assertThat(COLUMNS.find(DataField.of(7, "a", DataTypes.INT))).isEmpty();
    assertThat(bounds(retyped(A, DataTypes.INT))).isEqualTo(new ValueBounds(1, 5, 0L));
    assertThat(bounds(B)).isEqualTo(new ValueBounds("x", null, null));
  }

  @Test
  void boundsAreCastWhereThatKeepsTheOrder() {
    assertThat(bounds(retyped(A, DataTypes.BIGINT))).isEqualTo(new ValueBounds(1L, 5L, 0L));
    assertThat(bounds(retyped(A, DataTypes.DOUBLE))).isEqualTo(new ValueBounds(1.0, 5.0, 0L));
    assertThat(bounds(retyped(A, DataTypes.decimal(12, 1))))
        .isEqualTo(new ValueBounds(new BigDecimal("1.0"), new BigDecimal("5.0"), 0L));
    assertThat(bounds(retyped(C, DataTypes.decimal(10, 3))))
        .isEqualTo(new ValueBounds(new BigDecimal("1.250"), new BigDecimal("9.000"), 2L));
    assertThat(bounds(retyped(A, DataTypes.STRING))).isEqualTo(ValueBounds.UNKNOWN);
    assertThat(bounds(retyped(A, DataTypes.TINYINT))).isEqualTo(ValueBounds.UNKNOWN);
  }

  @Test
  void missingColumnIsNullOrHasItsExistsDefault() {
    DataField added = DataField.of(7, "d", DataTypes.INT);
    assertThat(bounds(added)).isEqualTo(ValueBounds.allNull(10));
    TableSchema current = schema(Map.of("keylake.exists-default.7", "42"), A, added);
    assertThat(toCurrent(current).bounds(added, ALL, null, 10))
        .isEqualTo(new ValueBounds(42, 42, 0L));
  }

  @Test
  void columnsWithoutStatisticsAreUnknown() {
    ColumnStats dense = stats(List.of(B), new Object[] {"p"}, new Object[] {"q"}, 3L);
    assertThat(COLUMNS.bounds(B, dense, List.of("b"), 10)).isEqualTo(new ValueBounds("p", "q", 3L));
    assertThat(COLUMNS.bounds(A, dense, List.of("b"), 10)).isEqualTo(ValueBounds.UNKNOWN);
    assertThat(COLUMNS.bounds(B, dense, List.of("_ROW_ID", "b"), 10))
        .isEqualTo(ValueBounds.UNKNOWN);
    assertThat(COLUMNS.bounds(A, ColumnStats.EMPTY, List.of(), 10)).isEqualTo(ValueBounds.UNKNOWN);
    assertThat(
            COLUMNS.bounds(
                A, new ColumnStats(BinaryRow.EMPTY, BinaryRow.EMPTY, List.of()), null, 10))
        .isEqualTo(ValueBounds.UNKNOWN);
  }

  @Test
  void predicatesTakeTheNamesAndTypesOfTheFile() {
    DataField wide = retyped(A, DataTypes.BIGINT);
    assertThat(COLUMNS.translate(Predicates.equal(retyped(B, DataTypes.STRING), "x")))
        .contains(Predicates.equal(B, "x"));
    assertThat(COLUMNS.translate(Predicates.in(wide, List.of(1L, 2L))))
        .contains(new Leaf(A, Operator.IN, List.of(1, 2)));
    assertThat(COLUMNS.translate(Predicates.isNull(wide))).contains(Predicates.isNull(A));
    assertThat(COLUMNS.translate(Predicates.equal(wide, 5_000_000_000L))).isEmpty();
    assertThat(COLUMNS.translate(Predicates.equal(retyped(A, DataTypes.DOUBLE), 1.0))).isEmpty();
  }

  @Test
  void whatCannotBeAskedDropsOutOfAndsAndTakesOrsWithIt() {
    Predicate known = Predicates.equal(A, 1);
    Predicate other = Predicates.equal(B, "x");
    Predicate missing = Predicates.isNull(DataField.of(7, "d", DataTypes.INT));
    assertThat(COLUMNS.translate(Predicates.and(known, missing))).contains(known);
    assertThat(COLUMNS.translate(Predicates.and(missing, missing))).isEmpty();
    assertThat(COLUMNS.translate(Predicates.or(known, missing))).isEmpty();
    assertThat(COLUMNS.translate(Predicates.or(known, other)))
        .contains(Predicates.or(known, other));
    assertThat(COLUMNS.translate(Predicates.and(known, Predicates.or(other, missing))))
        .contains(known);
  }
}
