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

import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.merge.fold.FoldedRows;
import io.keylake.spark.merge.fold.KeyFolder;
import io.keylake.spark.merge.fold.StorableValues;
import io.keylake.spark.merge.fold.VersionBatch;
import io.keylake.spark.merge.runs.VersionsInOrder.AboveLevelZero;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.engine.EngineRules;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All rows of a key are folded into a new one: engines partial-update and aggregation.
 *
 * <ol>
 *   <li>The rows of a key are folded oldest first. Those of staying files take part, and are
 *       outdated from then on. In lookup mode without deletion vectors old files keep rows that are
 *       outdated, so that only the one on the lowest level above level 0 takes part.
 *   <li>Rows of many keys are copied and folded together, before any of their batches is replaced.
 *   <li>The key of one row alone does not come here: its row stands as it is.
 * </ol>
 *
 * <p>Example: sum of (k=1, 5, sequence 3) in level 0 and (k=1, 2, sequence 1) in a staying file:
 * after = the folded (k=1, 7, sequence 3); (k=1, 2) is outdated.
 */
final class ComputedKeys implements KeyFold {
  /** The most rows that are copied before they are folded. */
  private static final int MAX_ROWS = 16 * 1024;

  private final VersionsInOrder order;
  private final int folded;
  private final KeyFolder folder;
  private final VersionBatch batch;
  private final StorableValues storable;

  /**
   * @param folded the number of the folded rows among the sources
   */
  ComputedKeys(MergeSettings settings, EngineRules rules, VersionOrder order, int folded) {
    MergeOptions merge = settings.merge();
    boolean keepsOutdated = merge.lookupMode() && !merge.deletionVectors();
    this.order =
        new VersionsInOrder(
            order, keepsOutdated ? AboveLevelZero.LOWEST_LEVEL : AboveLevelZero.ALL);
    this.folded = folded;
    List<Integer> all = IntStream.range(0, settings.schema().fields().size()).boxed().toList();
    this.folder = new KeyFolder(settings.table(), settings.schema(), rules, all);
    this.batch = new VersionBatch(SparkTypes.toSpark(settings.schema().rowType()));
    this.storable = new StorableValues(settings.table(), settings.schema());
  }

  @Override
  public void fold(KeyVersions versions, MergedKeys keys) {
    if (!anyRewritten(versions)) {
      return;
    }
    int count = order.arrange(versions);
    int key = batch.keys();
    batch.beginKey();
    for (int i = 0; i < count; i++) {
      int version = order.version(i);
      batch.add(versions.run(version), versions.row(version));
      if (versions.cursor(version).role() == RunCursor.Role.STAYING) {
        keys.addOutdated(versions.run(version), versions.row(version));
      }
    }
    keys.add(folded, key);
  }

  private static boolean anyRewritten(KeyVersions versions) {
    for (int version = 0; version < versions.count(); version++) {
      if (versions.cursor(version).role().isWritten()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isFull() {
    return batch.size() >= MAX_ROWS;
  }

  @Override
  public @Nullable FoldedRows compute(List<RunCursor> runs) {
    if (batch.keys() == 0) {
      return null;
    }
    batch.gather(runs);
    FoldedRows rows = folder.fold(batch);
    batch.clear();
    storable.check(rows);
    return rows;
  }

  @Override
  public void close() {
    try {
      folder.close();
    } finally {
      batch.close();
    }
  }
}
