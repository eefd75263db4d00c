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

import io.keylake.format.row.BinaryRow;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.bucket.DynamicBuckets;
import io.keylake.table.options.BucketOptions.Function;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Finds the partition and bucket of each row and numbers the rows of each bucket in the order in
 * which they come. A (partition, bucket) that is met for the first time gets the next group number.
 * For one thread.
 */
final class Router {
  /** The rows of one bucket of one partition. */
  static final class Group {
    private final BinaryRow partition;
    private final int bucket;
    private final int totalBuckets;
    private long rows;

    private Group(BinaryRow partition, int bucket, int totalBuckets) {
      this.partition = partition;
      this.bucket = bucket;
      this.totalBuckets = totalBuckets;
    }

    BinaryRow partition() {
      return partition;
    }

    int bucket() {
      return bucket;
    }

    int totalBuckets() {
      return totalBuckets;
    }
  }

  /** A partition that was met, and the group of each of its buckets that was met. */
  private static final class Partition {
    private final BinaryRow values;
    private final int totalBuckets;
    private final @Nullable DynamicBuckets dynamic;
    private int[] groups;

    Partition(BinaryRow values, int totalBuckets, @Nullable DynamicBuckets dynamic) {
      this.values = values;
      this.totalBuckets = totalBuckets;
      this.dynamic = dynamic;
      this.groups = new int[Math.max(1, totalBuckets)];
      Arrays.fill(groups, NO_GROUP);
    }

    void growTo(int bucket) {
      int known = groups.length;
      groups = Arrays.copyOf(groups, Math.max(bucket + 1, known * 2));
      Arrays.fill(groups, known, groups.length, NO_GROUP);
    }
  }

  private static final int NO_GROUP = -1;

  /** What a router asks of the table's storage when it meets a partition for the first time. */
  interface Buckets {
    /** The number of buckets of a partition; not positive = no or dynamic buckets. */
    int totalBuckets(BinaryRow partition);

    /** The dynamic buckets of a partition. */
    DynamicBuckets dynamicBuckets(BinaryRow partition);
  }

  private final BinaryRowAssembler partitionValues;
  private final BinaryRowAssembler bucketKey;
  private final BucketFunction function;
  private final boolean isHashed;
  private final boolean isDynamic;
  private final Buckets buckets;
  private final Map<BinaryRow, Partition> partitions = new HashMap<>();
  private final List<Group> groups = new ArrayList<>();
  private @Nullable Partition current;

  /** A router of the rows of a write. */
  Router(WriterPlan plan, Buckets buckets) {
    RowType rows = plan.schema().rowType();
    int arity = rows.size();
    this.partitionValues = assembler(rows, plan.schema().partitionKeys(), arity);
    boolean isFixed = plan.bucketMode() instanceof BucketMode.Fixed;
    this.isDynamic = plan.bucketMode() instanceof BucketMode.Dynamic;
    List<String> keys = isFixed || isDynamic ? plan.buckets().keys() : List.of();
    Function kind = isFixed ? plan.buckets().function() : Function.DEFAULT;
    this.bucketKey = assembler(rows, keys, arity);
    this.function = BucketFunction.of(kind, rows.project(keys));
    this.isHashed = kind == Function.DEFAULT;
    this.buckets = buckets;
  }

  private static BinaryRowAssembler assembler(RowType rows, List<String> columns, int arity) {
    return new BinaryRowAssembler(
        rows.project(columns), columns.stream().map(rows::indexOf).toList(), arity);
  }

  /** The group of the row. */
  int route(UnsafeRow row) {
    Partition partition = partition(row);
    return group(partition, bucket(row, partition));
  }

  /** The group of a bucket that something else has found. */
  int group(BinaryRow partition, int bucket) {
    return group(partitions.computeIfAbsent(partition, this::newPartition), bucket);
  }

  private int group(Partition partition, int bucket) {
    if (bucket >= partition.groups.length) {
      partition.growTo(bucket);
    }
    int group = partition.groups[bucket];
    if (group == NO_GROUP) {
      group = groups.size();
      partition.groups[bucket] = group;
      groups.add(new Group(partition.values, bucket, partition.totalBuckets));
    }
    return group;
  }

  /** The number, from 0, of the next row of a group. */
  long number(int group) {
    return groups.get(group).rows++;
  }

  /** The partition and bucket of a group. */
  Group group(int group) {
    return groups.get(group);
  }

  /** How many groups there are so far. */
  int size() {
    return groups.size();
  }

  private Partition partition(UnsafeRow row) {
    partitionValues.assemble(row.getBaseObject(), row.getBaseOffset());
    Partition last = current;
    if (last != null && partitionValues.isEqualTo(last.values)) {
      return last;
    }
    BinaryRow values = partitionValues.toBinaryRow();
    Partition found = partitions.computeIfAbsent(values, this::newPartition);
    current = found;
    return found;
  }

  private Partition newPartition(BinaryRow values) {
    return new Partition(
        values, buckets.totalBuckets(values), isDynamic ? buckets.dynamicBuckets(values) : null);
  }

  private int bucket(UnsafeRow row, Partition partition) {
    DynamicBuckets dynamic = partition.dynamic;
    if (dynamic != null) {
      bucketKey.assemble(row.getBaseObject(), row.getBaseOffset());
      return dynamic.bucket(bucketKey.hash());
    }
    int total = partition.totalBuckets;
    if (total <= 1) {
      return 0;
    }
    bucketKey.assemble(row.getBaseObject(), row.getBaseOffset());
    return isHashed
        ? BucketFunction.ofHash(bucketKey.hash(), total)
        : function.bucket(bucketKey.toBinaryRow(), total);
  }

  /**
   * Whether no other task may be taken as the owner of a bucket that rows were routed to: of a
   * dynamic bucket, which tasks of other assigners may write, too, the one that has its assigner.
   */
  boolean owns(BinaryRow partition, int bucket) {
    Partition known = partitions.get(partition);
    DynamicBuckets dynamic = known == null ? null : known.dynamic;
    return dynamic == null || dynamic.owns(bucket);
  }

  /** Hands over a new index for each dynamic bucket that got new keys. */
  void writeIndexes(IndexWriter writer) {
    for (Partition partition : partitions.values()) {
      DynamicBuckets dynamic = partition.dynamic;
      if (dynamic != null) {
        dynamic.writeIndexes((bucket, hashes) -> writer.write(partition.values, bucket, hashes));
      }
    }
  }

  /** Takes the new index of a dynamic bucket. */
  @FunctionalInterface
  interface IndexWriter {
    /** All key hashes of a bucket. */
    void write(BinaryRow partition, int bucket, int[] hashes);
  }
}
