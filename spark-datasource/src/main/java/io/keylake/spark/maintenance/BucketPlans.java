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
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.LakeTable;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionPlanner;
import io.keylake.table.compaction.MovedFiles;
import io.keylake.table.compaction.RewriteSlices;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanPlanner;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plans the buckets of some partitions. Files are listed without their statistics, unless rows
 * expire, which is seen by them.
 */
final class BucketPlans {
  /** A task rewrites about as much as so many files of the target size. */
  private static final int SLICE_FILES = 2;

  private final CompactionRequest request;
  private final ScanPlanner scans;
  private final CompactionPlanner planner;
  private final RewriteSlices slices;
  private final Clock clock;
  private final StatsProjection stats;

  BucketPlans(LakeTable table, CompactionRequest request, Clock clock) {
    this.request = request;
    this.scans = table.planner().ofEveryLevel();
    this.planner = new CompactionPlanner(table.schema(), table.options(), table.addresses(), clock);
    this.slices =
        new RewriteSlices(
            table.schema(), SLICE_FILES * table.options().dataFile().targetFileBytes());
    this.clock = clock;
    this.stats = planner.expiry().isPresent() ? StatsProjection.KEEP : StatsProjection.SKIP;
  }

  /** A bucket of a partition. */
  record Bucket(BinaryRow partition, int bucket) {
    static Bucket of(CompactionPlan plan) {
      return new Bucket(plan.partition(), plan.bucket());
    }
  }

  /**
   * What was planned.
   *
   * @param buckets how many buckets were looked at
   * @param plans of those with something to do
   */
  record Planned(int buckets, List<CompactionPlan> plans) {}

  /** Plans the buckets of these partitions, as of a snapshot. */
  Planned plan(Snapshot snapshot, Set<BinaryRow> partitions) {
    List<BucketFiles> buckets = scans.buckets(snapshot, partitions, stats);
    Set<BinaryRow> idle = idle(buckets);
    List<BucketFiles> wanted =
        buckets.stream().filter(bucket -> idle.contains(bucket.partition())).toList();
    List<CompactionPlan> plans = new ArrayList<>();
    for (BucketFiles bucket : wanted) {
      plan(bucket).ifPresent(plans::add);
    }
    return new Planned(wanted.size(), new MovedFiles(scans, snapshot).complete(plans));
  }

  private Optional<CompactionPlan> plan(BucketFiles bucket) {
    if (request.order().isPresent()) {
      return planner.whole(bucket);
    }
    return switch (request.strategy()) {
      case FULL -> planner.full(bucket);
      case MINOR -> planner.minor(bucket);
      case VECTORS -> planner.withoutVectors(bucket);
    };
  }

  /** Creation times are times of the writer's clock on the wall, as if in UTC. */
  private Set<BinaryRow> idle(List<BucketFiles> buckets) {
    Map<BinaryRow, Long> newest = new HashMap<>();
    for (BucketFiles bucket : buckets) {
      for (DataFile file : bucket.files()) {
        Long created = file.creationTimeMillis();
        newest.merge(bucket.partition(), created == null ? 0L : created, Math::max);
      }
    }
    if (request.idleTime().isEmpty()) {
      return newest.keySet();
    }
    long latest = IdleTime.latest(request.idleTime().get(), clock);
    newest.values().removeIf(created -> created > latest);
    return newest.keySet();
  }

  /** The same plans with large steps cut by key, so that several tasks share them. */
  List<CompactionPlan> sliced(List<CompactionPlan> plans) {
    return plans.stream().map(slices::of).toList();
  }
}
