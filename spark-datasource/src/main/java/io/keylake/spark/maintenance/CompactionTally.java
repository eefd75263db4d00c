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

package io.keylake.spark.maintenance;

import io.keylake.format.datafile.DataFile;
import io.keylake.spark.compaction.StepResult;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Counts what a compaction does. For one thread. */
final class CompactionTally {
  private long bucketsChecked;
  private long bucketsCompacted;
  private long filesIn;
  private long filesOut;
  private long bytesIn;
  private long bytesOut;
  private long rowsIn;
  private long rowsOut;
  private long filesUpgraded;
  private long bucketsDropped;

  void checked(int buckets) {
    bucketsChecked += buckets;
  }

  void dropped(int buckets) {
    bucketsDropped += buckets;
  }

  /** Adds a bucket that is to be compacted. */
  void planned(CompactionPlan plan) {
    bucketsCompacted++;
    Set<String> counted = new HashSet<>();
    for (CompactionStep step : plan.steps()) {
      if (step instanceof CompactionStep.Upgrade) {
        filesUpgraded++;
        continue;
      }
      for (CompactionInput input : step.inputs()) {
        if (counted.add(input.file().name())) {
          filesIn++;
          bytesIn += input.file().size();
          rowsIn += input.file().rowCount();
        }
      }
    }
  }

  /** Adds a bucket that was compacted, with the results of the plan's steps in order. */
  void done(CompactionPlan plan, List<StepResult> results) {
    planned(plan);
    for (int i = 0; i < results.size(); i++) {
      if (plan.steps().get(i) instanceof CompactionStep.Upgrade) {
        continue;
      }
      for (DataFile file : results.get(i).added()) {
        filesOut++;
        bytesOut += file.size();
        rowsOut += file.rowCount();
      }
    }
  }

  /** Adds staged rows that are to be moved into buckets. */
  void stagedRows(List<DataFile> files) {
    filesIn += files.size();
    for (DataFile file : files) {
      bytesIn += file.size();
      rowsIn += file.rowCount();
    }
  }

  /** Adds the files that staged rows became. */
  void movedRows(List<DataFile> files) {
    filesOut += files.size();
    for (DataFile file : files) {
      bytesOut += file.size();
      rowsOut += file.rowCount();
    }
  }

  CompactionSummary summary() {
    return new CompactionSummary(
        bucketsChecked,
        bucketsCompacted,
        filesIn,
        filesOut,
        bytesIn,
        bytesOut,
        rowsIn,
        rowsOut,
        filesUpgraded,
        bucketsDropped);
  }
}
