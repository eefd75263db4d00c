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

package io.keylake.table.compaction;

import io.keylake.table.options.CompactionOptions;
import io.keylake.table.options.MergeOptions;
import org.jspecify.annotations.Nullable;

/**
 * What the options of a table say of picking runs, at one hour of the day.
 *
 * @param trigger runs from which a compaction is looked for
 * @param maxLevel the top level
 * @param maxSizeAmplificationPercent size of all runs but the last, in percent of the last, above
 *     which all are compacted
 * @param sizeRatioPercent tolerance when sizes of runs are compared
 * @param forceUpLevelZero whether all files of level 0 are taken at every chance
 * @param totalBytesThreshold total size below which all runs are compacted; null = none
 * @param incrementalBytesThreshold size below the top level above which all runs are compacted;
 *     null = none
 * @param startsFull whether each writer starts with a full compaction ({@code
 *     compaction.optimization-interval} is set)
 */
record CompactionRules(
    int trigger,
    int maxLevel,
    int maxSizeAmplificationPercent,
    int sizeRatioPercent,
    boolean forceUpLevelZero,
    @Nullable Long totalBytesThreshold,
    @Nullable Long incrementalBytesThreshold,
    boolean startsFull) {
  /** The rules of a table at this hour of the day (0 to 23). */
  static CompactionRules of(CompactionOptions options, MergeOptions merge, int hour) {
    boolean forcedByLookup =
        merge.lookupMode() && options.levelZero() == CompactionOptions.LevelZero.RADICAL;
    return new CompactionRules(
        options.trigger(),
        options.levels() - 1,
        options.ratios().maxAmplificationPercent(),
        options.ratios().sizePercentAt(hour),
        options.forcesLevelZero() || forcedByLookup,
        options.fullness().totalBytesThreshold(),
        options.fullness().incrementalBytesThreshold(),
        options.fullness().startsFull());
  }
}
