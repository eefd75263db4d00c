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

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives the keys of one assigner, in one partition, their buckets: a hash that is known has its
 * bucket, whoever owns that; others go to {@link NewKeyBuckets}.
 *
 * <p>For one thread. Rule source: table format, dynamic buckets. Pinned by {@code
 * BucketAssignerTest}.
 */
final class BucketAssigner {
  private final HashBuckets known;
  private final HashBuckets fresh = new HashBuckets(0);
  private final NewKeyBuckets buckets;
  private final Set<Integer> extended = new TreeSet<>();

  /**
   * An assigner.
   *
   * @param assigner its number
   * @param rules of the table
   * @param counts the number of hashes of every bucket of the partition
   * @param known the assigner's hashes
   */
  BucketAssigner(int assigner, AssignerRules rules, Map<Integer, Long> counts, HashBuckets known) {
    this.known = known;
    this.buckets = new NewKeyBuckets(assigner, rules, counts);
  }

  /** The bucket of a key hash, which is of this assigner. */
  int assign(int hash) {
    int bucket = known.bucket(hash);
    if (bucket == HashBuckets.UNKNOWN) {
      bucket = fresh.bucket(hash);
    }
    return bucket == HashBuckets.UNKNOWN ? assignNew(hash) : bucket;
  }

  private int assignNew(int hash) {
    int bucket = buckets.next();
    extended.add(bucket);
    fresh.add(hash, bucket);
    return bucket;
  }

  /** The buckets that got new hashes, in order. */
  Set<Integer> extended() {
    return extended;
  }

  /** The new hashes of a bucket, ascending. */
  int[] newHashes(int bucket) {
    return fresh.hashesOf(bucket);
  }

  /** The memory that the hashes take. */
  long bytes() {
    return known.bytes() + fresh.bytes();
  }
}
