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

import java.math.BigInteger;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.optimizer.Optimizer;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.catalyst.plans.logical.Subquery;
import scala.Option;

/**
 * The values of a source that a column is compared with, as a query of their own: it reads nothing
 * but them. A value that does not fit a narrower column hits none of its rows and is NULL here.
 */
final class SourceKeys {
  private final Optimizer optimizer;
  private final Attribute column;
  private final Project values;
  private final LogicalPlan query;

  SourceKeys(Optimizer optimizer, KeyEquality equality, LogicalPlan source) {
    this.optimizer = optimizer;
    this.column = equality.column();
    Expression value =
        equality.isOfOneType()
            ? equality.value()
            : new Cast(equality.value(), column.dataType(), Option.empty(), EvalMode.TRY());
    this.values = new Project(Lists.seq(List.of(named(value, column.name()))), source);
    this.query = optimized(values);
  }

  private static Alias named(Expression value, String name) {
    return new Alias(
        value,
        name,
        NamedExpression.newExprId(),
        Lists.seq(List.of()),
        Option.empty(),
        Lists.seq(List.of()));
  }

  private LogicalPlan optimized(LogicalPlan plan) {
    return optimizer.execute(new Subquery(plan, false)).children().apply(0);
  }

  /** How many there are, by statistics of the source. */
  long estimatedRows() {
    Statistics statistics = query.stats();
    if (statistics.rowCount().isDefined()) {
      return clamped(statistics.rowCount().get().bigInteger());
    }
    long width = column.dataType().defaultSize();
    return clamped(statistics.sizeInBytes().bigInteger().divide(BigInteger.valueOf(width)));
  }

  private static long clamped(BigInteger rows) {
    return rows.bitLength() < Long.SIZE ? rows.longValue() : Long.MAX_VALUE;
  }

  /** {@code column IN (values)}, whose values are collected when the query runs. */
  Expression asSet() {
    return new DynamicPruningSubquery(
        column,
        query,
        Lists.seq(List.of(query.output().apply(0))),
        Lists.seq(List.of((Object) 0)),
        false,
        NamedExpression.newExprId(),
        Option.empty());
  }

  /** {@code column >= least value} and {@code column <= greatest value}. */
  List<Expression> asRange() {
    Attribute value = values.output().apply(0);
    return List.of(
        new GreaterThanOrEqual(column, scalar(new Min(value))),
        new LessThanOrEqual(column, scalar(new Max(value))));
  }

  private Expression scalar(AggregateFunction function) {
    Aggregate aggregate =
        new Aggregate(
            Lists.seq(List.of()),
            Lists.seq(List.of(named(function.toAggregateExpression(), function.prettyName()))),
            values,
            Option.empty());
    return new ScalarSubquery(
        apart(optimized(aggregate)),
        Lists.seq(List.of()),
        NamedExpression.newExprId(),
        Lists.seq(List.of()),
        Option.empty(),
        Option.empty(),
        Option.empty());
  }

  /**
   * A query of one row that stays as it is. Spark makes one aggregation of several, whose results
   * are fields of a struct; a scan takes comparisons with values, and none with fields of a struct.
   * Below this node Spark may do so.
   */
  private static LogicalPlan apart(LogicalPlan oneRow) {
    return new GlobalLimit(Literal$.MODULE$.apply(1), oneRow);
  }
}
