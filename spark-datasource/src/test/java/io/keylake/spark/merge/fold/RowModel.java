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

package io.keylake.spark.merge.fold;

import io.keylake.spark.merge.fold.FoldCase.Line;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The engines' rules on boxed rows, one after the other: slow and plain. */
final class RowModel {
  /** What the table's options say about retracts. */
  enum Deletes {
    NONE,
    IGNORE,
    REMOVE
  }

  /**
   * A sequence group of partial-update.
   *
   * @param fields the places of its fields
   * @param members the places of the columns that it protects
   * @param removes whether a delete removes the key
   */
  record Group(List<Integer> fields, List<Integer> members, boolean removes) {}

  private final List<ValueModel> columns;
  private final List<Group> groups;
  private final Deletes deletes;
  private final boolean aggregates;
  private @Nullable Object[] row;
  private boolean added;
  private boolean removed;

  private RowModel(
      List<ValueModel> columns, List<Group> groups, Deletes deletes, boolean aggregates) {
    this.columns = columns;
    this.groups = groups;
    this.deletes = deletes;
    this.aggregates = aggregates;
    this.row = new Object[columns.size()];
  }

  static RowModel aggregation(List<ValueModel> columns, Deletes deletes) {
    return new RowModel(columns, List.of(), deletes, true);
  }

  static RowModel partialUpdate(List<ValueModel> columns, List<Group> groups, Deletes deletes) {
    return new RowModel(columns, groups, deletes, false);
  }

  /** The kind of the folded row, then its cells. */
  List<String> fold(List<Line> lines) {
    row = new Object[columns.size()];
    added = false;
    removed = false;
    columns.forEach(ValueModel::clear);
    if (lines.size() == 1) {
      row = values(lines.get(0));
      return cells(lines.get(0).mark());
    }
    for (int i = 0; i < lines.size(); i++) {
      merge(lines.get(i).mark(), values(lines.get(i)), i == 0);
    }
    return cells(removed || (!added && !aggregates) ? "-D" : "+I");
  }

  private @Nullable Object[] values(Line line) {
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = columns.get(i).parse(line.cells().get(i));
    }
    return values;
  }

  private List<String> cells(String kind) {
    List<String> cells = new ArrayList<>(List.of(kind));
    for (int i = 0; i < row.length; i++) {
      cells.add(columns.get(i).text(row[i]));
    }
    return cells;
  }

  private void merge(String kind, @Nullable Object[] values, boolean first) {
    removed = false;
    if (kind.equals("+I") || kind.equals("+U")) {
      added = true;
      add(values);
      return;
    }
    if (first && !aggregates) {
      row = values.clone();
    }
    if (deletes == Deletes.IGNORE) {
      return;
    }
    if (deletes == Deletes.REMOVE) {
      if (kind.equals("-D")) {
        row = values.clone();
        removed = true;
      } else if (aggregates) {
        retract(values);
      }
      return;
    }
    if (aggregates) {
      retract(values);
    } else {
      retractGroups(kind, values);
    }
  }

  private void add(@Nullable Object[] values) {
    boolean[] done = new boolean[row.length];
    for (Group group : groups) {
      group.fields().forEach(place -> done[place] = true);
      group.members().forEach(place -> done[place] = true);
      if (group.fields().stream().allMatch(place -> values[place] == null)) {
        continue;
      }
      boolean late = isLate(group, values);
      if (!late) {
        group.fields().forEach(place -> row[place] = values[place]);
      }
      for (int place : group.members()) {
        ValueModel column = columns.get(place);
        if (!column.hasFunction()) {
          row[place] = late ? row[place] : values[place];
        } else if (late) {
          row[place] = column.addLate(row[place], values[place]);
        } else {
          row[place] = column.add(row[place], values[place]);
        }
      }
    }
    for (int place = 0; place < row.length; place++) {
      if (!done[place]) {
        row[place] = columns.get(place).add(row[place], values[place]);
      }
    }
  }

  private void retract(@Nullable Object[] values) {
    for (int place = 0; place < row.length; place++) {
      row[place] = columns.get(place).retract(row[place], values[place]);
    }
  }

  private void retractGroups(String kind, @Nullable Object[] values) {
    for (Group group : groups) {
      if (group.fields().stream().allMatch(place -> values[place] == null)) {
        continue;
      }
      boolean late = isLate(group, values);
      if (!late && group.removes() && kind.equals("-D")) {
        row = values.clone();
        removed = true;
        return;
      }
      if (!late) {
        group.fields().forEach(place -> row[place] = values[place]);
      }
      for (int place : group.members()) {
        ValueModel column = columns.get(place);
        if (column.hasFunction()) {
          boolean stays = late && !column.canRetract();
          row[place] = stays ? row[place] : column.retract(row[place], values[place]);
        } else if (!late) {
          row[place] = null;
        }
      }
    }
  }

  private boolean isLate(Group group, @Nullable Object[] values) {
    for (int place : group.fields()) {
      int order =
          Comparator.nullsFirst(Comparator.<Integer>naturalOrder())
              .compare((Integer) values[place], (Integer) row[place]);
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
  }
}
