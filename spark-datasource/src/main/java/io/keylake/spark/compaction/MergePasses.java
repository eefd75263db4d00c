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

package io.keylake.spark.compaction;

import io.keylake.spark.merge.runs.MergeRun;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.engine.EngineRules;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses, while more runs are left than may be open at a time, which of them are merged into one
 * first. What comes out in the end has to be what merging all at once gives. For one rewrite.
 *
 * <ol>
 *   <li>Where the newest row wins any neighbours may be merged, newest first, pass by pass.
 *   <li>Where the first row wins runs of level 0 may be, since rows above come before all of them.
 *   <li>Where it is told what keys were before, only runs below the level of old rows may be.
 *   <li>Where rows are computed the oldest runs are merged first, if the engine's rules allow that
 *       ({@link EngineRules#foldsInPieces}), no sequence field makes another order, all sequence
 *       numbers of the other runs are higher, no files stay whose rows take part, which are older
 *       than all runs, and levels do not matter. Otherwise no runs are merged: all are open at the
 *       same time.
 * </ol>
 */
final class MergePasses {
  /** Some runs: from the first to the one before {@code end}. */
  record Pass(int begin, int end) {}

  private final int limit;
  private final MergeOptions merge;
  private final boolean oldestFirst;
  private final int oldLevel;
  private int next;

  /**
   * @param limit how many runs may be left, at least 2
   * @param staying the runs that stay
   * @param oldLevel the lowest level of old rows; 0 = it is not told what keys were before
   */
  MergePasses(CompactionSpec spec, int limit, List<MergeRun> staying, int oldLevel) {
    this.limit = limit;
    this.merge = spec.merge();
    this.oldLevel = oldLevel;
    this.oldestFirst =
        merge.computesRows()
            && oldLevel == 0
            && (!merge.lookupMode() || merge.deletionVectors())
            && merge.sequenceFields().isEmpty()
            && staying.isEmpty()
            && EngineRules.of(spec.schema(), spec.table()).foldsInPieces();
  }

  /** The runs to merge into one, which is then in their place; null when nothing is left to do. */
  @Nullable Pass next(List<MergeRun> runs) {
    if (runs.size() <= limit) {
      return null;
    }
    int count = Math.min(limit, runs.size() - limit + 1);
    return switch (merge.engine()) {
      case DEDUPLICATE ->
          oldLevel == 0 ? neighbours(runs.size(), count) : below(oldLevel, runs, count);
      case FIRST_ROW -> below(1, runs, count);
      case PARTIAL_UPDATE, AGGREGATION -> oldest(runs, runs.size() - count);
    };
  }

  private @Nullable Pass below(int level, List<MergeRun> runs, int count) {
    int below = (int) runs.stream().filter(run -> run.level() < level).count();
    return below < 2 ? null : neighbours(below, Math.min(count, below));
  }

  private Pass neighbours(int size, int count) {
    int begin = next + count > size ? 0 : next;
    next = begin + 1;
    return new Pass(begin, begin + count);
  }

  private @Nullable Pass oldest(List<MergeRun> runs, int begin) {
    if (!oldestFirst) {
      return null;
    }
    long highest =
        inputs(runs.subList(begin, runs.size()))
            .mapToLong(input -> input.file().maxSequenceNumber())
            .max()
            .orElse(Long.MIN_VALUE);
    boolean areOlder =
        inputs(runs.subList(0, begin))
            .allMatch(input -> input.file().minSequenceNumber() > highest);
    return areOlder ? new Pass(begin, runs.size()) : null;
  }

  private static Stream<CompactionInput> inputs(List<MergeRun> runs) {
    return runs.stream().flatMap(run -> run.files().stream());
  }
}
