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

import io.keylake.spark.read.layout.KeyedScan;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The column of a scan whose values a column of a plan has, where the plan leaves rows in the tasks
 * of the scan: through projections, filters, windows, groupings by the column, and the sides of
 * joins whose rows all come out.
 *
 * @param relation the scan
 * @param name the column
 */
record ReadColumn(DataSourceV2ScanRelation relation, String name) {
  /** Where the values of {@code column} come from; empty when they are computed. */
  static Optional<ReadColumn> of(LogicalPlan plan, Expression column) {
    return column instanceof Attribute attribute ? ofAttribute(plan, attribute) : Optional.empty();
  }

  private static Optional<ReadColumn> ofAttribute(LogicalPlan plan, Attribute column) {
    if (!plan.outputSet().contains(column)) {
      return Optional.empty();
    }
    if (plan instanceof DataSourceV2ScanRelation relation) {
      return relation.scan() instanceof KeyedScan
          ? Optional.of(new ReadColumn(relation, column.name()))
          : Optional.empty();
    } else if (plan instanceof Filter filter) {
      return ofAttribute(filter.child(), column);
    } else if (plan instanceof Window window) {
      return ofAttribute(window.child(), column);
    } else if (plan instanceof Project project) {
      return named(project.projectList(), column).flatMap(inner -> of(project.child(), inner));
    } else if (plan instanceof Aggregate aggregate) {
      return named(aggregate.aggregateExpressions(), column)
          .filter(
              inner -> aggregate.groupingExpressions().exists(group -> group.semanticEquals(inner)))
          .flatMap(inner -> of(aggregate.child(), inner));
    }
    return plan instanceof Join join ? ofJoin(join, column) : Optional.empty();
  }

  private static Optional<ReadColumn> ofJoin(Join join, Attribute column) {
    JoinType type = join.joinType();
    boolean inner = type.equals(Inner$.MODULE$);
    boolean keepsLeft =
        inner
            || type.equals(LeftOuter$.MODULE$)
            || type.equals(LeftSemi$.MODULE$)
            || type.equals(LeftAnti$.MODULE$);
    boolean keepsRight = inner || type.equals(RightOuter$.MODULE$);
    Optional<ReadColumn> left = keepsLeft ? ofAttribute(join.left(), column) : Optional.empty();
    return left.isPresent() || !keepsRight ? left : ofAttribute(join.right(), column);
  }

  /** What a projection computes as {@code column}. */
  private static Optional<Expression> named(Seq<NamedExpression> list, Attribute column) {
    for (NamedExpression expression : CollectionConverters.asJava(list)) {
      if (expression.exprId().equals(column.exprId())) {
        return Optional.of(
            expression instanceof Alias alias ? alias.child() : (Expression) expression);
      }
    }
    return Optional.empty();
  }

  KeyedScan scan() {
    return (KeyedScan) relation.scan();
  }
}
