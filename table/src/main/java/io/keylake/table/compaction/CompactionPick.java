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

import io.keylake.table.lsm.SortedRun;
import java.util.List;

/**
 * Runs that are compacted into one level.
 *
 * @param outputLevel the level of the result, at least 1
 * @param runs newest first
 */
record CompactionPick(int outputLevel, List<SortedRun> runs) {
  /** Copies the list. */
  CompactionPick {
    runs = List.copyOf(runs);
  }
}
