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
import static io.keylake.extensions.statements.ModelTable.V;
import static io.keylake.extensions.statements.ModelTable.W;

import io.keylake.extensions.statements.ModelTable.Change;
import io.keylake.extensions.statements.RandomParts.Assignment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Random statements on one table. */
final class RandomStatements {
  private static final String OVERWRITE_MODE = "spark.sql.sources.partitionOverwriteMode";

  private final RandomParts parts;
  private final ModelTable table;
  private final String name;
  private final int step;

  /**
   * @param step tells names and keys that a statement makes from those of others
   */
  RandomStatements(Random random, ModelTable table, String name, int step) {
    this.parts = new RandomParts(random, table);
    this.table = table;
    this.name = name;
    this.step = step;
  }

  Statement next() {
    int choice = parts.number(24);
    if (choice < 5) {
      return insert(1 + parts.number(6));
    } else if (choice < 9) {
      return delete();
    } else if (choice < 13) {
      return parts.oneOf(4) ? move() : update();
    } else if (choice < 18) {
      return new RandomMerge(parts, table, name).next();
    } else if (choice < 20) {
      return overwrite();
    } else if (choice == 20) {
      return alter();
    } else if (choice == 21) {
      return compact();
    } else if (choice == 22) {
      return parts.oneOf(3) ? truncate() : compact();
    }
    return refused();
  }

  Statement insert(int count) {
    List<List<Object>> rows = parts.rows(count);
    return Statement.of(
        "INSERT INTO " + name + " SELECT * FROM " + table.relation(rows, "x"),
        () -> table.insert(rows));
  }

  private Statement truncate() {
    return Statement.of("TRUNCATE TABLE " + name, () -> table.clear(null));
  }

  Statement compact() {
    String strategy =
        table.engine().isKeyed()
            ? ", compact_strategy => '" + parts.pick("full", "minor") + "'"
            : "";
    return Statement.of(
        "CALL lake.sys.compact(table => 'db." + name + "'" + strategy + ")", () -> {});
  }

  private Statement delete() {
    if (parts.oneOf(5)) {
      return deleteBySubquery();
    }
    if (parts.oneOf(12)) {
      return Statement.of("DELETE FROM " + name, () -> table.clear(null));
    }
    if (table.isPartitioned() && parts.oneOf(5)) {
      String partition = parts.pick("a", "b", "c");
      return deleteWhere("p = '" + partition + "'", row -> partition.equals(row.get(P)));
    }
    Condition condition = parts.onRow("");
    return deleteWhere(condition.sql(), condition::holds);
  }

  private Statement deleteBySubquery() {
    List<List<Object>> keys = parts.sourceRows(3);
    Set<Object> found = new HashSet<>();
    keys.forEach(row -> found.add(row.get(K)));
    found.remove(null);
    Predicate<List<Object>> chosen = row -> row.get(K) != null && found.contains(row.get(K));
    String view =
        "CREATE OR REPLACE TEMPORARY VIEW src AS SELECT * FROM " + table.relation(keys, "x");
    return switch (parts.number(3)) {
      case 0 -> deleteWhere("k IN (SELECT k FROM src)", chosen).after(view);
      case 1 ->
          deleteWhere("EXISTS (SELECT 1 FROM src x WHERE x.k = " + name + ".k)", chosen)
              .after(view);
      default ->
          deleteWhere(
                  "NOT EXISTS (SELECT 1 FROM src x WHERE x.k = " + name + ".k)", chosen.negate())
              .after(view);
    };
  }

