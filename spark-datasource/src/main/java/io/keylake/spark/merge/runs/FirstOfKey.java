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

package io.keylake.spark.merge.runs;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.ChangeKind;

/**
 * The first row of a key stands for it: engine first-row.
 *
 * <ol>
 *   <li>A row above level 0 comes before all rows of level 0, whatever their sequence numbers: it
 *       was there when they came. Of several the one of the oldest run.
 *   <li>Among rows of level 0 the one with the smallest sequence number.
 *   <li>A row that takes a key back is refused, unless such rows are passed over.
 * </ol>
 *
 * <p>Example: (k=1, a, sequence 3) and (k=1, b, sequence 2) in level 0 give (k=1, b); with (k=1, c)
 * in a staying file they give that row, and nothing is written.
 *
 * <p>Rule source: table behaviour, first-row; pinned by {@code KeyMergesModelTest}.
 */
final class FirstOfKey implements KeyFold {
  private final String table;
  private final VersionOrder order;

  FirstOfKey(String table, VersionOrder order) {
    this.table = table;
    this.order = order;
  }

  @Override
  public void fold(KeyVersions versions, MergedKeys keys) {
    int first = 0;
    boolean anyRewritten = false;
    for (int version = 0; version < versions.count(); version++) {
      if (versions.cursor(version).role().isWritten()) {
        anyRewritten = true;
        refuseRetract(versions.cursor(version), versions.row(version));
      }
      if (version > 0 && isOlder(versions, version, first)) {
        first = version;
      }
    }
    if (anyRewritten) {
      keys.add(versions.run(first), versions.row(first));
    }
  }

  private boolean isOlder(KeyVersions versions, int left, int right) {
    RunCursor a = versions.cursor(left);
    RunCursor b = versions.cursor(right);
    if (a.level() > 0 || b.level() > 0) {
      return a.level() > 0 && b.level() > 0 ? a.rank() > b.rank() : a.level() > 0;
    }
    return order.isNewer(versions, right, left);
  }

  private void refuseRetract(RunCursor run, int row) {
    if (run.input().file().mayHoldDeletes()
        && ChangeKind.ofCode(run.kinds().getByte(row)).isRetract()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_UNSUPPORTED_RETRACTION,
          "Table "
              + table
              + " has the merge engine first-row, which cannot take back a row, but file "
              + run.input().path()
              + " has one of kind -U or -D. Set 'ignore-delete' = 'true' to pass over such rows.");
    }
  }
}
