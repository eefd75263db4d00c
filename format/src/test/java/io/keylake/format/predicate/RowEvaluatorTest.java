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

package io.keylake.format.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowEvaluatorTest {
  private static final DataField DAY = DataField.of(4, "day", DataTypes.STRING);
  private static final DataField HOUR = DataField.of(2, "hour", DataTypes.INT);
  private static final DataField PRICE = DataField.of(7, "price", DataTypes.decimal(10, 2));
  private static final RowType TYPE = RowType.of(List.of(DAY, HOUR, PRICE));

  private static boolean matches(Predicate predicate, Object... values) {
    return RowEvaluator.of(predicate, TYPE).matches(Arrays.asList(values));
  }

  @Test
  void columnsAreFoundById() {
    DataField renamed = DataField.of(2, "stunde", DataTypes.INT);
    assertThat(matches(Predicates.equal(renamed, 5), "a", 5, null)).isTrue();
    assertThat(matches(Predicates.equal(renamed, 6), "a", 5, null)).isFalse();
    DataField missing = DataField.of(99, "hour", DataTypes.INT);
    assertThatThrownBy(() -> matches(Predicates.isNull(missing), "a", 5, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("99");
  }

  @Test
  void comparisonWithNullIsNeverTrue() {
    for (Operator operator :
        List.of(Operator.EQUAL, Operator.NOT_EQUAL, Operator.LESS, Operator.GREATER_OR_EQUAL)) {
      assertThat(matches(Predicates.compare(HOUR, operator, 5), "a", null, null)).isFalse();
    }
    assertThat(matches(Predicates.notIn(HOUR, List.of(1, 2)), "a", null, null)).isFalse();
    assertThat(matches(Predicates.isNull(HOUR), "a", null, null)).isTrue();
    assertThat(matches(Predicates.isNotNull(HOUR), "a", null, null)).isFalse();
  }

  @Test
  void everyOperatorComparesByValue() {
    assertThat(matches(Predicates.compare(HOUR, Operator.LESS, 5), "a", 4, null)).isTrue();
    assertThat(matches(Predicates.compare(HOUR, Operator.LESS, 5), "a", 5, null)).isFalse();
    assertThat(matches(Predicates.compare(HOUR, Operator.LESS_OR_EQUAL, 5), "a", 5, null)).isTrue();
    assertThat(matches(Predicates.compare(HOUR, Operator.GREATER, 5), "a", 5, null)).isFalse();
    assertThat(matches(Predicates.compare(HOUR, Operator.GREATER_OR_EQUAL, 5), "a", 5, null))
        .isTrue();
    assertThat(matches(Predicates.in(HOUR, List.of(4, 5)), "a", 5, null)).isTrue();
    assertThat(matches(Predicates.notIn(HOUR, List.of(4, 5)), "a", 5, null)).isFalse();
    assertThat(matches(Predicates.startsWith(DAY, "2024-"), "2024-01", 5, null)).isTrue();
    assertThat(matches(Predicates.startsWith(DAY, "2024-"), "2023-01", 5, null)).isFalse();
    assertThat(
            matches(Predicates.equal(PRICE, new BigDecimal("1.5")), "a", 5, new BigDecimal("1.50")))
        .isTrue();
  }

  @Test
  void partsCombineLikeSql() {
    Predicate five = Predicates.equal(HOUR, 5);
    Predicate noPrice = Predicates.isNull(PRICE);
    assertThat(matches(Predicates.and(five, noPrice), "a", 5, null)).isTrue();
    assertThat(matches(Predicates.and(five, noPrice), "a", 6, null)).isFalse();
    assertThat(matches(Predicates.or(five, noPrice), "a", 6, null)).isTrue();
    assertThat(matches(Predicates.or(five, noPrice), "a", 6, BigDecimal.ONE.setScale(2))).isFalse();
  }

  @Test
  void binaryRowsAreDecoded() {
    BinaryRowCodec codec = BinaryRowCodec.of(TYPE);
    RowEvaluator evaluator = RowEvaluator.of(Predicates.equal(DAY, "2024-01-02"), TYPE);
    assertThat(evaluator.matches(codec.encode(Arrays.asList("2024-01-02", 1, null)))).isTrue();
    assertThat(evaluator.matches(codec.encode(Arrays.asList("2024-01-03", 1, null)))).isFalse();
  }
}
