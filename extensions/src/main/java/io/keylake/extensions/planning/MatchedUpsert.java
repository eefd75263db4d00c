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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeRows;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.WriteDelta;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.collection.immutable.Seq;

/**
 * A MERGE that gives each source row to the table, whether there is a row of its key or not.
 *
 * @param relation the target
 * @param source its rows
 * @param on column = value, for each conjunct of the ON condition
 * @param updated what a found row becomes, by column
 * @param inserted what is inserted when there is none, by column
 */
record MatchedUpsert(
    DataSourceV2Relation relation,
    LogicalPlan source,
    List<KeyEquality> on,
    List<Expression> updated,
    List<Expression> inserted) {
  /** The first output of an instruction says which operation it is. */
  private static final int FIRST_COLUMN = 1;

  MatchedUpsert {
    on = List.copyOf(on);
    updated = List.copyOf(updated);
    inserted = List.copyOf(inserted);
  }

  /**
   * The upsert that Spark has rewritten into {@code write}: one WHEN MATCHED UPDATE and one WHEN
   * NOT MATCHED INSERT, both without condition, and equalities only in ON. Empty when it is
   * anything else.
   */
  static Optional<MatchedUpsert> of(WriteDelta write) {
    if (write.originalTable() instanceof DataSourceV2Relation relation
        && write.query() instanceof MergeRows rows
        && rows.notMatchedBySourceInstructions().isEmpty()
        && rows.child() instanceof Join join
        && join.joinType().equals(RightOuter$.MODULE$)
        && join.condition().isDefined()
        && join.right() instanceof Project sourceRows
        && readsAll(join.left())) {
      return of(relation, rows, sourceRows.child(), join.condition().get());
    }
    return Optional.empty();
  }

  /** Whether no condition of ON chooses among rows of the target. */
  private static boolean readsAll(LogicalPlan target) {
    return target instanceof Project project
        && (project.child() instanceof DataSourceV2Relation
            || (project.child() instanceof Filter filter
                && filter.condition().equals(Literal$.MODULE$.TrueLiteral())
                && filter.child() instanceof DataSourceV2Relation));
  }

  private static Optional<MatchedUpsert> of(
      DataSourceV2Relation relation, MergeRows rows, LogicalPlan source, Expression condition) {
    int columns = relation.output().size();
    Optional<List<Expression>> updated =
        only(rows.matchedInstructions(), MergeRows.Update$.MODULE$, columns);
    Optional<List<Expression>> inserted =
        only(rows.notMatchedInstructions(), MergeRows.Insert$.MODULE$, columns);
    if (updated.isEmpty() || inserted.isEmpty()) {
      return Optional.empty();
    }
    List<KeyEquality> on = new ArrayList<>();
    for (Expression conjunct : KeyEquality.conjuncts(condition)) {
      Optional<KeyEquality> equality = KeyEquality.of(conjunct, relation, source.outputSet());
      if (equality.isEmpty()) {
        return Optional.empty();
      }
      on.add(equality.get());
    }
    return Optional.of(new MatchedUpsert(relation, source, on, updated.get(), inserted.get()));
  }

  /** What the only instruction, which has no condition, makes of a row's columns. */
  private static Optional<List<Expression>> only(
      Seq<MergeRows.Instruction> instructions, MergeRows.Context context, int columns) {
    if (instructions.size() == 1
        && instructions.apply(0) instanceof MergeRows.Keep keep
        && keep.context().equals(context)
        && keep.condition().equals(Literal$.MODULE$.TrueLiteral())) {
      return Optional.of(
          Lists.of(keep.output()).subList(FIRST_COLUMN, FIRST_COLUMN + columns).stream()
              .map(value -> value instanceof Alias alias ? alias.child() : value)
              .toList());
    }
    return Optional.empty();
  }

  /**
   * Whether the row that is written is the same whether a row was found or not, and has the key
   * {@code keys} by which it was looked for.
   */
  boolean writesSourceRowsByKey(Set<String> keys) {
    Optional<Map<String, Expression>> compared = compared();
    if (compared.isEmpty() || !compared.get().keySet().equals(keys)) {
      return false;
    }
    List<Attribute> columns = List.copyOf(Lists.of(relation.output()));
    for (int i = 0; i < columns.size(); i++) {
      Attribute column = columns.get(i);
      Expression key = compared.get().get(column.name());
      if (key != null && !WrittenKey.isSame(key, inserted.get(i))) {
        return false;
      }
      boolean isLeftAlone = key != null && updated.get(i).semanticEquals(column);
      if (!isLeftAlone && !updated.get(i).semanticEquals(inserted.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The value that each column is compared with; empty when one is compared with two. */
  private Optional<Map<String, Expression>> compared() {
    Map<String, Expression> values = new HashMap<>();
    for (KeyEquality equality : on) {
      Expression before = values.putIfAbsent(equality.column().name(), equality.value());
      if (before != null && !before.semanticEquals(equality.value())) {
        return Optional.empty();
      }
    }
    return Optional.of(values);
  }
}
