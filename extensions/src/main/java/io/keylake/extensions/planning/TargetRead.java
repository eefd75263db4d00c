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

import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.KeylakeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/**
 * The side of a join that reads the target: projections and filters over its relation.
 *
 * @param side the side of the join
 * @param relation what is read
 * @param table the table
 * @param conditions of the filters, on columns of the relation. Spark leaves them above a
 *     projection that numbers the rows, where they choose no files; they hold below it as well,
 *     since the numbers only tell rows apart
 */
record TargetRead(
    LogicalPlan side,
    DataSourceV2Relation relation,
    KeylakeTable table,
    List<Expression> conditions) {
  TargetRead {
    conditions = List.copyOf(conditions);
  }

  /** The read of a Keylake table; empty when there is none, or when it is restricted already. */
  static Optional<TargetRead> of(LogicalPlan side) {
    List<Expression> conditions = new ArrayList<>();
    LogicalPlan next = side;
    while (next instanceof Project || next instanceof Filter) {
      if (next instanceof Filter filter) {
        if (SubqueryExpression.hasSubquery(filter.condition())) {
          return Optional.empty();
        }
        conditions.addAll(KeyEquality.conjuncts(filter.condition()));
        next = filter.child();
      } else {
        next = ((Project) next).child();
      }
    }
    if (!(next instanceof DataSourceV2Relation relation)) {
      return Optional.empty();
    }
    return table(relation)
        .map(
            table ->
                new TargetRead(
                    side,
                    relation,
                    table,
                    conditions.stream()
                        .filter(
                            condition ->
                                condition.deterministic()
                                    && condition.references().subsetOf(relation.outputSet()))
                        .toList()));
  }

  private static Optional<KeylakeTable> table(DataSourceV2Relation relation) {
    if (relation.table() instanceof KeylakeTable table) {
      return Optional.of(table);
    }
    return relation.table() instanceof RowLevelOperationTable statement
            && statement.table() instanceof KeylakeTable table
            && statement.operation() instanceof SupportsDelta
            && !(statement.operation() instanceof ProbedOperation)
        ? Optional.of(table)
        : Optional.empty();
  }

  /** Whether a column is one by whose values files are left out. */
  boolean isKey(Attribute column) {
    List<String> keys =
        Stream.concat(
                table.pinned().schema().partitionKeys().stream(),
                table.pinned().schema().primaryKeys().stream())
            .toList();
    return keys.contains(column.name());
  }

  /** How many rows the files of the table have. */
  long rows() {
    Snapshot snapshot = table.pinned().snapshot();
    return snapshot == null ? 0 : snapshot.totalRecordCount();
  }

  /** The side, reading only rows of the relation for which the conditions hold. */
  LogicalPlan restricted(List<Expression> more) {
    Expression condition =
        Stream.concat(conditions.stream(), more.stream()).reduce(And::new).orElseThrow();
    return replaced(side, new Filter(condition, probed()));
  }

  private static LogicalPlan replaced(LogicalPlan plan, LogicalPlan read) {
    if (plan instanceof DataSourceV2Relation) {
      return read;
    }
    LogicalPlan child = replaced(plan.children().apply(0), read);
    return plan.withNewChildren(Lists.seq(List.of(child)));
  }

  private DataSourceV2Relation probed() {
    if (relation.table() instanceof RowLevelOperationTable statement
        && statement.operation() instanceof SupportsDelta delta) {
      return relation.copy(
          new RowLevelOperationTable(statement.table(), new ProbedOperation(delta)),
          relation.output(),
          relation.catalog(),
          relation.identifier(),
          relation.options(),
          relation.timeTravelSpec());
    }
    return relation;
  }
}