  private Statement deleteWhere(String condition, Predicate<List<Object>> chosen) {
    List<Change> changes = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      if (chosen.test(row)) {
        changes.add(new Change(row, null));
      }
    }
    return Statement.of("DELETE FROM " + name + " WHERE " + condition, () -> table.change(changes));
  }

  private Statement update() {
    List<Assignment> set = parts.assignments("", false);
    @Nullable Condition condition = parts.oneOf(8) ? null : parts.onRow("");
    List<Change> changes = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      if (condition == null || condition.holds(row)) {
        changes.add(new Change(row, RandomMerge.set(row, List.of(), set)));
      }
    }
    List<String> texts = new ArrayList<>();
    set.forEach(each -> texts.add(table.name(each.column()) + " = " + each.sql()));
    return Statement.of(
        "UPDATE "
            + name
            + " SET "
            + String.join(", ", texts)
            + (condition == null ? "" : " WHERE " + condition.sql()),
        () -> table.change(changes));
  }

  /** Keys get values that no row had. */
  private Statement move() {
    long offset = 1000L << step % 12;
    Condition condition = parts.onRow("");
    boolean alsoPartition = table.isKey(P) && parts.oneOf(2);
    List<Change> changes = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      if (condition.holds(row)) {
        List<Object> moved = new ArrayList<>(row);
        moved.set(K, row.get(K) == null ? null : (Object) ((Long) row.get(K) + offset));
        if (alsoPartition) {
          // Keys that differ in their partition only would become one.
          moved.set(K, (Long) moved.get(K) + row.get(P).hashCode() * 100_000L);
          moved.set(P, "b");
        }
        changes.add(new Change(row, moved));
      }
    }
    String key =
        alsoPartition ? "k + " + offset + " + ascii(p) * 100000, p = 'b'" : "k + " + offset;
    return Statement.of(
        "UPDATE " + name + " SET k = " + key + " WHERE " + condition.sql(),
        () -> table.change(changes));
  }

  private Statement overwrite() {
    List<List<Object>> rows = parts.rows(parts.oneOf(6) ? 0 : 1 + parts.number(5));
    if (rows.isEmpty()) {
      return Statement.of(
              "INSERT OVERWRITE " + name + " SELECT * FROM " + name + " WHERE false",
              () -> table.clear(null))
          .with(OVERWRITE_MODE, "static");
    }
    if (!table.isPartitioned() || parts.oneOf(4)) {
      return Statement.of(
              "INSERT OVERWRITE " + name + " SELECT * FROM " + table.relation(rows, "x"),
              () -> {
                table.clear(null);
                table.insert(rows);
              })
          .with(OVERWRITE_MODE, "static");
    }
    if (parts.oneOf(2)) {
      Set<Object> partitions = new HashSet<>();
      rows.forEach(row -> partitions.add(row.get(P)));
      return Statement.of(
              "INSERT OVERWRITE " + name + " SELECT * FROM " + table.relation(rows, "x"),
              () -> {
                table.clear(partitions);
                table.insert(rows);
              })
          .with(OVERWRITE_MODE, "dynamic");
    }
    return overwritePartition(rows);
  }

  private Statement overwritePartition(List<List<Object>> rows) {
    String partition = parts.pick("a", "b", "c");
    rows.forEach(row -> row.set(P, partition));
    Set<Object> keys = new HashSet<>();
    rows.removeIf(row -> table.engine().isKeyed() && !keys.add(row.get(K)));
    List<String> others = new ArrayList<>();
    for (int column = 0; column < table.columns().size(); column++) {
      if (column != P) {
        others.add(table.name(column));
      }
    }
    return Statement.of(
            "INSERT OVERWRITE "
                + name
                + " PARTITION (p = '"
                + partition
                + "') SELECT "
                + String.join(", ", others)
                + " FROM "
                + table.relation(rows, "x"),
            () -> {
              table.clear(Collections.singleton(partition));
              table.insert(rows);
            })
        .with(OVERWRITE_MODE, parts.pick("static", "dynamic"));
  }

  private Statement alter() {
    String start = "ALTER TABLE " + name + " ";
    int column = parts.pick(V, W, Q);
    if (column != W && parts.oneOf(3) && table.columns().get(column).type().equals("INT")) {
      return Statement.of(
              start + "ALTER COLUMN " + table.name(column) + " TYPE BIGINT",
              () -> table.widenColumn(column))
          .orRefused();
    }
    if (parts.oneOf(2)) {
      String type = parts.pick("INT", "STRING", "BIGINT");
      String added = "n" + step;
      return Statement.of(
          start + "ADD COLUMN " + added + " " + type, () -> table.addColumn(added, type));
    }
    int renamed = parts.pick(V, W, Q, W + 1);
    String other = "r" + step;
    return Statement.of(
            start + "RENAME COLUMN " + table.name(renamed) + " TO " + other,
            () -> table.renameColumn(renamed, other))
        .orRefused();
  }

  /** Statements that must fail. */
  private Statement refused() {
    List<List<Object>> rows = table.rows();
    if (!table.engine().isKeyed() || rows.size() < 2) {
      return cardinality(rows);
    }
    List<Object> one = rows.get(0);
    List<Object> other = rows.get(1);
    String both = " WHERE k IN (" + one.get(K) + ", " + other.get(K) + ")";
    return switch (parts.number(4)) {
      case 0 ->
          Statement.refused(
              "UPDATE " + name + " SET k = 777" + (table.isKey(P) ? ", p = 'a'" : "") + both,
              "KEYLAKE_DUPLICATE_KEY");
      case 1 ->
          Statement.refused("UPDATE " + name + " SET k = NULL" + both, "NOT_NULL_ASSERT_VIOLATION");
      case 2 -> {
        List<Object> fresh = new ArrayList<>(one);
        fresh.set(K, 778L);
        yield Statement.refused(
            "MERGE INTO "
                + name
                + " t USING (SELECT * FROM "
                + table.relation(List.of(fresh, fresh), "x")
                + ") s ON t.k = s.k WHEN NOT MATCHED THEN INSERT *",
            "KEYLAKE_DUPLICATE_KEY");
      }
      default -> cardinality(rows);
    };
  }

  private Statement cardinality(List<List<Object>> rows) {
    List<List<Object>> found = rows.stream().filter(row -> row.get(K) != null).toList();
    if (found.isEmpty()) {
      return insert(4);
    }
    List<Object> one = found.get(parts.number(found.size()));
    return Statement.refused(
        "MERGE INTO "
            + name
            + " t USING (SELECT * FROM "
            + table.relation(List.of(one, one), "x")
            + ") s ON t.k = s.k WHEN MATCHED THEN UPDATE SET "
            + table.name(W)
            + " = 5",
        "MERGE_CARDINALITY_VIOLATION");
  }
}
