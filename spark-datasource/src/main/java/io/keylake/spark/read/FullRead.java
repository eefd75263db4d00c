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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.PartitionOrder;
import io.keylake.table.scan.ScanPlan;
import io.keylake.table.split.Split;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructType;

/**
 * The read of one whole version in pieces whose number and order are the same each time it is
 * planned with the same options: for readers that stop in the middle and go on later. Pieces come
 * in the order of partition values, then of buckets.
 */
public final class FullRead {
  private final ReadPlanner planner;
  private final ScanFilters filters;

  /**
   * A read.
   *
   * @param target the version
   * @param conditions rows that do not fulfil all of them may be left out
   */
  public FullRead(
      ReadTarget target, org.apache.spark.sql.connector.expressions.filter.Predicate[] conditions) {
    this.planner = new ReadPlanner(target);
    this.filters = ScanFilters.NONE.and(target.schema(), conditions);
  }

  /** The pieces of work, each the splits that belong together. */
  public List<List<Split>> pieces() {
    return pieces(file -> true);
  }

  /** The pieces of work on those files that are wanted. */
  public List<List<Split>> pieces(Predicate<DataFile> wanted) {
    ScanPlan plan = planner.filesFor(filters);
    List<BucketFiles> buckets = new ArrayList<>();
    for (BucketFiles bucket : plan.buckets()) {
      BucketFiles kept = keeping(bucket, wanted);
      if (kept.hasUnits()) {
        buckets.add(kept);
      }
    }
    buckets.sort(
        Comparator.comparing(
                BucketFiles::partition,
                new PartitionOrder(planner.target().schema().partitionType()))
            .thenComparingInt(BucketFiles::bucket));
    return planner.pieces(new ScanPlan(plan.snapshot(), buckets, plan.staged(), plan.statistics()));
  }

  private static BucketFiles keeping(BucketFiles bucket, Predicate<DataFile> wanted) {
    List<DataFile> files = bucket.files().stream().filter(wanted).toList();
    return new BucketFiles(
        bucket.partition(),
        bucket.bucket(),
        bucket.totalBuckets(),
        files,
        bucket.vectors(),
        bucket.vectorFiles(),
        files.stream()
            .filter(file -> !bucket.isUnit(file))
            .map(DataFile::name)
            .collect(Collectors.toSet()));
  }

  /** The partitions that may hold wanted rows; exact for conditions on their columns alone. */
  public Predicate<BinaryRow> wantedPartitions() {
    return new PartitionTest(planner.target().schema().partitionType(), filters);
  }

  /** The conditions by which files are left out. */
  public List<io.keylake.format.predicate.Predicate> skipping() {
    return filters.skipping();
  }

  /** What tasks that read these pieces have to know. */
  public ReadSpec spec(StructType columns, List<List<Split>> pieces) {
    ScanRequest request = ScanRequest.of(planner.target(), columns, filters, ScanRequest.NO_LIMIT);
    return planner.spec(request, pieces);
  }

  /** Tasks reach storage so. */
  public TaskConfiguration configuration() {
    return planner.hadoopConfiguration();
  }
}
