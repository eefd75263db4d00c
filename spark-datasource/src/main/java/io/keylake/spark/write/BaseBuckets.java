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

import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.MovedFiles;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanPlan;
import io.keylake.table.scan.ScanPlanner;
import io.keylake.table.scan.ScanStatistics;
import io.keylake.table.scan.StagedPartition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of the buckets that a write adds to, as of its base snapshot. The tasks of a process
 * share an instance: each partition is listed once, when a task first asks for it. Safe for use by
 * many threads.
 */
final class BaseBuckets {
  private record Bucket(BinaryRow partition, int bucket) {}

  private final ScanPlanner scans;
  private final @Nullable Snapshot snapshot;
  private final StatsProjection stats;
  private final Set<BinaryRow> listed = new HashSet<>();
  private final Map<Bucket, BucketFiles> buckets = new HashMap<>();
  private final Map<BinaryRow, StagedPartition> staged = new HashMap<>();

  /**
   * The buckets as of {@code snapshot}; null = an empty table.
   *
   * @param scans sees the files of every level
   * @param stats whether planning needs statistics
   */
  BaseBuckets(ScanPlanner scans, @Nullable Snapshot snapshot, StatsProjection stats) {
    this.scans = scans;
    this.snapshot = snapshot;
    this.stats = stats;
  }

  /** Makes the files of some partitions known. */
  synchronized void list(Set<BinaryRow> partitions) {
    Set<BinaryRow> missing = new HashSet<>(partitions);
    missing.removeAll(listed);
    if (snapshot == null || missing.isEmpty()) {
      return;
    }
    ScanPlan plan = scans.plan(snapshot, missing, stats);
    plan.buckets().forEach(this::put);
    for (StagedPartition partition : plan.staged()) {
      staged.put(partition.partition(), partition);
      partition.buckets().forEach(this::put);
    }
    listed.addAll(missing);
  }

  private void put(BucketFiles bucket) {
    buckets.put(new Bucket(bucket.partition(), bucket.bucket()), bucket);
  }

  /** All that is committed of a bucket of a listed partition, with what is staged for it. */
  synchronized ScanPlan scan(BinaryRow partition, int bucket, int totalBuckets) {
    BucketFiles files = files(partition, bucket, totalBuckets);
    StagedPartition above = staged.get(partition);
    if (above == null) {
      List<BucketFiles> present = files.files().isEmpty() ? List.of() : List.of(files);
      return new ScanPlan(snapshot, present, List.of(), ScanStatistics.NONE);
    }
    StagedPartition ofBucket =
        new StagedPartition(partition, totalBuckets, above.files(), List.of(files));
    return new ScanPlan(snapshot, List.of(), List.of(ofBucket), ScanStatistics.NONE);
  }

  /** The files of a bucket of a listed partition. */
  synchronized BucketFiles files(BinaryRow partition, int bucket, int totalBuckets) {
    BucketFiles files = buckets.get(new Bucket(partition, bucket));
    return files == null || files.files().isEmpty()
        ? new BucketFiles(partition, bucket, totalBuckets, List.of(), Map.of(), List.of(), Set.of())
        : files;
  }

  /** The plan with the statistics of files that move. */
  CompactionPlan complete(CompactionPlan plan) {
    return snapshot == null ? plan : new MovedFiles(scans, snapshot).complete(List.of(plan)).get(0);
  }
}
