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
import io.keylake.table.options.BucketOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * A partition of a postpone table whose bucket -2 holds staged rows: rows that other engines wrote
 * in the order of arrival, and that no one has put into buckets yet. They are newer than everything
 * in the buckets.
 *
 * @param partition values of the partition columns
 * @param totalBuckets number of buckets of the partition; what it would get when no bucket has
 *     files yet
 * @param files the staged files, in the order of writing
 * @param buckets the wanted buckets with all their files, without any where there are none; not
 *     pruned, since staged rows may come on top of each
 */
public record StagedPartition(
    BinaryRow partition, int totalBuckets, List<DataFile> files, List<BucketFiles> buckets) {
  /** A partition without buckets is read in as many parts as there are so many bytes. */
  private static final long PART_BYTES = 256L << 20;

  private static final int MAX_PARTS = 32;

  /** Copies the lists. */
  public StagedPartition {
    files = List.copyOf(files);
    buckets = List.copyOf(buckets);
  }

  /**
   * The partitions with staged rows.
   *
   * @param staged the staged files of each partition
   * @param present the buckets of all partitions that have files
   * @param wanted which buckets, of how many, are wanted
   */
  static List<StagedPartition> of(
      Map<BinaryRow, List<DataFile>> staged, List<BucketFiles> present, WantedBuckets wanted) {
    List<StagedPartition> partitions = new ArrayList<>();
    staged.forEach(
        (partition, files) -> {
          List<BucketFiles> own =
              present.stream().filter(bucket -> bucket.partition().equals(partition)).toList();
          int total = own.isEmpty() ? parts(files) : own.get(own.size() - 1).totalBuckets();
          List<BucketFiles> buckets =
              buckets(partition, total, own, bucket -> wanted.test(partition, bucket, total));
          if (!buckets.isEmpty()) {
            partitions.add(new StagedPartition(partition, total, files, buckets));
          }
        });
    return partitions;
  }

  /** Says which buckets are wanted. */
  @FunctionalInterface
  interface WantedBuckets {
    boolean test(BinaryRow partition, int bucket, int totalBuckets);
  }

  private static int parts(List<DataFile> files) {
    return new BucketOptions.Postpone(null, MAX_PARTS, null, PART_BYTES)
        .bucketsFor(files.stream().mapToLong(DataFile::size).sum(), 0);
  }

  private static List<BucketFiles> buckets(
      BinaryRow partition, int total, List<BucketFiles> present, IntPredicate isWanted) {
    Map<Integer, BucketFiles> byNumber = new HashMap<>();
    present.forEach(bucket -> byNumber.put(bucket.bucket(), bucket));
    List<BucketFiles> buckets = new ArrayList<>();
    for (int number = 0; number < total; number++) {
      BucketFiles bucket = byNumber.get(number);
      if (bucket != null) {
        buckets.add(bucket);
      } else if (isWanted.test(number)) {
        buckets.add(
            new BucketFiles(partition, number, total, List.of(), Map.of(), List.of(), Set.of()));
      }
    }
    return buckets;
  }

  /** The same with those of its buckets that are wanted. */
  StagedPartition keeping(WantedBuckets wanted) {
    return new StagedPartition(
        partition,
        totalBuckets,
        files,
        buckets.stream()
            .filter(bucket -> wanted.test(partition, bucket.bucket(), totalBuckets))
            .toList());
  }

  /** Every file that is read, the staged ones first. */
  Stream<DataFile> allFiles() {
    return Stream.concat(
        files.stream(), buckets.stream().flatMap(bucket -> bucket.files().stream()));
  }
}
