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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Row;

/**
 * A change of a row.
 *
 * @param kind {@code +I}, {@code -U}, {@code +U} or {@code -D}
 * @param row the row, before or after
 */
record HistoryChange(String kind, Values row) implements Comparable<HistoryChange> {
  private static final Map<String, String> KINDS =
      Map.of("insert", "+I", "update_preimage", "-U", "update_postimage", "+U", "delete", "-D");

  /** A row of the table; a value may be null. */
  record Values(int k, Integer p, Integer v, String w) {
    /** Columns k, p, v, w of a row, from one of them on. */
    static Values of(Row row, int from) {
      return new Values(
          row.getInt(from),
          (Integer) row.get(from + 1),
          (Integer) row.get(from + 2),
          row.getString(from + 3));
    }

    Values withoutPartition() {
      return new Values(k, null, v, w);
    }

    @Override
    public String toString() {
      return "(" + k + "," + p + "," + v + "," + w + ")";
    }
  }

  /** A change as a query gives it: its kind, in one of two spellings, then k, p, v, w. */
  static HistoryChange of(Row row, int from) {
    String kind = row.getString(from);
    return new HistoryChange(KINDS.getOrDefault(kind, kind), Values.of(row, from + 1));
  }

  boolean isOfOldRow() {
    return kind.startsWith("-");
  }

  @Override
  public int compareTo(HistoryChange other) {
    return Comparator.comparing(HistoryChange::toString).compare(this, other);
  }

  @Override
  public String toString() {
    return kind + row;
  }

  /** In which two versions of a table with a key differ. */
  static List<HistoryChange> ofKeys(List<Values> before, List<Values> after, boolean ofPartition) {
    Map<List<Integer>, Values> old = byKey(before, ofPartition);
    Map<List<Integer>, Values> now = byKey(after, ofPartition);
    List<HistoryChange> changes = new ArrayList<>();
    old.forEach(
        (key, row) -> {
          Values newer = now.get(key);
          if (newer == null) {
            changes.add(new HistoryChange("-D", row));
          } else if (!newer.equals(row)) {
            changes.add(new HistoryChange("-U", row));
            changes.add(new HistoryChange("+U", newer));
          }
        });
    now.forEach(
        (key, row) -> {
          if (!old.containsKey(key)) {
            changes.add(new HistoryChange("+I", row));
          }
        });
    return changes;
  }

  private static Map<List<Integer>, Values> byKey(List<Values> rows, boolean ofPartition) {
    Map<List<Integer>, Values> byKey = new LinkedHashMap<>();
    for (Values row : rows) {
      if (byKey.put(key(row, ofPartition), row) != null) {
        throw new AssertionError("Two rows with the key of " + row);
      }
    }
    return byKey;
  }

  /** The key of a row; a key that moves to another partition goes here and comes there. */
  static List<Integer> key(Values row, boolean ofPartition) {
    return ofPartition ? java.util.Arrays.asList(row.k, row.p) : List.of(row.k);
  }

  /** In which two versions of a table without a key differ. */
  static List<HistoryChange> ofRows(List<Values> before, List<Values> after) {
    Map<Values, Integer> surplus = new HashMap<>();
    before.forEach(row -> surplus.merge(row, -1, Integer::sum));
    after.forEach(row -> surplus.merge(row, 1, Integer::sum));
    List<HistoryChange> changes = new ArrayList<>();
    surplus.forEach(
        (row, count) -> {
          for (int i = 0; i < Math.abs(count); i++) {
            changes.add(new HistoryChange(count < 0 ? "-D" : "+I", row));
          }
        });
    return changes;
  }

  /** The changes without updates that change nothing. */
  static List<HistoryChange> real(List<HistoryChange> changes) {
    List<HistoryChange> real = new ArrayList<>(changes);
    for (HistoryChange change : changes) {
      HistoryChange other = new HistoryChange("+U", change.row);
      if (change.kind.equals("-U") && real.contains(other)) {
        real.remove(other);
        real.remove(change);
      }
    }
    return real;
  }

  /**
   * Applies the changes of a version, those of old rows first.
   *
   * @param rows the rows by their key
   */
  static void replay(
      Map<List<Integer>, Values> rows, List<HistoryChange> changes, boolean ofPartition) {
    for (HistoryChange change : changes) {
      if (change.isOfOldRow()) {
        Values before = rows.remove(key(change.row, ofPartition));
        if (!Objects.equals(before, change.row)) {
          throw new AssertionError(change + " takes back " + before);
        }
      }
    }
    for (HistoryChange change : changes) {
      if (!change.isOfOldRow()) {
        Values before = rows.put(key(change.row, ofPartition), change.row);
        if (before != null) {
          throw new AssertionError(change + " beside " + before);
        }
      }
    }
  }
}
