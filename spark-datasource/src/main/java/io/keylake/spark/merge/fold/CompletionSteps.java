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

import io.keylake.format.row.ChangeKind;
import io.keylake.format.types.DataField;
import io.keylake.spark.merge.function.FoldSteps;
import io.keylake.spark.vector.ValueOrder;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.engine.AggregateFunction;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.EngineRules;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * The rules of a write that sets some columns of deduplicate tables: its rows are taken one after
 * the other, each completed by what was there before.
 *
 * <ol>
 *   <li>The first row stands: it is the one that the key has in the table, or the first written.
 *   <li>A row ends up with the sequence fields that it sets and, for the others, with those that
 *       are there. When these are older than those that are there, the row is late and does
 *       nothing.
 *   <li>Otherwise it is added to every column.
 * </ol>
 *
 * <p>Example, sequence field s, columns that are not NULL: (s=9, a=1), (s=3, b=2), (a=7) give (s=9,
 * a=7, b=NULL): the second row is late, the third keeps s = 9.
 */
final class CompletionSteps implements RowSteps {
  /** What a row does to a sequence field. */
  private enum Setting {
    ALWAYS,
    NOT_NULL,
    NEVER
  }

  private final int[] places;
  private final ValueOrder[] orders;
  private final Setting[] settings;
  private final int direction;
  private final int[] latest;
  private final int[] offered;

  CompletionSteps(EngineRules.Completion rules, List<DataField> fields, List<Integer> columns) {
    List<Integer> sequence = rules.sequence();
    places = sequence.stream().mapToInt(columns::indexOf).toArray();
    orders =
        Arrays.stream(places)
            .mapToObj(place -> ValueOrder.ofSequence(fields.get(place).type()))
            .toArray(ValueOrder[]::new);
    settings =
        sequence.stream()
            .map(column -> setting(rules.columns().get(column).function()))
            .toArray(Setting[]::new);
    direction = rules.order() == MergeOptions.SortOrder.DESCENDING ? -1 : 1;
    latest = new int[places.length];
    offered = new int[places.length];
  }

  private static Setting setting(AggregateFunction function) {
    if (function == Plain.LAST_NON_NULL_VALUE) {
      return Setting.NOT_NULL;
    }
    return function == Plain.FIRST_VALUE ? Setting.NEVER : Setting.ALWAYS;
  }

  @Override
  public int lanes() {
    return 1;
  }

  @Override
  public ChangeKind add(VersionBatch versions, int begin, int end, FoldSteps steps) {
    Arrays.fill(latest, begin);
    for (int version = begin; version < end; version++) {
      int entry = steps.addEntry(version);
      if (version == begin || !isLate(versions, version)) {
        steps.set(entry, FoldSteps.ADD);
        if (version > begin) {
          System.arraycopy(offered, 0, latest, 0, latest.length);
        }
      }
    }
    return ChangeKind.INSERT;
  }

  /** Whether the fields that a row ends up with are older than those that are there. */
  private boolean isLate(VersionBatch versions, int version) {
    int decided = 0;
    for (int i = 0; i < places.length; i++) {
      ColumnVector values = versions.column(places[i]);
      boolean sets =
          switch (settings[i]) {
            case ALWAYS -> true;
            case NOT_NULL -> !values.isNullAt(version);
            case NEVER -> false;
          };
      offered[i] = sets ? version : latest[i];
      if (decided == 0 && sets) {
        decided = compare(i, values, version, latest[i]);
      }
    }
    return decided < 0;
  }

  private int compare(int field, ColumnVector values, int version, int other) {
    boolean isNull = values.isNullAt(version);
    boolean otherNull = values.isNullAt(other);
    return isNull || otherNull
        ? Boolean.compare(!isNull, !otherNull)
        : direction * orders[field].compare(values, version, values, other);
  }
}
