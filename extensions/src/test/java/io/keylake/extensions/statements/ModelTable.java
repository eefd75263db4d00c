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

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a table must have, kept as plainly as can be: a list, in which one row has a key.
 * Values are Long, String or null. UPDATE, DELETE and MERGE act on the rows that are seen, as SQL
 * says; only an INSERT asks the engine.
 */
final class ModelTable {
  /** The columns that every table has, by position; others are added behind. */
  static final int K = 0;

  static final int P = 1;
  static final int V = 2;
  static final int W = 3;
  static final int S = 4;
  static final int Q = 5;

  /** A column; types are INT, BIGINT and STRING. */
  record Column(String name, String type) {}

  /**
   * A change of one row.
   *
   * @param old the row that was; null = a new one
   * @param row what becomes of it; null = it is deleted
   */
  record Change(@Nullable List<Object> old, @Nullable List<Object> row) {}

  private final StatementEngine engine;
  private final boolean partitioned;
  private final List<Column> columns = new ArrayList<>();
  private final List<List<Object>> rows = new ArrayList<>();
  private final Map<List<Object>, Long> deletedAt = new LinkedHashMap<>();
  private final Map<List<Object>, List<Object>> late = new LinkedHashMap<>();

  ModelTable(StatementEngine engine, boolean partitioned) {
    this.engine = engine;
    this.partitioned = partitioned;
    columns.add(new Column("k", "INT"));
    columns.add(new Column("p", "STRING"));
    columns.add(new Column("v", "INT"));
    columns.add(new Column("w", "BIGINT"));
    columns.add(new Column("s", "STRING"));
    columns.add(new Column("q", "INT"));
  }

  StatementEngine engine() {
    return engine;
  }

  boolean isPartitioned() {
    return partitioned;
  }

  List<Column> columns() {
    return columns;
  }

  String name(int column) {
    return columns.get(column).name();
  }

  List<List<Object>> rows() {
    return List.copyOf(rows);
  }

  boolean isKey(int column) {
    return engine.isKeyed() && (column == K || column == P && partitioned);
  }

  List<Object> key(List<Object> row) {
    return partitioned ? java.util.Arrays.asList(row.get(K), row.get(P)) : List.of(row.get(K));
  }

  void insert(Collection<List<Object>> added) {
    added.forEach(this::insert);
  }

  private void insert(List<Object> row) {
    if (!engine.isKeyed()) {
      rows.add(row);
      return;
    }
    List<Object> key = key(row);
    for (int i = 0; i < rows.size(); i++) {
      if (key(rows.get(i)).equals(key)) {
        rows.set(i, engine.merged(rows.get(i), row));
        return;
      }
    }
    if (deletedAt.containsKey(key) && StatementEngine.precedes(row.get(Q), deletedAt.get(key))) {
      late.put(key, row);
    } else {
      deletedAt.remove(key);
      rows.add(row);
    }
  }

  /** Changes rows that are seen, all at once. */
  void change(List<Change> changes) {
    List<List<Object>> added = new ArrayList<>();
    for (Change change : changes) {
      if (change.old() != null) {
        remove(change.old());
      }
      if (change.row() != null) {
        added.add(change.row());
      }
    }
    for (Change change : changes) {
      if (change.old() != null && change.row() != null && keepsKey(change)) {
        rows.add(change.row());
        added.remove(change.row());
        if (engine.isKeyed()) {
          deletedAt.remove(key(change.row()));
        }
      }
    }
    insert(added);
  }

  private boolean keepsKey(Change change) {
    return !engine.isKeyed() || key(change.old()).equals(key(change.row()));
  }

  private void remove(List<Object> row) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i) == row) {
        rows.remove(i);
        break;
      }
    }
    if (engine == StatementEngine.DEDUPLICATE_BY_SEQUENCE) {
      Long at = (Long) row.get(Q);
      deletedAt.merge(key(row), at == null ? Long.MIN_VALUE : at, Math::max);
    }
  }

  /** Forgets rows, and what was deleted, of some partitions; null = of all. */
  void clear(@Nullable Set<Object> partitions) {
    rows.removeIf(row -> partitions == null || partitions.contains(row.get(P)));
    deletedAt.keySet().removeIf(key -> partitions == null || partitions.contains(key.get(1)));
  }

  void addColumn(String name, String type) {
    columns.add(new Column(name, type));
    rows.replaceAll(
        row -> {
          List<Object> wider = new ArrayList<>(row);
          wider.add(null);
          return wider;
        });
  }

  void renameColumn(int column, String name) {
    columns.set(column, new Column(name, columns.get(column).type()));
  }

  void widenColumn(int column) {
    columns.set(column, new Column(columns.get(column).name(), "BIGINT"));
  }

  /**
   * Settles the rows that came with a lower sequence than that of the deleted row of their key:
   * such a row is late data as long as the deletion is known, so both outcomes are right.
   */
  void settle(Collection<String> seen) {
    late.forEach(
        (key, row) -> {
          if (seen.contains(text(row))) {
            rows.add(row);
            deletedAt.remove(key);
          }
        });
    late.clear();
  }

  /** The rows as text, sorted. */
  List<String> text() {
    return rows.stream().map(ModelTable::text).sorted().toList();
  }

  static String text(List<Object> row) {
    return String.join(",", row.stream().map(String::valueOf).toList());
  }

  /** A value as SQL has it. */
  String literal(int column, @Nullable Object value) {
    String type = columns.get(column).type();
    if (value == null) {
      return "CAST(NULL AS " + type + ")";
    }
    if (value instanceof String text) {
      return "'" + text + "'";
    }
    return type.equals("BIGINT") ? value + "L" : value.toString();
  }

  /** Rows as the relation {@code name}. */
  String relation(List<List<Object>> values, String name) {
    StringBuilder text = new StringBuilder("VALUES ");
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "(" : ", (");
      for (int c = 0; c < columns.size(); c++) {
        text.append(c == 0 ? "" : ", ").append(literal(c, values.get(i).get(c)));
      }
      text.append(")");
    }
    return text.append(" AS ")
        .append(name)
        .append("(")
        .append(String.join(", ", columns.stream().map(Column::name).toList()))
        .append(")")
        .toString();
  }
}
