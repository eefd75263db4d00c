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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.types.DataField;
import io.keylake.spark.merge.function.FoldSteps;
import io.keylake.table.options.engine.EngineRules;
import io.keylake.table.options.engine.SequenceGroup;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the engine {@code partial-update}.
 *
 * <ol>
 *   <li>A row of kind +I or +U is added to the columns outside of sequence groups.
 *   <li>A sequence group looks at its fields: when they are all NULL the row does nothing to the
 *       columns of the group. When they are not less than those of the row that set the group last
 *       (NULL before any value), the row is added and sets the group: fields and values, NULLs
 *       included. Otherwise it is late: only columns with a function take it, as if it had come
 *       before.
 *   <li>A row of kind -U or -D that comes first replaces the row by its own values before anything
 *       else is done with it, even when it is then passed over.
 *   <li>Rows of kind -U and -D by sequence groups: in a group whose fields are not all NULL the row
 *       is taken back from the columns; not late, it sets the fields and the columns without a
 *       function become NULL; late, only columns with a function take it back. Columns outside of
 *       groups stay.
 *   <li>{@code partial-update.remove-record-on-sequence-group}: a row of kind -D that is not late
 *       in such a group replaces the row by its own values and removes it, whatever the other
 *       groups say.
 *   <li>{@code partial-update.remove-record-on-delete}: a row of kind -D replaces the row by its
 *       own values and removes it; one of kind -U is passed over.
 *   <li>{@code ignore-delete}: rows of kind -U and -D are passed over. Without any of these options
 *       they cannot be merged.
 *   <li>What is added after a removal is added to the values of the row that removed.
 *   <li>The kind is -D when no row was added or the last row has removed the key, otherwise +I.
 * </ol>
 *
 * Rule source: table behaviour, partial-update. Pinned by {@code KeyFolderTest}.
 */
final class PartialUpdateSteps implements RowSteps {
  private static final int NONE = -1;

  private final String table;
  private final EngineRules.Retracts retracts;
  private final @Nullable GroupOrder[] groups;
  private final boolean[] removing;
  private final int[] latest;

  PartialUpdateSteps(
      String table,
      EngineRules.PartialUpdate rules,
      List<DataField> fields,
      List<Integer> columns) {
    this.table = table;
    retracts = rules.retracts();
    int count = rules.groups().size();
    groups = new GroupOrder[count];
    removing = new boolean[count];
    latest = new int[count];
    for (int group = 0; group < count; group++) {
      SequenceGroup sequence = rules.groups().get(group);
      removing[group] = sequence.removesOnDelete();
      if (columns.containsAll(sequence.fields())) {
        List<Integer> places = sequence.fields().stream().map(columns::indexOf).toList();
        groups[group] = new GroupOrder(places.stream().map(fields::get).toList(), places);
      }
    }
  }

  @Override
  public int lanes() {
    return groups.length + 1;
  }

  @Override
  public ChangeKind add(VersionBatch versions, int begin, int end, FoldSteps steps) {
    Arrays.fill(latest, NONE);
    boolean added = false;
    boolean removed = false;
    for (int version = begin; version < end; version++) {
      ChangeKind kind = ChangeKind.ofCode(versions.kind(version));
      removed = false;
      if (!kind.isRetract()) {
        added = true;
        int entry = steps.addEntry(version);
        steps.set(entry, 0, FoldSteps.ADD);
        byLane(versions, version, entry, steps, FoldSteps.ADD);
      } else {
        if (version == begin) {
          replace(version, steps);
        }
        removed = retract(versions, version, kind, steps);
      }
    }
    return removed || !added ? ChangeKind.DELETE : ChangeKind.INSERT;
  }

  /** Does what a row of kind -U or -D does; returns whether it removes the key. */
  private boolean retract(VersionBatch versions, int version, ChangeKind kind, FoldSteps steps) {
    boolean removes =
        kind == ChangeKind.DELETE
            && switch (retracts) {
              case REMOVE_ON_DELETE -> true;
              case BY_GROUP -> removesByGroup(versions, version);
              case SKIPPED, REFUSED -> false;
            };
    if (removes) {
      replace(version, steps);
      return true;
    }
    switch (retracts) {
      case BY_GROUP -> {
        int entry = steps.addEntry(version);
        byLane(versions, version, entry, steps, FoldSteps.RETRACT);
      }
      case REFUSED -> throw refused(kind);
      case REMOVE_ON_DELETE, SKIPPED -> steps.addEntry(version);
    }
    return false;
  }

  private boolean removesByGroup(VersionBatch versions, int version) {
    for (int group = 0; group < groups.length; group++) {
      GroupOrder order = groups[group];
      if (removing[group]
          && order != null
          && !order.isEmpty(versions, version)
          && !isLate(order, group, versions, version)) {
        return true;
      }
    }
    return false;
  }

  /** The row becomes this row. */
  private void replace(int version, FoldSteps steps) {
    steps.set(steps.addEntry(version), FoldSteps.RESET);
    Arrays.fill(latest, version);
  }

  /** Sets what a row does to the columns of each group: a step or, one above, its late form. */
  private void byLane(VersionBatch versions, int version, int entry, FoldSteps steps, byte step) {
    for (int group = 0; group < groups.length; group++) {
      GroupOrder order = groups[group];
      if (order == null || order.isEmpty(versions, version)) {
        continue;
      }
      if (isLate(order, group, versions, version)) {
        steps.set(entry, group + 1, FoldSteps.late(step));
      } else {
        steps.set(entry, group + 1, step);
        latest[group] = version;
      }
    }
  }

  private boolean isLate(GroupOrder order, int group, VersionBatch versions, int version) {
    return latest[group] != NONE && order.isOlder(versions, version, latest[group]);
  }

  private InvalidRequestException refused(ChangeKind kind) {
    return new InvalidRequestException(
        Condition.KEYLAKE_UNSUPPORTED_RETRACTION,
        "Cannot merge a row of kind "
            + kind.shortName()
            + " with other rows of its key in table "
            + table
            + ", whose merge engine is partial-update. Set ignore-delete = true to pass such rows"
            + " over, partial-update.remove-record-on-delete = true to remove the key, or define"
            + " sequence groups (fields.<column>.sequence-group) to take the columns back.");
  }
}
