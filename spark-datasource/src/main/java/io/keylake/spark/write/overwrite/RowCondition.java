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

package io.keylake.spark.write.overwrite;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.V2ExpressionUtils;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import scala.Option;

/**
 * A condition on the columns of a table, as a statement gives it: Spark evaluates it, so it means
 * what it means in WHERE. Columns are named. Immutable; travels to executors.
 */
public final class RowCondition implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ArrayList<Expression> conjuncts;
  private final String text;

  /**
   * A condition.
   *
   * @param conjuncts all of which must be true; columns in them are named
   * @param text the condition as users know it, for messages
   */
  RowCondition(List<Expression> conjuncts, String text) {
    this.conjuncts = new ArrayList<>(conjuncts);
    this.text = text;
  }

  /**
   * The conjunction of {@code predicates}; empty when one of them has no meaning outside a plan.
   */
  public static Optional<RowCondition> of(Predicate[] predicates) {
    List<Expression> conjuncts = new ArrayList<>();
    for (Predicate predicate : predicates) {
      Option<Expression> conjunct = V2ExpressionUtils.toCatalyst(predicate);
      if (conjunct.isEmpty()) {
        return Optional.empty();
      }
      conjuncts.add(conjunct.get());
    }
    return Optional.of(new RowCondition(conjuncts, text(predicates)));
  }

  /** The same condition, as {@code WHERE} of a query on the table has it. */
  public RowCondition resolvedOn(TableSchema schema) {
    return ReplaceWhere.resolve(this, schema);
  }

  /** Predicates as users know them. */
  public static String text(Predicate[] predicates) {
    return Arrays.stream(predicates).map(Predicate::toString).collect(Collectors.joining(" AND "));
  }

  /**
   * Tells whether rows fulfil it; empty when they lack a column, or it is not the same for equal
   * rows.
   *
   * @param row the columns of the rows
   */
  public Optional<RowTest> test(RowType row) {
    Expression all = Literal.TrueLiteral();
    for (Expression conjunct : conjuncts) {
      Expression bound = conjunct.transformUp(new BoundColumns(row));
      boolean isKnown = bound.resolved() && bound.references().isEmpty();
      if (!isKnown || !bound.deterministic()) {
        return Optional.empty();
      }
      all = new And(all, bound);
    }
    BasePredicate test = org.apache.spark.sql.catalyst.expressions.Predicate.createInterpreted(all);
    test.initialize(0);
    return Optional.of(test::eval);
  }

  /**
   * The condition for a plan: columns are found by their names in what it is put upon.
   *
   * @see #test for rows
   */
  public Expression named() {
    Expression all = null;
    for (Expression conjunct : conjuncts) {
      Expression named = conjunct.transformUp(new NamedColumns());
      all = all == null ? named : new And(all, named);
    }
    return all == null ? Literal.TrueLiteral() : all;
  }

  /** A test of rows. Not safe for several threads. */
  @FunctionalInterface
  public interface RowTest {
    /** Whether the condition is true for the row. */
    boolean isTrue(InternalRow row);
  }

  /** The condition as users know it. */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
