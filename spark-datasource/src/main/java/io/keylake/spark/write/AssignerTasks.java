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

import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.table.bucket.AssignerRules;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.bucket.BucketStates;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.ScanKeys;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Which tasks give the keys of a table with dynamic buckets their buckets. All rows of a partition
 * and assigner must come to one task: only then does each key get one bucket and each bucket one
 * index. Where a key is found once whatever its partition, all rows of an assigner must. Spark
 * brings rows together by its own values, so they must be equal where ours are.
 *
 * @param spread how rows are spread over tasks
 * @param rules what the assigners go by
 */
record AssignerTasks(Spread spread, AssignerRules rules) {
  /** How rows are spread over tasks. */
  enum Spread {
    /** By partition and assigner. */
    ASSIGNERS,
    /** By assigner, whatever the partition: a key may be in any. */
    KEY_ASSIGNERS,
    /** By partition: Spark cannot compute the assigner of a key. */
    PARTITIONS,
    /** Not at all: there is no value of Spark's that tells partitions apart. */
    ONE_TASK
  }

  /** Timestamps of fewer fraction digits than Spark's lose some when they are stored. */
  private static final int MAX_CUT_PRECISION = 3;

  /** The tasks of a write to {@code target}, given the partitions it has now. */
  static AssignerTasks of(WriteTarget target) {
    BucketOptions options = target.options().bucket();
    boolean isCrossing = target.bucketMode() instanceof BucketMode.CrossPartition;
    Spread spread = isCrossing ? keySpread(target) : spread(target, options.keys());
    AssignerRules rules =
        spread == Spread.ASSIGNERS || spread == Spread.KEY_ASSIGNERS
            ? AssignerRules.parallel(
                options.dynamic(),
                isCrossing ? mostBuckets(target) : largestPartition(target),
                ScanKeys.SINK_PARALLELISM
                    .find(target.options().asMap())
                    .orElseGet(() -> SQLConf.get().numShufflePartitions()))
            : AssignerRules.single(options.dynamic());
    return new AssignerTasks(spread, rules);
  }

  private static Spread spread(WriteTarget target, List<String> keys) {
    RowType rows = target.schema().rowType();
    List<String> partitionKeys = target.schema().partitionKeys();
    if (!isExact(rows.project(partitionKeys))) {
      return Spread.ONE_TASK;
    }
    if (target.functions() == WriteTarget.Functions.FROM_CATALOG && isExact(rows.project(keys))) {
      return Spread.ASSIGNERS;
    }
    return partitionKeys.isEmpty() ? Spread.ONE_TASK : Spread.PARTITIONS;
  }

  private static Spread keySpread(WriteTarget target) {
    boolean isKnown = target.functions() == WriteTarget.Functions.FROM_CATALOG;
    RowType keys = target.schema().rowType().project(target.schema().primaryKeys());
    return isKnown && isExact(keys) ? Spread.KEY_ASSIGNERS : Spread.ONE_TASK;
  }

  private static int mostBuckets(WriteTarget target) {
    return BucketStates.shared(target.storage(), target.storage().snapshots().latest().orElse(null))
        .largestPartition();
  }

  /** Whether values of Spark's that differ are stored as values that differ. */
  static boolean isExact(RowType columns) {
    return columns.fields().stream().noneMatch(AssignerTasks::losesDigits);
  }

  private static boolean losesDigits(DataField column) {
    return column.type() instanceof AtomicType type
        && (type.root() == TypeRoot.TIMESTAMP || type.root() == TypeRoot.TIMESTAMP_LTZ)
        && type.precision() <= MAX_CUT_PRECISION;
  }

  private static int largestPartition(WriteTarget target) {
    return target
        .storage()
        .snapshots()
        .latest()
        .map(
            snapshot ->
                target.storage().indexEntries(snapshot).stream()
                    .filter(entry -> entry.file().type().equals(IndexFile.HASH))
                    .collect(Collectors.groupingBy(IndexEntry::partition, Collectors.counting()))
                    .values()
                    .stream()
                    .mapToInt(Long::intValue)
                    .max()
                    .orElse(0))
        .orElse(0);
  }
}
