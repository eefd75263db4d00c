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

import io.keylake.format.predicate.Predicate.And;
import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.predicate.Predicate.Or;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import java.util.List;
import org.junit.jupiter.api.Test;

class PredicatesTest {
  private static final DataField A = DataField.of(3, "a", DataTypes.INT);
  private static final DataField B = DataField.of(1, "b", DataTypes.STRING);
  private static final Predicate A1 = Predicates.equal(A, 1);
  private static final Predicate A2 = Predicates.equal(A, 2);
  private static final Predicate B_NULL = Predicates.isNull(B);

  @Test
  void nestedAndsAndOrsAreFlattened() {
    assertThat(Predicates.and(Predicates.and(A1, B_NULL), A2))
        .isEqualTo(new And(List.of(A1, B_NULL, A2)));
    assertThat(Predicates.or(new Or(List.of(A1, new Or(List.of(B_NULL)))), A2))
        .isEqualTo(new Or(List.of(A1, B_NULL, A2)));
    assertThat(Predicates.or(Predicates.and(A1, B_NULL), A2))
        .isEqualTo(new Or(List.of(new And(List.of(A1, B_NULL)), A2)));
  }

  @Test
  void repeatedAndSinglePartsAreSimplified() {
    assertThat(Predicates.and(A1, A1)).isEqualTo(A1);
    assertThat(Predicates.or(A1, A1)).isEqualTo(A1);
    assertThat(Predicates.and(List.of())).isEmpty();
    assertThat(Predicates.and(List.of(A1))).contains(A1);
    assertThat(Predicates.in(A, List.of(1, 1))).isEqualTo(A1);
    assertThat(Predicates.in(A, List.of(1, 2))).isEqualTo(new Leaf(A, Operator.IN, List.of(1, 2)));
    assertThat(Predicates.notIn(A, List.of(1)))
        .isEqualTo(new Leaf(A, Operator.NOT_EQUAL, List.of(1)));
    assertThatThrownBy(() -> Predicates.or(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Predicates.in(A, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void columnsAreCollected() {
    assertThat(Predicates.fieldIds(Predicates.or(Predicates.and(A1, B_NULL), A2)))
        .containsExactly(1, 3);
    assertThat(Predicates.leaves(Predicates.or(Predicates.and(A1, B_NULL), A2)))
        .containsExactly((Leaf) A1, (Leaf) B_NULL, (Leaf) A2);
  }
}
