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

import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicate.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The negation of predicates in SQL's three-valued sense: NOT p is true exactly where p is false,
 * so it selects no row for which p is unknown (NULL). Example: NOT (a = 1 AND b IS NULL) is a <> 1
 * OR b IS NOT NULL.
 */
public final class NegationOf {
  private NegationOf() {}

  /** The negation, or empty when it cannot be expressed (a prefix test has none). */
  public static Optional<Predicate> predicate(Predicate predicate) {
    if (predicate instanceof Leaf leaf) {
      return leaf(leaf);
    }
    List<Predicate> negated = new ArrayList<>();
    for (Predicate part : Predicates.parts(predicate)) {
      Optional<Predicate> negation = predicate(part);
      if (negation.isEmpty()) {
        return Optional.empty();
      }
      negated.add(negation.get());
    }
    return predicate instanceof Predicate.And
        ? Optional.of(Predicates.or(negated))
        : Predicates.and(negated);
  }

  private static Optional<Predicate> leaf(Leaf leaf) {
    return negated(leaf.operator())
        .map(operator -> new Leaf(leaf.field(), operator, leaf.literals()));
  }

  private static Optional<Operator> negated(Operator operator) {
    return switch (operator) {
      case EQUAL -> Optional.of(Operator.NOT_EQUAL);
      case NOT_EQUAL -> Optional.of(Operator.EQUAL);
      case LESS -> Optional.of(Operator.GREATER_OR_EQUAL);
      case LESS_OR_EQUAL -> Optional.of(Operator.GREATER);
      case GREATER -> Optional.of(Operator.LESS_OR_EQUAL);
      case GREATER_OR_EQUAL -> Optional.of(Operator.LESS);
      case IN -> Optional.of(Operator.NOT_IN);
      case NOT_IN -> Optional.of(Operator.IN);
      case IS_NULL -> Optional.of(Operator.IS_NOT_NULL);
      case IS_NOT_NULL -> Optional.of(Operator.IS_NULL);
      case STARTS_WITH -> Optional.empty();
    };
  }
}
