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
import static io.keylake.extensions.statements.ModelTable.Q;
import static io.keylake.extensions.statements.ModelTable.S;
import static io.keylake.extensions.statements.ModelTable.V;
import static io.keylake.extensions.statements.ModelTable.W;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Random rows, conditions and assignments for a table. */
final class RandomParts {
  private static final int KEYS = 12;

  /**
   * {@code SET column = sql}.
   *
   * @param value what it gives
   */
  record Assignment(int column, String sql, Condition.Value value) {}

  private final Random random;
  private final ModelTable table;

  RandomParts(Random random, ModelTable table) {
    this.random = random;
    this.table = table;
  }

  @SafeVarargs
  final <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  boolean oneOf(int times) {
    return random.nextInt(times) == 0;
  }

  int number(int bound) {
    return random.nextInt(bound);
  }

  /** Rows with different keys, some of which the table has. */
  List<List<Object>> rows(int count) {
    Map<Object, List<Object>> rows = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      List<Object> row = row();
      rows.put(table.engine().isKeyed() ? table.key(row) : (Object) i, row);
    }
    return new ArrayList<>(rows.values());
  }

  /** Rows with different values of {@code k}. */
  List<List<Object>> sourceRows(int count) {
    Map<Object, List<Object>> rows = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      List<Object> row = row();
      rows.put(row.get(K), row);
    }
    return new ArrayList<>(rows.values());
  }

  private List<Object> row() {
    List<Object> row = new ArrayList<>();
    for (int column = 0; column < table.columns().size(); column++) {
      row.add(value(column));
    }
    if (table.engine().hasGroup() && row.get(Q) == null) {
      row.set(V, null);
    }
    return row;
  }

  @Nullable Object value(int column) {
    if (column == K) {
      return !table.engine().isKeyed() && oneOf(10) ? null : (Object) (long) random.nextInt(KEYS);
    }
    if (column == P) {
      return !table.engine().isKeyed() && oneOf(8) ? null : (Object) pick("a", "b", "c");
    }
    if (oneOf(5)) {
      return null;
    }
    return table.columns().get(column).type().equals("STRING")
        ? pick("x", "y", "zz", "")
        : (Object) (long) random.nextInt(10);
  }

  private Object someValue(int column) {
    Object value = value(column);
    return value == null ? someValue(column) : value;
  }

  /** A condition on rows of the table whose columns are prefixed. */
  Condition onRow(String prefix) {
    Condition condition = simple(prefix, false);
    return switch (random.nextInt(6)) {
      case 0 -> condition.and(simple(prefix, false));
      case 1 -> condition.or(simple(prefix, false));
      case 2 -> condition.not();
      default -> condition;
    };
  }

  /** A condition on rows of the source. */
  Condition onSource() {
    return oneOf(3) ? simple("s.", true).not() : simple("s.", true);
  }

  /** A condition on both. */
  Condition onBoth() {
    if (oneOf(3)) {
      return oneOf(2) ? onRow("t.") : onSource();
    }
    int column = pick(V, W, Q);
    return Condition.compare(
        "s." + table.name(column),
        (row, source) -> source.get(column),
        pick("<", ">", "=", ">=", "<>"),
        "t." + table.name(column),
        (row, source) -> row.get(column));
  }

  private Condition simple(String prefix, boolean ofSource) {
    int column =
        oneOf(2) ? K : oneOf(5) ? random.nextInt(table.columns().size()) : pick(P, V, W, S, Q);
    String name = prefix + table.name(column);
    Condition.Value value =
        ofSource ? (row, source) -> source.get(column) : (row, source) -> row.get(column);
    return switch (random.nextInt(8)) {
      case 0 -> new Condition(name + " IS NULL", (row, source) -> value.of(row, source) == null);
      case 1 ->
          new Condition(name + " IS NOT NULL", (row, source) -> value.of(row, source) != null);
      case 2, 3 -> listed(column, name, value);
      case 4 -> compared(prefix, ofSource);
      default -> {
        Object constant = someValue(column);
        yield Condition.compare(
            name,
            value,
            pick("=", "<", ">", ">=", "<>"),
            table.literal(column, constant),
            (row, source) -> constant);
      }
    };
  }

  private Condition listed(int column, String name, Condition.Value value) {
    TreeSet<Object> list = new TreeSet<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      list.add(someValue(column));
    }
    list.forEach(each -> texts.add(table.literal(column, each)));
    return new Condition(
        name + " IN (" + String.join(", ", texts) + ")",
        (row, source) -> {
          Object found = value.of(row, source);
          return found == null ? null : (Boolean) list.contains(found);
        });
  }

  private Condition compared(String prefix, boolean ofSource) {
    int a = pick(V, Q);
    int b = pick(W, V);
    return Condition.compare(
        prefix + table.name(a),
        ofSource ? (row, source) -> source.get(a) : (row, source) -> row.get(a),
        pick("<", ">="),
        prefix + table.name(b),
        ofSource ? (row, source) -> source.get(b) : (row, source) -> row.get(b));
  }

  /**
   * What an UPDATE sets, columns outside of the key; with {@code withSource} also from the source.
   */
  List<Assignment> assignments(String prefix, boolean withSource) {
    List<Assignment> chosen = new ArrayList<>();
    for (int column = 0; column < table.columns().size(); column++) {
      if (!table.isKey(column) && oneOf(3)) {
        chosen.add(assignment(column, prefix, withSource));
      }
    }
    if (table.engine().hasGroup()) {
      regroup(chosen, prefix, withSource);
    }
    return chosen.isEmpty() ? assignments(prefix, withSource) : chosen;
  }

  private Assignment assignment(int column, String prefix, boolean withSource) {
    boolean text = table.columns().get(column).type().equals("STRING");
    String name = prefix + table.name(column);
    if (withSource && oneOf(2)) {
      return new Assignment(column, "s." + table.name(column), (row, source) -> source.get(column));
    }
    Object constant = someValue(column);
    Assignment toConstant =
        new Assignment(column, table.literal(column, constant), (row, source) -> constant);
    return switch (random.nextInt(4)) {
      case 0 -> column == P ? toConstant : new Assignment(column, "NULL", (row, source) -> null);
      case 1 -> text ? longer(column, name) : added(column, name);
      case 2 -> {
        int other = column == P ? P : text ? pick(S, P) : pick(V, Q, K);
        yield new Assignment(column, prefix + table.name(other), (row, source) -> row.get(other));
      }
      default -> toConstant;
    };
  }

  private static Assignment longer(int column, String name) {
    return new Assignment(
        column,
        "concat(" + name + ", '!')",
        (row, source) -> row.get(column) == null ? null : row.get(column) + "!");
  }

  private Assignment added(int column, String name) {
    long step = random.nextInt(9) - 4L;
    return new Assignment(
        column,
        name + " + " + step,
        (row, source) -> row.get(column) == null ? null : (Object) ((Long) row.get(column) + step));
  }

  /**
   * Sets the columns of a sequence group together, so that a row with values of the group has its
   * sequence, too: what becomes of others depends on how many rows its key was written with.
   */
  private void regroup(List<Assignment> chosen, String prefix, boolean withSource) {
    chosen.removeIf(assignment -> assignment.column() == V || assignment.column() == Q);
    switch (random.nextInt(withSource ? 5 : 4)) {
      case 0 -> {
        Object sequence = someValue(Q);
        chosen.add(new Assignment(Q, table.literal(Q, sequence), (row, source) -> sequence));
        chosen.add(assignment(V, prefix, false));
      }
      case 1 -> {
        chosen.add(new Assignment(Q, "NULL", (row, source) -> null));
        chosen.add(new Assignment(V, "NULL", (row, source) -> null));
      }
      case 2 -> chosen.add(new Assignment(V, "NULL", (row, source) -> null));
      case 3 -> {}
      default -> {
        for (int column : new int[] {V, Q}) {
          chosen.add(
              new Assignment(
                  column, "s." + table.name(column), (row, source) -> source.get(column)));
        }
      }
    }
  }
}
