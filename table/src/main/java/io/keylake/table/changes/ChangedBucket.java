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

package io.keylake.table.changes;

import io.keylake.format.row.BinaryRow;
import io.keylake.table.scan.BucketFiles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a commit changed in one bucket.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param totalBuckets number of buckets of the partition; -1 for dynamic and unaware tables
 * @param files changelog files or added files, in the order in which their rows were written; empty
 *     for a difference
 * @param before the bucket's files and deletion vectors before the commit, without any when it was
 *     empty; null unless a difference has to be computed
 * @param after likewise, after the commit
 */
public record ChangedBucket(
    BinaryRow partition,
    int bucket,
    int totalBuckets,
    List<ChangeFile> files,
    @Nullable BucketFiles before,
    @Nullable BucketFiles after) {
  /** Copies the list. */
  public ChangedBucket {
    files = List.copyOf(files);
    if ((before == null) != (after == null)) {
      throw new IllegalArgumentException("A difference has two sides");
    }
  }

  /** A bucket whose changes are stored in files. */
  static ChangedBucket stored(
      BinaryRow partition, int bucket, int totalBuckets, List<ChangeFile> files) {
    return new ChangedBucket(partition, bucket, totalBuckets, files, null, null);
  }

  /** A bucket whose changes are the difference of two states. */
  static ChangedBucket between(BucketFiles before, BucketFiles after) {
    return new ChangedBucket(
        after.partition(), after.bucket(), after.totalBuckets(), List.of(), before, after);
  }
}
