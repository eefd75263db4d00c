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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.index.IndexEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of one partition of a table with dynamic buckets, as one task sees them: a key has
 * the bucket that the partition's hash indexes name, a new key gets one from its {@link
 * BucketAssigner}.
 *
 * <p>An assigner is set up when its first key comes: all indexes of the partition are read, and the
 * hashes of that assigner are kept. So all tasks together hold each hash of the partitions that are
 * written once, in about 7 bytes: 100 million keys take 0.7 GB over all tasks. Partitions that are
 * not written are not loaded.
 *
 * <p>For one thread. Pinned by {@code DynamicBucketsTest}.
 */
public final class DynamicBuckets {
  /** The most buckets of a partition; bucket numbers are below it. */
  public static final int MAX_BUCKETS = Short.MAX_VALUE;

  /** An assigner's share of the hashes is larger than the mean by less than so many roots of it. */
  private static final int DEVIATIONS = 6;

  /** Takes the new index of a bucket. */
  @FunctionalInterface
  public interface Indexes {
    /** All hashes of a bucket that got new ones. */
    void write(int bucket, int[] hashes);
  }

  private final AssignerRules rules;
  private final Function<IndexEntry, int[]> reader;
  private final Map<Integer, IndexEntry> indexes = new TreeMap<>();
  private final Map<Integer, Long> counts = new TreeMap<>();
  private final @Nullable BucketAssigner[] assigners;

  /**
   * The buckets of a partition.
   *
   * @param rules of the table
   * @param indexes the hash indexes of the partition
   * @param reader reads the hashes of an index
   */
  public DynamicBuckets(
      AssignerRules rules, List<IndexEntry> indexes, Function<IndexEntry, int[]> reader) {
    this.rules = rules;
    this.reader = reader;
    for (IndexEntry entry : indexes) {
      if (entry.bucket() < 0 || entry.bucket() >= MAX_BUCKETS) {
        throw new UnsupportedTableException(
            Condition.KEYLAKE_UNSUPPORTED_FEATURE,
            "Index file "
                + entry.file().name()
                + " is of bucket "
                + entry.bucket()
                + "; dynamic buckets have numbers below "
                + MAX_BUCKETS
                + ". Roll back to a snapshot that does not use it.");
      }
      this.indexes.put(entry.bucket(), entry);
      counts.put(entry.bucket(), entry.file().rowCount());
    }
    this.assigners = new BucketAssigner[rules.assigners()];
  }

  /** The bucket of the key with this hash. */
  public int bucket(int hash) {
    int number = rules.assigner(hash);
    BucketAssigner assigner = assigners[number];
    if (assigner == null) {
      assigner = new BucketAssigner(number, rules, counts, load(number));
      assigners[number] = assigner;
    }
    return assigner.assign(hash);
  }

  private HashBuckets load(int assigner) {
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    long share = all / rules.assigners();
    long expected = share + (long) (DEVIATIONS * Math.sqrt((double) share)) + DEVIATIONS;
    HashBuckets loaded = new HashBuckets(Math.min(all, expected));
    for (IndexEntry index : indexes.values()) {
      for (int hash : reader.apply(index)) {
        if (rules.assigner(hash) == assigner) {
          loaded.add(hash, index.bucket());
        }
      }
    }
    return loaded;
  }

  /** Whether the assigner that owns a bucket is one of this task's; no other task has it. */
  public boolean owns(int bucket) {
    return assigners[bucket % rules.assigners()] != null;
  }

  /** Hands over a new index for each bucket that got new hashes: the old ones, then the new. */
  public void writeIndexes(Indexes writer) {
    for (BucketAssigner assigner : assigners) {
      if (assigner != null) {
        for (int bucket : assigner.extended()) {
          writer.write(bucket, extended(bucket, assigner.newHashes(bucket)));
        }
      }
    }
  }

  private int[] extended(int bucket, int[] added) {
    IndexEntry index = indexes.get(bucket);
    if (index == null) {
      return added;
    }
    int[] before = reader.apply(index);
    int[] all = Arrays.copyOf(before, Math.addExact(before.length, added.length));
    System.arraycopy(added, 0, all, before.length, added.length);
    return all;
  }

  /** The memory that the hashes take. */
  long bytes() {
    long bytes = 0;
    for (BucketAssigner assigner : assigners) {
      bytes += assigner == null ? 0 : assigner.bytes();
    }
    return bytes;
  }
}
