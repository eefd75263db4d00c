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

package io.keylake.table.commit;

import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a task wrote into one bucket: the message it sends to the committer.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param totalBuckets number of buckets of the partition; -1 for dynamic and unaware tables, -2
 *     postpone
 * @param written what the write itself changed: the APPEND or OVERWRITE snapshot
 * @param compacted what compaction changed: the COMPACT snapshot
 */
public record BucketChange(
    BinaryRow partition, int bucket, int totalBuckets, FileChanges written, FileChanges compacted)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private record Bucket(BinaryRow partition, int number) {}

  /**
   * One change per bucket, of what several tasks did. Only one task compacts a bucket, and only the
   * owner of a dynamic bucket writes its index.
   */
  public static List<BucketChange> perBucket(List<BucketChange> changes) {
    Map<Bucket, BucketChange> merged = new LinkedHashMap<>();
    for (BucketChange change : changes) {
      merged.merge(new Bucket(change.partition, change.bucket), change, BucketChange::and);
    }
    return List.copyOf(merged.values());
  }

  private BucketChange and(BucketChange other) {
    FileChanges files = written.and(other.written);
    if (files.addedIndexes().stream().filter(i -> i.type().equals(IndexFile.HASH)).count() > 1) {
      throw new IllegalStateException(
          "Several tasks wrote a hash index of bucket " + bucket + ": " + files);
    }
    if (!compacted.isEmpty() && !other.compacted.isEmpty()) {
      throw new IllegalStateException("Several tasks compacted bucket " + bucket);
    }
    return new BucketChange(partition, bucket, totalBuckets, files, compacted.and(other.compacted));
  }

  /** The same change with another hash index of the bucket. */
  public BucketChange withHashIndex(IndexFile index) {
    List<IndexFile> indexes =
        Stream.concat(
                written.addedIndexes().stream().filter(i -> !i.type().equals(IndexFile.HASH)),
                Stream.of(index))
            .toList();
    FileChanges files =
        new FileChanges(
            written.added(),
            written.removed(),
            written.changelog(),
            indexes,
            written.removedIndexes());
    return new BucketChange(partition, bucket, totalBuckets, files, compacted);
  }

  /** The same change without what was compacted. */
  BucketChange withoutCompaction() {
    return new BucketChange(partition, bucket, totalBuckets, written, FileChanges.NONE);
  }
}
