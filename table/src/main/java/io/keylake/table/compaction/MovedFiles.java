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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanPlanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Completes plans that were made from files without statistics. A file that moves to another level
 * keeps its statistics, since its new entry stores them again; all others need none. So most plans
 * are made without reading any.
 */
public final class MovedFiles {
  private final ScanPlanner scans;
  private final Snapshot snapshot;

  /**
   * Of a snapshot.
   *
   * @param scans sees the files of every level
   */
  public MovedFiles(ScanPlanner scans, Snapshot snapshot) {
    this.scans = scans;
    this.snapshot = snapshot;
  }

  /**
   * The same plans with the statistics of files that move. A file that the snapshot does not have
   * is new and stays as it is.
   */
  public List<CompactionPlan> complete(List<CompactionPlan> plans) {
    Set<BinaryRow> partitions = new HashSet<>();
    plans.stream()
        .filter(plan -> plan.steps().stream().anyMatch(CompactionStep.Upgrade.class::isInstance))
        .forEach(plan -> partitions.add(plan.partition()));
    if (partitions.isEmpty()) {
      return plans;
    }
    Map<String, DataFile> files = new HashMap<>();
    for (BucketFiles bucket : scans.buckets(snapshot, partitions, StatsProjection.KEEP)) {
      bucket.files().forEach(file -> files.put(file.name(), file));
    }
    return plans.stream().map(plan -> complete(plan, files)).toList();
  }

  private static CompactionPlan complete(CompactionPlan plan, Map<String, DataFile> files) {
    List<CompactionStep> steps = new ArrayList<>();
    for (CompactionStep step : plan.steps()) {
      steps.add(step instanceof CompactionStep.Upgrade move ? complete(move, files) : step);
    }
    return plan.withSteps(steps);
  }

  private static CompactionStep complete(CompactionStep.Upgrade move, Map<String, DataFile> files) {
    CompactionInput input = move.input();
    DataFile file = files.getOrDefault(input.file().name(), input.file());
    return new CompactionStep.Upgrade(
        new CompactionInput(input.path(), file, input.runRank(), input.vector()), move.upper());
  }
}
