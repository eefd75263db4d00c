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

package io.keylake.spark.changelog.difference;

import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.spark.merge.runs.KeyVersions;
import io.keylake.spark.merge.runs.RunCursor;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;

/**
 * Which rows of a key make up its row in a state, oldest first: what a read of that state takes.
 * For one thread.
 *
 * <ol>
 *   <li>Rows that are not there in the state do not count, nor do rows of kind -U and -D where the
 *       table passes over them.
 *   <li>deduplicate: the newest. first-row: the oldest above level 0, else the one of level 0 with
 *       the smallest sequence number.
 *   <li>Engines that compute rows: all of them; in lookup mode those of level 0 and the one on the
 *       lowest level above.
 *   <li>Newer is what the table's sequence fields, then sequence numbers, then the runs of that
 *       state say.
 * </ol>
 *
 * <p>Rule source: as reads; pinned by {@code DifferenceHistoryTest}.
 */
final class StandingRows {
  private final DifferenceRuns runs;
  private final Moment moment;
  private final MergeOptions merge;
  private final SequenceOrder order;
  private final boolean passesOverRetracts;
  private final boolean takesLowestLevel;
  private int[] places = new int[8];
  private int count;

  StandingRows(DifferenceRuns runs, Moment moment, TableSchema schema) {
    TableOptions options = TableOptions.of(schema);
    this.runs = runs;
    this.moment = moment;
    this.merge = options.merge();
    this.order = new SequenceOrder(schema, merge);
    this.passesOverRetracts =
        merge.skipsRetracts() || merge.engine() == MergeOptions.Engine.FIRST_ROW;
    this.takesLowestLevel = options.lookupMode();
  }

  /** Whether a row stands for its key, of which there is no other. */
  boolean stands(int run, RunCursor cursor, int row) {
    return runs.isLive(run, cursor, row, moment) && !(passesOverRetracts && isRetract(cursor, row));
  }

  /** Takes the rows of a key and returns how many of them count. */
  int take(KeyVersions versions) {
    count = 0;
    if (places.length < versions.count()) {
      places = new int[versions.count()];
    }
    for (int version = 0; version < versions.count(); version++) {
      if (stands(versions.run(version), versions.cursor(version), versions.row(version))) {
        places[count++] = version;
      }
    }
    if (count > 1) {
      choose(versions);
    }
    return count;
  }

  /** The number of a row that counts, among the rows of the key; 0 is the oldest. */
  int version(int place) {
    return places[place];
  }

  private void choose(KeyVersions versions) {
    switch (merge.engine()) {
      case DEDUPLICATE -> {
        int newest = places[0];
        for (int i = 1; i < count; i++) {
          newest = isNewer(versions, places[i], newest) ? places[i] : newest;
        }
        takeOnly(newest);
      }
      case FIRST_ROW -> {
        int first = places[0];
        for (int i = 1; i < count; i++) {
          first = comesFirst(versions, places[i], first) ? places[i] : first;
        }
        takeOnly(first);
      }
      case PARTIAL_UPDATE, AGGREGATION -> {
        if (takesLowestLevel) {
          leaveOutHigherLevels(versions);
        }
        sort(versions);
      }
    }
  }

  private void takeOnly(int version) {
    places[0] = version;
    count = 1;
  }

  private boolean isNewer(KeyVersions versions, int left, int right) {
    RunCursor a = versions.cursor(left);
    RunCursor b = versions.cursor(right);
    int byValue =
        a.hasSequence() && b.hasSequence()
            ? order.compare(
                a.sequenceColumns(), versions.row(left), b.sequenceColumns(), versions.row(right))
            : 0;
    return byValue != 0 ? byValue > 0 : rank(versions, left) < rank(versions, right);
  }

  private boolean comesFirst(KeyVersions versions, int left, int right) {
    boolean leftIsHigh = level(versions, left) > 0;
    boolean rightIsHigh = level(versions, right) > 0;
    if (leftIsHigh || rightIsHigh) {
      return leftIsHigh && (!rightIsHigh || rank(versions, left) > rank(versions, right));
    }
    return isNewer(versions, right, left);
  }

  private int rank(KeyVersions versions, int version) {
    return runs.rank(versions.run(version), moment);
  }

  private int level(KeyVersions versions, int version) {
    return runs.level(versions.run(version), moment);
  }

  private void leaveOutHigherLevels(KeyVersions versions) {
    int lowest = -1;
    for (int i = 0; i < count; i++) {
      if (level(versions, places[i]) > 0
          && (lowest < 0 || rank(versions, places[i]) < rank(versions, lowest))) {
        lowest = places[i];
      }
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (places[i] == lowest || level(versions, places[i]) == 0) {
        places[kept++] = places[i];
      }
    }
    count = kept;
  }

  /** Few rows, by insertion. */
  private void sort(KeyVersions versions) {
    for (int i = 1; i < count; i++) {
      int version = places[i];
      int at = i;
      while (at > 0 && isNewer(versions, places[at - 1], version)) {
        places[at] = places[at - 1];
        at--;
      }
      places[at] = version;
    }
  }

  static boolean isRetract(RunCursor cursor, int row) {
    return cursor.mayHoldRetracts() && ChangeKind.ofCode(cursor.kinds().getByte(row)).isRetract();
  }
}
