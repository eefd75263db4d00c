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

import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatsEvaluatorTest {
  private static final DataField N = DataField.of(0, "n", DataTypes.INT);
  private static final DataField T = DataField.of(1, "t", DataTypes.STRING);
  private static final DataField D = DataField.of(2, "d", DataTypes.DOUBLE);

  private static boolean mayMatch(Predicate predicate, ValueBounds bounds) {
    return StatsEvaluator.of(predicate).mayMatch(10, field -> bounds);
  }

  private static ValueBounds between(Object min, Object max) {
    return new ValueBounds(min, max, 0L);
  }

  @ParameterizedTest
  @CsvSource({
    "EQUAL, 4, false",
    "EQUAL, 5, true",
    "EQUAL, 8, true",
    "EQUAL, 9, false",
    "NOT_EQUAL, 5, true",
    "LESS, 5, false",
    "LESS, 6, true",
    "LESS_OR_EQUAL, 4, false",
    "LESS_OR_EQUAL, 5, true",
    "GREATER, 8, false",
    "GREATER, 7, true",
    "GREATER_OR_EQUAL, 9, false",
    "GREATER_OR_EQUAL, 8, true",
    "IN, 4, false",
    "IN, 6, true",
    "NOT_IN, 6, true"
  })
  void boundsFiveToEightExcludeWhatTheyContradict(Operator operator, int literal, boolean may) {
    assertThat(mayMatch(new Leaf(N, operator, List.of(literal)), between(5, 8))).isEqualTo(may);
  }

  @Test
  void oneValueExcludesItsNegation() {
    assertThat(mayMatch(Predicates.compare(N, Operator.NOT_EQUAL, 5), between(5, 5))).isFalse();
    assertThat(mayMatch(Predicates.notIn(N, List.of(4, 5)), between(5, 5))).isFalse();
    assertThat(mayMatch(Predicates.notIn(N, List.of(4, 6)), between(5, 5))).isTrue();
  }

  @Test
  void nullCountsDecideNullTests() {
    ValueBounds allNull = ValueBounds.allNull(10);
    ValueBounds some = new ValueBounds(1, 2, 3L);
    ValueBounds none = new ValueBounds(1, 2, 0L);
    assertThat(mayMatch(Predicates.isNull(N), none)).isFalse();
    assertThat(mayMatch(Predicates.isNull(N), some)).isTrue();
    assertThat(mayMatch(Predicates.isNotNull(N), allNull)).isFalse();
    assertThat(mayMatch(Predicates.isNotNull(N), some)).isTrue();
    for (Operator operator : List.of(Operator.EQUAL, Operator.NOT_EQUAL, Operator.GREATER)) {
      assertThat(mayMatch(Predicates.compare(N, operator, 1), allNull)).isFalse();
    }
  }

  @Test
  void missingStatisticsMayMatchAnything() {
    for (Operator operator : Operator.values()) {
      if (operator == Operator.STARTS_WITH) {
        assertThat(mayMatch(Predicates.startsWith(T, "x"), ValueBounds.UNKNOWN)).isTrue();
      } else {
        assertThat(mayMatch(new Leaf(N, operator, List.of(1)), ValueBounds.UNKNOWN)).isTrue();
      }
    }
    assertThat(mayMatch(Predicates.equal(N, 9), new ValueBounds(null, 5, null))).isFalse();
    assertThat(mayMatch(Predicates.equal(N, 1), new ValueBounds(null, 5, null))).isTrue();
  }

  @Test
  void noRowsNeverMatch() {
    assertThat(StatsEvaluator.of(Predicates.isNull(N)).mayMatch(0, field -> ValueBounds.UNKNOWN))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "abc, true",
    "b, true",
    "bz, false",
    "ab, true",
    "aab, false",
    "c, false",
    "abcdefghijk, true"
  })
  void truncatedTextBoundsServePrefixTests(String prefix, boolean may) {
    assertThat(mayMatch(Predicates.startsWith(T, prefix), between("abc", "bc"))).isEqualTo(may);
  }

  @Test
  void nanIsInNoBound() {
    ValueBounds bounds = between(1.0, 2.0);
    assertThat(mayMatch(Predicates.equal(D, Double.NaN), bounds)).isTrue();
    assertThat(mayMatch(Predicates.compare(D, Operator.GREATER, 5.0), bounds)).isTrue();
    assertThat(mayMatch(Predicates.compare(D, Operator.GREATER_OR_EQUAL, 5.0), bounds)).isTrue();
    assertThat(mayMatch(Predicates.compare(D, Operator.NOT_EQUAL, 1.0), between(1.0, 1.0)))
        .isTrue();
    assertThat(mayMatch(Predicates.equal(D, 5.0), bounds)).isFalse();
    assertThat(mayMatch(Predicates.compare(D, Operator.LESS, 0.5), bounds)).isFalse();
    assertThat(mayMatch(Predicates.compare(D, Operator.LESS, Double.NaN), bounds)).isTrue();
    assertThat(mayMatch(Predicates.equal(D, 5.0), between(Double.NaN, 2.0))).isTrue();
    assertThat(mayMatch(Predicates.equal(D, 0.0), between(-0.0, -0.0))).isTrue();
  }

  @Test
  void andNeedsAllAndOrNeedsOne() {
    Predicate inside = Predicates.equal(N, 6);
    Predicate outside = Predicates.equal(N, 60);
    ValueBounds bounds = between(5, 8);
    assertThat(mayMatch(Predicates.and(inside, outside), bounds)).isFalse();
    assertThat(mayMatch(Predicates.or(inside, outside), bounds)).isTrue();
    assertThat(mayMatch(Predicates.or(outside, Predicates.isNull(N)), bounds)).isFalse();
    assertThat(mayMatch(Predicates.and(inside, Predicates.isNotNull(N)), bounds)).isTrue();
  }

  @Test
  void matchingRowsAreNeverExcluded() {
    Random random = new Random(11);
    RowType type = RowType.of(List.of(D));
    for (int round = 0; round < 3000; round++) {
      List<Double> values = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int pick = random.nextInt(8);
        values.add(pick == 0 ? null : pick == 1 ? Double.NaN : (double) random.nextInt(5));
      }
      Predicate predicate = randomPredicate(random, 2);
      RowEvaluator rows = RowEvaluator.of(predicate, type);
      boolean matches = values.stream().map(Collections::singletonList).anyMatch(rows::matches);
      if (matches) {
        ValueBounds bounds = boundsOf(values);
        assertThat(StatsEvaluator.of(predicate).mayMatch(values.size(), field -> bounds))
            .as("%s on %s", predicate, values)
            .isTrue();
      }
    }
  }

  private static ValueBounds boundsOf(List<Double> values) {
    List<Double> numbers =
        values.stream().filter(value -> value != null && !value.isNaN()).sorted().toList();
    long nulls = values.stream().filter(Objects::isNull).count();
    return numbers.isEmpty()
        ? new ValueBounds(null, null, nulls)
        : new ValueBounds(numbers.get(0), numbers.get(numbers.size() - 1), nulls);
  }

  private static Predicate randomPredicate(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      List<Predicate> parts =
          List.of(randomPredicate(random, depth - 1), randomPredicate(random, depth - 1));
      return random.nextBoolean() ? Predicates.or(parts) : Predicates.and(parts).orElseThrow();
    }
    List<Operator> operators = new ArrayList<>(Arrays.asList(Operator.values()));
    operators.remove(Operator.STARTS_WITH);
    Operator operator = operators.get(random.nextInt(operators.size()));
    double literal = random.nextInt(6) == 0 ? Double.NaN : random.nextInt(5);
    return new Leaf(D, operator, List.of(literal));
  }
}
