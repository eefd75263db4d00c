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

package io.keylake.extensions.dialect;

import java.util.List;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.analysis.UnresolvedExtractValue;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * {@code ARRAY[a]}, which Spark reads as an element of the column ARRAY, is an array where there is
 * no such column. Runs after Spark's own rules have looked for one.
 */
public final class SingleElementArrays extends Rule<LogicalPlan> {
  private static final String ARRAY = "array";

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperators(
        new AbstractPartialFunction<LogicalPlan, LogicalPlan>() {
          @Override
          public boolean isDefinedAt(LogicalPlan node) {
            return !node.resolved() && node.childrenResolved();
          }

          @Override
          public LogicalPlan apply(LogicalPlan node) {
            return node.transformExpressions(new ToArray(node));
          }
        });
  }

  private static final class ToArray extends AbstractPartialFunction<Expression, Expression> {
    private final LogicalPlan node;

    ToArray(LogicalPlan node) {
      this.node = node;
    }

    @Override
    public boolean isDefinedAt(Expression expression) {
      return expression instanceof UnresolvedExtractValue element
          && element.child() instanceof UnresolvedAttribute column
          && column.nameParts().size() == 1
          && column.nameParts().head().equalsIgnoreCase(ARRAY)
          && !isColumn(column);
    }

    /** Also one that comes to be in this node, which Spark looks for later. */
    private boolean isColumn(UnresolvedAttribute column) {
      return node.resolveChildren(column.nameParts(), SQLConf.get().resolver()).isDefined()
          || CollectionConverters.asJava(node.expressions()).stream()
              .anyMatch(
                  made -> made instanceof Alias alias && alias.name().equalsIgnoreCase(ARRAY));
    }

    @Override
    public Expression apply(Expression expression) {
      return new CreateArray(
          CollectionConverters.asScala(List.of(((UnresolvedExtractValue) expression).extraction()))
              .toSeq(),
          false);
    }
  }
}
