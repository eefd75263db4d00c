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

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What the options of a table say of its compaction.
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
public record CompactionRules(
    int trigger,
    int maxLevel,
    int maxSizeAmplificationPercent,
    int sizeRatioPercent,
    boolean forceUpLevelZero,
    @Nullable Long totalBytesThreshold,
    @Nullable Long incrementalBytesThreshold,
    boolean startsFull)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
