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

package io.keylake.table.bucket;

import io.keylake.table.options.BucketOptions;
import java.io.Serializable;

/**
 * What the assigners of a write's dynamic buckets go by.
 *
 * @param assigners number of assigners of each partition
 * @param targetRows number of hashes from which a bucket is full
 * @param maxBuckets upper bound of the number of buckets of a partition; -1 = none
 */
public record AssignerRules(int assigners, long targetRows, int maxBuckets)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Fewer assigners than this would let too few tasks load a first, large batch. */
  static final int MIN_ASSIGNERS = 4;

  /** Checks the numbers. */
  public AssignerRules {
    if (assigners < 1 || assigners > DynamicBuckets.MAX_BUCKETS || targetRows < 1) {
      throw new IllegalArgumentException(
          "Not possible: " + assigners + " assigners, " + targetRows + " rows per bucket");
    }
  }

  /** One assigner that owns all buckets of a partition. */
  public static AssignerRules single(BucketOptions.Dynamic options) {
    return new AssignerRules(1, options.targetRows(), options.maxBuckets());
  }

  /**
   * The rules for a write by many tasks. The number of assigners is, in this order:
   *
   * <ol>
   *   <li>{@code dynamic-bucket.assigner-parallelism}, at most {@code
   *       dynamic-bucket.initial-buckets} when both are set;
   *   <li>{@code dynamic-bucket.initial-buckets};
   *   <li>the smallest power of two that is not below the number of buckets of the largest
   *       partition, at least {@value #MIN_ASSIGNERS} and at most what the tasks can use. So a
   *       small table has few buckets, hence few files a write, while a bucket of a table that has
   *       grown is written by one task as long as the table keeps its size.
   * </ol>
   *
   * It is never more than {@code dynamic-bucket.max-buckets}: each assigner needs a bucket.
   *
   * @param largestPartition the most buckets that a partition has so far
   * @param tasks the number of tasks that can run, or that a shuffle makes
   */
  public static AssignerRules parallel(
      BucketOptions.Dynamic options, int largestPartition, int tasks) {
    Integer parallelism = options.assignerParallelism();
    Integer initial = options.initialBuckets();
    int assigners;
    if (parallelism != null) {
      assigners = initial == null ? parallelism : Math.min(parallelism, initial);
    } else if (initial != null) {
      assigners = initial;
    } else {
      int useful = Math.max(MIN_ASSIGNERS, Integer.highestOneBit(Math.max(1, tasks)));
      assigners = Math.min(useful, Math.max(MIN_ASSIGNERS, nextPowerOfTwo(largestPartition)));
    }
    int bound = options.maxBuckets() < 1 ? DynamicBuckets.MAX_BUCKETS : options.maxBuckets();
    return new AssignerRules(
        Math.min(assigners, Math.min(bound, DynamicBuckets.MAX_BUCKETS)),
        options.targetRows(),
        options.maxBuckets());
  }

  private static int nextPowerOfTwo(int count) {
    return count <= 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
  }

  /** The assigner of a key: what the bucket function gives for as many buckets. */
  public int assigner(int hash) {
    return BucketFunction.ofHash(hash, assigners);
  }

  /** Whether the table bounds its number of buckets itself. */
  boolean isBounded() {
    return maxBuckets >= 1;
  }

  /** Bucket numbers are below this. */
  int bucketLimit() {
    return isBounded()
        ? Math.min(maxBuckets, DynamicBuckets.MAX_BUCKETS)
        : DynamicBuckets.MAX_BUCKETS;
  }
}
