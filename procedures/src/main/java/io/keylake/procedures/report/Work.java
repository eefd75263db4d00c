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

package io.keylake.procedures.report;

import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import java.util.HashSet;
import java.util.Set;

/**
 * What a compaction would do.
 *
 * @param buckets buckets with something to do
 * @param rewritten the files that would be written anew
 * @param moved files that would get another level without being written
 */
record Work(long buckets, Sum rewritten, long moved) {
  static final Work NONE = new Work(0, Sum.NONE, 0);

  Work plus(CompactionPlan plan) {
    Sum sum = rewritten;
    long upgrades = moved;
    Set<String> counted = new HashSet<>();
    for (CompactionStep step : plan.steps()) {
      if (step instanceof CompactionStep.Upgrade) {
        upgrades++;
        continue;
      }
      for (CompactionInput input : step.inputs()) {
        if (counted.add(input.file().name())) {
          sum = sum.plus(Sum.of(input.file(), 0));
        }
      }
    }
    return new Work(buckets + 1, sum, upgrades);
  }
}
