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

package io.keylake.spark.read;

import io.keylake.table.split.FoldSplit;
import io.keylake.table.split.MergeSplit;
import io.keylake.table.split.Split;
import io.keylake.table.split.StagedSplit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the tasks of a scan amount to.
 *
 * @param rows rows that come out, at most; exact when nothing is merged or deleted
 * @param files data files to scan
 * @param rawSplits splits that need no merging
 * @param mergeSplits splits whose rows are checked against other runs, or sorted before they are
 * @param foldSplits splits whose rows are folded
 */
record PlanCounts(long rows, long files, long rawSplits, long mergeSplits, long foldSplits) {
  static PlanCounts of(List<List<Split>> tasks) {
    Set<String> files = new HashSet<>();
    long rows = 0;
    long raw = 0;
    long merge = 0;
    long fold = 0;
    for (List<Split> task : tasks) {
      for (Split split : task) {
        rows += split.rowCount();
        if (split instanceof FoldSplit folded) {
          fold++;
          folded.files().forEach(file -> files.add(file.path()));
        } else if (split instanceof MergeSplit || split instanceof StagedSplit) {
          merge++;
        } else {
          raw++;
        }
        if (split instanceof StagedSplit staged) {
          staged.dataFiles().forEach(file -> files.add(file.name()));
        }
        split.units().forEach(unit -> files.add(unit.path()));
      }
    }
    return new PlanCounts(rows, files.size(), raw, merge, fold);
  }
}
