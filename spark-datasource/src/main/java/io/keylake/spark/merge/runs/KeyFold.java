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
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.engine.EngineRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a key of which several runs hold a row: the rule of a merge engine. For
 * one thread; the owner closes it.
 */
interface KeyFold extends AutoCloseable {
  /** Adds the key of {@code versions}, of which there are at least two, to {@code keys}. */
  void fold(KeyVersions versions, MergedKeys keys);

  /** Whether what it holds must be computed before another key is added. */
  default boolean isFull() {
    return false;
  }

  /**
   * Computes the rows of the keys added since the last call, while the batches of {@code runs} are
   * still there; null when none has to be computed. Valid until the next call.
   */
  default @Nullable FoldedRows compute(List<RunCursor> runs) {
    return null;
  }

  @Override
  default void close() {}

  /** The rule of a table. */
  static KeyFold of(MergeTask task, int folded) {
    MergeSettings settings = task.settings();
    MergeOptions merge = settings.merge();
    VersionOrder order = new VersionOrder(new SequenceOrder(settings.schema(), merge));
    return switch (merge.engine()) {
      case DEDUPLICATE -> new NewestOfKey(order);
      case FIRST_ROW -> new FirstOfKey(settings.table(), order);
      case PARTIAL_UPDATE, AGGREGATION ->
          new ComputedKeys(
              settings, EngineRules.of(settings.schema(), settings.table()), order, folded);
    };
  }
}
