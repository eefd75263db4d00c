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

package io.keylake.extensions.statements;

import static io.keylake.extensions.statements.ModelTable.K;
import static io.keylake.extensions.statements.ModelTable.P;

import io.keylake.extensions.statements.ModelTable.Change;
import io.keylake.extensions.statements.RandomParts.Assignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A random MERGE and its naive evaluation: each row of the table is changed by the first clause
 * that applies to it and the row of the source that it matches; rows of the source that match none
 * are inserted by the first clause that applies to them.
 */
final class RandomMerge {
  /**
   * One WHEN clause.
   *
   * @param condition what it asks beside the match; null = nothing
   * @param set what it assigns; null = it deletes
   */
  private record Clause(@Nullable Condition condition, @Nullable List<Assignment> set) {
    boolean applies(List<Object> row, List<Object> source) {
      return condition == null || condition.holds(row, source);
    }
  }

  private final RandomParts parts;
  private final ModelTable table;
  private final String name;
  private final List<List<Object>> source;
  private final boolean onPartition;
  private final List<Clause> matched = new ArrayList<>();
  private final List<Clause> notMatched = new ArrayList<>();
  private final List<Clause> notMatchedBySource = new ArrayList<>();
  private final StringBuilder sql = new StringBuilder();

  RandomMerge(RandomParts parts, ModelTable table, String name) {
    this.parts = parts;
    this.table = table;
    this.name = name;
    this.source = parts.sourceRows(1 + parts.number(7));
    this.onPartition = table.isKey(P) ? parts.oneOf(2) : parts.oneOf(8);
  }

  Statement next() {
    sql.append("MERGE INTO ")
        .append(name)
        .append(" t USING (SELECT * FROM ")
        .append(table.relation(source, "x"))
        .append(") s ON t.k = s.k")
        .append(onPartition ? " AND t.p = s.p" : "");
    if (parts.oneOf(4)) {
      upsertAll();
    } else {
      clauses();
    }
    List<Change> changes = changes();
    return Statement.of(sql.toString(), () -> table.change(changes));
  }

  private void upsertAll() {
    matched.add(new Clause(null, keepsKeys() ? all() : values()));
    sql.append(" WHEN MATCHED THEN UPDATE SET ").append(keepsKeys() ? "*" : text(values()));
    notMatched.add(new Clause(null, all()));
    sql.append(" WHEN NOT MATCHED THEN INSERT *");
  }

  /** Whether a row that takes all columns of its source keeps its key. */
  private boolean keepsKeys() {
    return onPartition || !table.isKey(P);
  }

  private void clauses() {
    int kinds = 1 + parts.number(7);
    if ((kinds & 1) != 0) {
      for (int i = parts.number(2); i >= 0; i--) {
        whenMatched(i > 0);
      }
    }
    if ((kinds & 2) != 0) {
      for (int i = parts.number(2); i >= 0; i--) {
        whenNotMatched(i > 0);
      }
    }
    if ((kinds & 4) != 0) {
      for (int i = parts.number(2); i >= 0; i--) {
        whenNotMatchedBySource(i > 0);
      }
    }
  }

  private void whenMatched(boolean conditional) {
    Condition condition = conditional || parts.oneOf(2) ? parts.onBoth() : null;
    sql.append(" WHEN MATCHED").append(text(condition));
    List<Assignment> set = null;
    if (parts.oneOf(4)) {
      sql.append(" THEN DELETE");
    } else if (keepsKeys() && parts.oneOf(3)) {
      set = all();
      sql.append(" THEN UPDATE SET *");
    } else {
      set = parts.assignments("t.", true);
      sql.append(" THEN UPDATE SET ").append(text(set));
    }
    matched.add(new Clause(condition, set));
  }

  private void whenNotMatched(boolean conditional) {
    Condition condition = conditional || parts.oneOf(3) ? parts.onSource() : null;
    sql.append(" WHEN NOT MATCHED").append(text(condition)).append(" THEN INSERT *");
    notMatched.add(new Clause(condition, all()));
  }

  private void whenNotMatchedBySource(boolean conditional) {
    Condition condition = conditional || parts.oneOf(2) ? parts.onRow("t.") : null;
    sql.append(" WHEN NOT MATCHED BY SOURCE").append(text(condition));
    List<Assignment> set = parts.oneOf(2) ? null : parts.assignments("t.", false);
    sql.append(set == null ? " THEN DELETE" : " THEN UPDATE SET " + text(set));
    notMatchedBySource.add(new Clause(condition, set));
  }

  private static String text(@Nullable Condition condition) {
    return condition == null ? "" : " AND " + condition.sql();
  }

  private String text(List<Assignment> set) {
    List<String> texts = new ArrayList<>();
    set.forEach(
        assignment -> texts.add(table.name(assignment.column()) + " = " + assignment.sql()));
    return String.join(", ", texts);
  }

  private List<Assignment> all() {
    List<Assignment> all = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      int column = i;
      all.add(new Assignment(i, "s." + table.name(i), (row, from) -> from.get(column)));
    }
    return all;
  }

  private List<Assignment> values() {
    return all().stream().filter(assignment -> !table.isKey(assignment.column())).toList();
  }

  private List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      List<Object> match = null;
      for (List<Object> candidate : source) {
        match = matches(row, candidate) ? candidate : match;
      }
      List<Object> from = match == null ? List.of() : match;
      for (Clause clause : match == null ? notMatchedBySource : matched) {
        if (clause.applies(row, from)) {
          changes.add(new Change(row, clause.set() == null ? null : set(row, from, clause.set())));
          break;
        }
      }
    }
    for (List<Object> from : source) {
      if (table.rows().stream().noneMatch(row -> matches(row, from))) {
        notMatched.stream()
            .filter(clause -> clause.applies(List.of(), from))
            .findFirst()
            .ifPresent(clause -> changes.add(new Change(null, from)));
      }
    }
    return changes;
  }

  private boolean matches(List<Object> row, List<Object> from) {
    return row.get(K) != null
        && row.get(K).equals(from.get(K))
        && (!onPartition || row.get(P) != null && Objects.equals(row.get(P), from.get(P)));
  }

  /** A row after assignments, all of which see it as it was. */
  static List<Object> set(List<Object> row, List<Object> from, List<Assignment> assignments) {
    List<Object> result = new ArrayList<>(row);
    for (Assignment assignment : assignments) {
      result.set(assignment.column(), assignment.value().of(row, from));
    }
    return result;
  }
}
