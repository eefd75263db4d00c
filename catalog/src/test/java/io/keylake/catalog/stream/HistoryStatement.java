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

package io.keylake.catalog.stream;

import io.keylake.catalog.stream.HistoryChange.Values;
import io.keylake.catalog.stream.HistoryTable.Definition;
import io.keylake.catalog.stream.HistoryTable.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * A statement on a table.
 *
 * @param sql its text
 * @param kind what it does
 * @param written the changes that it writes, by the rows before it; nothing where they follow from
 *     the rows before and after
 */
record HistoryStatement(
    String sql, Kind kind, Function<List<Values>, List<HistoryChange>> written) {
  private static final int KEYS = 12;

  private static List<HistoryChange> nothing(List<Values> before) {
    return List.of();
  }

  /** What a statement does. */
  enum Kind {
    INSERT,
    /** DELETE, UPDATE or MERGE. */
    CHANGE,
    /** Files are replaced or dropped, without a changelog. */
    OVERWRITE,
    COMPACT,
    COMPACT_FULLY
  }

  /** Chooses statements. */
  static final class Choice {
    private final Definition definition;
    private final String table;
    private final Random random;

    Choice(Definition definition, String table, Random random) {
      this.definition = definition;
      this.table = table;
      this.random = random;
    }

    HistoryStatement next() {
      int rest = random.nextInt(3);
      return switch (random.nextInt(16)) {
        case 0, 1, 2, 3 -> insert(1 + random.nextInt(8));
        case 4 -> overwrite();
        case 5, 6 -> compact("minor", Kind.COMPACT);
        case 7 -> compact("full", Kind.COMPACT_FULLY);
        case 8, 9 -> delete(rest);
        case 10 ->
            update(
                "w = concat(w, '!')",
                rest,
                row ->
                    new Values(row.k(), row.p(), row.v(), row.w() == null ? null : row.w() + "!"));
        case 11 ->
            update(
                "v = 3 - v",
                rest,
                row -> new Values(row.k(), row.p(), row.v() == null ? null : 3 - row.v(), row.w()));
        case 12 -> update("w = NULL", rest, row -> new Values(row.k(), row.p(), row.v(), null));
        case 13 -> update("w = w", rest, row -> row);
        default -> merge();
      };
    }

    HistoryStatement insert(int count) {
      List<Values> rows = rows(count);
      return new HistoryStatement(
          "INSERT INTO " + table + " VALUES " + text(rows),
          Kind.INSERT,
          before -> changes("+I", rows));
    }

    private HistoryStatement overwrite() {
      String sql =
          definition.isPartitioned() && random.nextBoolean()
              ? random.nextBoolean()
                  ? "DELETE FROM " + table + " WHERE p = 1"
                  : "INSERT OVERWRITE "
                      + table
                      + " PARTITION (p = 1) SELECT k, v, w FROM VALUES "
                      + text(rows(4))
                      + " AS r(k, p, v, w)"
              : random.nextInt(4) == 0
                  ? "DELETE FROM " + table
                  : "INSERT OVERWRITE " + table + " VALUES " + text(rows(8));
      return new HistoryStatement(sql, Kind.OVERWRITE, HistoryStatement::nothing);
    }

    HistoryStatement compact(String strategy, Kind kind) {
      return new HistoryStatement(
          "CALL lake.sys.compact(table => 'db."
              + table.substring(table.lastIndexOf('.') + 1)
              + "', compact_strategy => '"
              + strategy
              + "')",
          kind,
          HistoryStatement::nothing);
    }

    private HistoryStatement delete(int rest) {
      return new HistoryStatement(
          "DELETE FROM " + table + " WHERE k % 3 = " + rest,
          Kind.CHANGE,
          before -> changes("-D", selected(before, k -> k % 3 == rest)));
    }

    private HistoryStatement update(String set, int rest, Function<Values, Values> change) {
      return new HistoryStatement(
          "UPDATE " + table + " SET " + set + " WHERE k % 3 <> " + rest,
          Kind.CHANGE,
          before -> {
            List<Values> rows = selected(before, k -> k % 3 != rest);
            List<HistoryChange> changes = changes("-U", rows);
            changes.addAll(changes("+U", rows.stream().map(change).toList()));
            return changes;
          });
    }

    private static List<Values> selected(List<Values> rows, IntPredicate keys) {
      return rows.stream().filter(row -> keys.test(row.k())).toList();
    }

    private HistoryStatement merge() {
      Set<Integer> keys = rows(6).stream().map(Values::k).collect(Collectors.toSet());
      boolean inPartition = definition.isPartitioned() && !definition.kind().movesKeys();
      boolean setsValue = random.nextBoolean();
      String sql =
          "MERGE INTO "
              + table
              + " t USING (SELECT k, 0 AS p, k * 10 AS v, 'merged' AS w FROM VALUES "
              + keys.stream().map(key -> "(" + key + ")").collect(Collectors.joining(", "))
              + " AS r(k)) s ON t.k = s.k"
              + (inPartition ? " AND t.p = s.p" : "")
              + " WHEN MATCHED AND t.k % 4 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET "
              + (setsValue ? "t.v = s.v, " : "")
              + "t.w = s.w WHEN NOT MATCHED THEN INSERT *";
      return new HistoryStatement(
          sql, Kind.CHANGE, before -> merged(before, keys, inPartition, setsValue));
    }

    private static List<HistoryChange> merged(
        List<Values> before, Set<Integer> keys, boolean inPartition, boolean setsValue) {
      List<HistoryChange> changes = new ArrayList<>();
      List<Integer> added = new ArrayList<>(keys);
      for (Values row : before) {
        boolean isMatched =
            keys.contains(row.k()) && !(inPartition && !Integer.valueOf(0).equals(row.p()));
        if (isMatched) {
          added.remove((Object) row.k());
          changes.add(new HistoryChange(row.k() % 4 == 0 ? "-D" : "-U", row));
          if (row.k() % 4 != 0) {
            Integer value = setsValue ? Integer.valueOf(row.k() * 10) : row.v();
            changes.add(new HistoryChange("+U", new Values(row.k(), row.p(), value, "merged")));
          }
        }
      }
      for (int key : added) {
        changes.add(new HistoryChange("+I", new Values(key, 0, key * 10, "merged")));
      }
      return changes;
    }

    private List<Values> rows(int count) {
      List<Values> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        rows.add(
            new Values(
                random.nextInt(KEYS),
                random.nextInt(2),
                random.nextInt(4) == 0 ? null : random.nextInt(5),
                random.nextInt(5) == 0 ? null : "" + (char) ('a' + random.nextInt(3))));
      }
      return rows;
    }

    private static String text(List<Values> rows) {
      return rows.stream()
          .map(
              row ->
                  "("
                      + row.k()
                      + ", "
                      + row.p()
                      + ", CAST("
                      + row.v()
                      + " AS INT), CAST("
                      + (row.w() == null ? "NULL" : "'" + row.w() + "'")
                      + " AS STRING))")
          .collect(Collectors.joining(", "));
    }

    private static List<HistoryChange> changes(String kind, List<Values> rows) {
      return rows.stream()
          .map(row -> new HistoryChange(kind, row))
          .collect(Collectors.toCollection(ArrayList::new));
    }
  }

  /** Whether rows of an engine may be changed by it at all. */
  boolean changesRowsOf(Engine engine) {
    return engine != Engine.FIRST_ROW || kind != Kind.CHANGE || !sql.startsWith("UPDATE");
  }
}
