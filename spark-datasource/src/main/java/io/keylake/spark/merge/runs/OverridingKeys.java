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

import io.keylake.spark.merge.fold.FoldedRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of overriding runs stand for their keys, whatever the table's engine is.
 *
 * <ol>
 *   <li>An override hides the rows of all older runs; nothing is folded across it. Its row stands
 *       for the key as it is; one of kind -U or -D leaves nothing of the key.
 *   <li>Rows of newer runs are what the key has been given after the override: they are folded
 *       among themselves as the engine says, and hide the override.
 *   <li>Keys without an override are the engine's matter.
 * </ol>
 *
 * <p>Example, engine aggregation, sum: the table has (k=1, 5) and (k=1, 2), the override is (k=1,
 * 9): the row is (k=1, 9). With the override -D and a newer record (k=1, 4) it is (k=1, 4).
 *
 * <p>Rule source: ours, row-level statements; pinned by {@code OverridingKeysTest}.
 */
final class OverridingKeys implements KeyFold {
  private final KeyFold engine;
  private final KeyVersions newer;

  /** Takes over {@code engine}, the rule of all other keys, and closes it. */
  OverridingKeys(KeyFold engine, List<RunCursor> runs) {
    this.engine = engine;
    this.newer = new KeyVersions(runs);
  }

  @Override
  public void fold(KeyVersions versions, MergedKeys keys) {
    int override = override(versions);
    if (override < 0) {
      engine.fold(versions, keys);
      return;
    }
    int rank = versions.cursor(override).rank();
    newer.clear();
    for (int version = 0; version < versions.count(); version++) {
      if (versions.cursor(version).rank() < rank) {
        newer.add(versions.run(version), versions.row(version));
      }
    }
    switch (newer.count()) {
      case 0 -> keys.add(versions.run(override), versions.row(override));
      case 1 -> keys.add(newer.run(0), newer.row(0));
      default -> engine.fold(newer, keys);
    }
  }

  /** The newest override of the key; -1 when there is none. */
  private static int override(KeyVersions versions) {
    int found = -1;
    for (int version = 0; version < versions.count(); version++) {
      RunCursor run = versions.cursor(version);
      if (run.role() == RunCursor.Role.OVERRIDING
          && (found < 0 || run.rank() < versions.cursor(found).rank())) {
        found = version;
      }
    }
    return found;
  }

  @Override
  public boolean isFull() {
    return engine.isFull();
  }

  @Override
  public @Nullable FoldedRows compute(List<RunCursor> runs) {
    return engine.compute(runs);
  }

  @Override
  public void close() {
    engine.close();
  }
}
