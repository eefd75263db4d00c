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

package io.keylake.table.scan;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a scan reads: the buckets of one snapshot with the files it needs.
 *
 * @param snapshot the version that is read; null = a table without snapshots
 * @param buckets in the order of the manifests; none of partitions with staged rows
 * @param staged partitions of a postpone table that have staged rows
 * @param statistics what planning took
 */
public record ScanPlan(
    @Nullable Snapshot snapshot,
    List<BucketFiles> buckets,
    List<StagedPartition> staged,
    ScanStatistics statistics) {
  /** Copies the lists. */
  public ScanPlan {
    buckets = List.copyOf(buckets);
    staged = List.copyOf(staged);
  }

  /** Of a table without snapshots. */
  public static ScanPlan empty() {
    return new ScanPlan(null, List.of(), List.of(), ScanStatistics.NONE);
  }

  /** The same plan without the partitions that are not wanted; exact. */
  public ScanPlan keepPartitions(Predicate<BinaryRow> wanted) {
    long start = System.nanoTime();
    return narrowedTo(
        buckets.stream().filter(bucket -> wanted.test(bucket.partition())).toList(),
        staged.stream().filter(partition -> wanted.test(partition.partition())).toList(),
        start);
  }

  /** The same plan with other files, found since {@code startNanos}. */
  ScanPlan narrowedTo(List<BucketFiles> kept, List<StagedPartition> keptStaged, long startNanos) {
    return new ScanPlan(
        snapshot,
        kept,
        keptStaged,
        statistics.narrowedTo(countUnits(kept, keptStaged), System.nanoTime() - startNanos));
  }

  /** Stored rows of the files that have to be scanned. */
  public long unitRows() {
    return units(buckets, staged).mapToLong(DataFile::rowCount).sum();
  }

  /** Bytes of the files that have to be scanned. */
  public long unitBytes() {
    return units(buckets, staged).mapToLong(DataFile::size).sum();
  }

  static long countUnits(List<BucketFiles> buckets, List<StagedPartition> staged) {
    return units(buckets, staged).count();
  }

  private static Stream<DataFile> units(List<BucketFiles> buckets, List<StagedPartition> staged) {
    return Stream.concat(
        buckets.stream().flatMap(bucket -> bucket.units().stream()),
        staged.stream().flatMap(StagedPartition::allFiles));
  }
}
