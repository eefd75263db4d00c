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

package io.keylake.extensions.planning;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/**
 * A condition {@code column = value} between a column of the target of a statement and an
 * expression over its source. Where Spark has widened an integer column to compare it with wider
 * integers ({@code CAST(id AS BIGINT) = s.id}), the column is still the one in it.
 *
 * @param column of the target
 * @param value of the source; of the column's type or a wider integer
 */
record KeyEquality(Attribute column, Expression value) {
  /** The operands of a conjunction. */
  static List<Expression> conjuncts(Expression condition) {
    List<Expression> conjuncts = new ArrayList<>();
    Deque<Expression> open = new ArrayDeque<>(List.of(condition));
    while (!open.isEmpty()) {
      Expression next = open.pop();
      if (next instanceof And and) {
        open.push(and.right());
        open.push(and.left());
      } else {
        conjuncts.add(next);
      }
    }
    return conjuncts;
  }

  /**
   * The equality that a condition is; empty when it is anything else.
   *
   * @param target whose columns the equality has, named as there
   * @param source whose values it has
   */
  static Optional<KeyEquality> of(
      Expression condition, DataSourceV2Relation target, AttributeSet source) {
    if (!(condition instanceof EqualTo equal)) {
      return Optional.empty();
    }
    Optional<KeyEquality> written = of(equal.left(), equal.right(), target, source);
    return written.isPresent() ? written : of(equal.right(), equal.left(), target, source);
  }

  private static Optional<KeyEquality> of(
      Expression column, Expression value, DataSourceV2Relation target, AttributeSet source) {
    if (!value.references().subsetOf(source) || !value.deterministic()) {
      return Optional.empty();
    }
    return column(column)
        .flatMap(
            attribute ->
                Lists.of(target.output()).stream()
                    .filter(known -> known.exprId().equals(attribute.exprId()))
                    .findFirst())
        .map(attribute -> new KeyEquality(attribute, value));
  }

  private static Optional<Attribute> column(Expression expression) {
    Expression inner =
        expression instanceof Cast cast && Integers.widens(cast) ? cast.child() : expression;
    return inner instanceof Attribute attribute ? Optional.of(attribute) : Optional.empty();
  }

  /** Whether the column has the value's own type. */
  boolean isOfOneType() {
    return column.dataType().sameType(value.dataType());
  }
}
