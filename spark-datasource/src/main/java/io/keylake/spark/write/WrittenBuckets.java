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

package io.keylake.spark.write;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.table.bucket.BucketStates;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionPlanner;
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.ScanPlanner;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Plans what is compacted of the buckets that tasks wrote. The tasks of a process share an
 * instance. Most writes end with the number of runs of a bucket: only where it suffices for a
 * compaction are the bucket's files listed.
 */
final class WrittenBuckets {
  private final WriterPlan plan;
  private final WriteCompaction compaction;
  private final TableStorage storage;
  private final TableOptions options;
  private final CompactionPlanner planner;
  private final BucketStates states;
  private final BaseBuckets base;
  private final int fewestRuns;

  WrittenBuckets(WriterPlan plan, WriteCompaction compaction, TableStorage storage, Clock clock) {
    this.plan = plan;
    this.compaction = compaction;
    this.storage = storage;
    this.options = TableOptions.of(plan.schema(), compaction.options());
    this.planner =
        new CompactionPlanner(
            plan.schema(),
            options,
            FileAddresses.of(storage.layout(), plan.schema(), plan.layout()),
            clock);
    this.states = BucketStates.shared(storage, plan.base());
    this.base =
        new BaseBuckets(
            new ScanPlanner(storage, plan.schema(), options).ofEveryLevel(),
            plan.base(),
            planner.expiry().isPresent() ? StatsProjection.KEEP : StatsProjection.SKIP);
    this.fewestRuns = planner.fewestRuns();
  }

  /** What is compacted of each bucket that a task wrote, in the same order. */
  List<Optional<CompactionPlan>> plans(List<BucketChange> written, Predicate<BucketChange> owned) {
    List<Boolean> candidates =
        written.stream().map(change -> hasRuns(change) && owned.test(change)).toList();
    Set<BinaryRow> partitions = new HashSet<>();
    for (int i = 0; i < written.size(); i++) {
      if (candidates.get(i)) {
        partitions.add(written.get(i).partition());
      }
    }
    base.list(partitions);
    List<Optional<CompactionPlan>> plans = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      plans.add(candidates.get(i) ? plan(written.get(i)) : Optional.empty());
    }
    return plans;
  }

  /** Whether task number {@code task} may compact a bucket that it wrote. */
  boolean isOwnedBy(int task, BucketChange change) {
    return compaction.isDoneBy(task, change);
  }

  private boolean hasRuns(BucketChange change) {
    int added = change.written().added().size();
    return added > 0 && states.runs(change.partition(), change.bucket()) + added >= fewestRuns;
  }

  private Optional<CompactionPlan> plan(BucketChange change) {
    return planner
        .afterWrite(
            base.files(change.partition(), change.bucket(), change.totalBuckets())
                .withAdded(change.written().added()))
        .map(found -> withStatistics(found, change));
  }

  /** New files have their statistics; others get them only where they move. */
  private CompactionPlan withStatistics(CompactionPlan found, BucketChange change) {
    Set<String> added = new HashSet<>();
    for (DataFile file : change.written().added()) {
      added.add(file.name());
    }
    boolean movesOthers =
        found.steps().stream()
            .anyMatch(
                step ->
                    step instanceof CompactionStep.Upgrade move
                        && !added.contains(move.input().file().name()));
    return movesOthers ? base.complete(found) : found;
  }

  /** What the steps of these plans have in common. */
  CompactionSpec spec(List<CompactionPlan> plans) {
    return CompactionSpec.of(
            plan.table(), plan.schema(), options, storage.schemas()::load, plans, planner.expiry())
        .withChangelog(options);
  }
}
