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
import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanPlan;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The read-optimized view: of tables with a primary key only files of the top level, of append
 * tables every file. Rule source: table behaviour, visible levels.
 */
final class TopLevel {
  private TopLevel() {}

  static ScanPlan of(ScanPlan plan, TableSchema schema, TableOptions options) {
    if (!schema.hasPrimaryKey()) {
      return plan;
    }
    int top = options.compaction().levels() - 1;
    return keeping(
        plan, bucket -> bucket.units().stream().filter(file -> file.level() == top).toList());
  }

  /** Of tables with a primary key the files above level 0, of append tables every file. */
  static ScanPlan aboveZero(ScanPlan plan, TableSchema schema) {
    return schema.hasPrimaryKey()
        ? keeping(plan, bucket -> bucket.files().stream().filter(file -> file.level() > 0).toList())
        : plan;
  }

  private static ScanPlan keeping(ScanPlan plan, Function<BucketFiles, List<DataFile>> kept) {
    List<BucketFiles> buckets =
        plan.buckets().stream()
            .map(bucket -> holding(bucket, kept.apply(bucket)))
            .filter(BucketFiles::hasUnits)
            .toList();
    return new ScanPlan(plan.snapshot(), buckets, List.of(), plan.statistics());
  }

  private static BucketFiles holding(BucketFiles bucket, List<DataFile> files) {
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
}
