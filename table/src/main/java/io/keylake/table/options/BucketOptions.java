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

package io.keylake.table.options;

import io.keylake.format.schema.TableSchema;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How rows are spread over buckets.
 *
 * @param count number of buckets; -1 = dynamic or unaware, -2 = postpone
 * @param keys the columns whose hash gives the bucket: {@code bucket-key}, or else the trimmed
 *     primary key; empty for an append table without buckets
 * @param function how the bucket is computed from them
 * @param appendOrdered whether an append table keeps the order of writing inside a bucket
 * @param dynamic how keys are spread over dynamic buckets
 * @param keyIndex how keys are found that move between partitions
 * @param postpone how many buckets new partitions of a postpone table get
 */
public record BucketOptions(
    int count,
    List<String> keys,
    Function function,
    boolean appendOrdered,
    Dynamic dynamic,
    KeyIndex keyIndex,
    Postpone postpone)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** How the bucket is computed from the bucket key. */
  public enum Function {
    DEFAULT,
    MOD,
    HIVE
  }

  /**
   * How keys are spread over dynamic buckets.
   *
   * @param targetRows number of keys from which a bucket is full
   * @param initialBuckets number of buckets opened at once; null = grows with the table
   * @param maxBuckets upper bound of the number of buckets of a partition; -1 = none
   * @param assignerParallelism number of tasks that assign; null = grows with the table
   */
  public record Dynamic(
      long targetRows,
      @Nullable Integer initialBuckets,
      int maxBuckets,
      @Nullable Integer assignerParallelism)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /**
   * How keys of a table are found whose primary key lacks partition columns.
   *
   * @param timeToLive files that are older are not looked at by INSERT; null = all are
   * @param threads number of threads of a process that read keys
   */
  public record KeyIndex(@Nullable Duration timeToLive, int threads) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /**
   * How many buckets new partitions of a postpone table get.
   *
   * @param buckets so many; null = derived from the data
   * @param maxBuckets most that are derived
   * @param targetRows rows of a bucket to aim at; null = the size decides
   * @param targetBytes size of a bucket to aim at
   */
  public record Postpone(
      @Nullable Integer buckets, int maxBuckets, @Nullable Long targetRows, long targetBytes)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The number of buckets for so much data: a power of two, unless the options say another. */
    public int bucketsFor(long bytes, long rows) {
      if (buckets != null) {
        return buckets;
      }
      long bySize = bytes / targetBytes + (bytes % targetBytes == 0 ? 0 : 1);
      long byRows = targetRows == null ? 0 : rows / targetRows + (rows % targetRows == 0 ? 0 : 1);
      long wanted = Math.min(maxBuckets, Math.max(1, Math.max(bySize, byRows)));
      int power = Integer.highestOneBit((int) wanted);
      return power < wanted && 2L * power <= maxBuckets ? 2 * power : power;
    }
  }

  /** Copies the list. */
  public BucketOptions {
    keys = List.copyOf(keys);
  }

  /** The same, with another number of buckets. */
  public BucketOptions withCount(int buckets) {
    return new BucketOptions(buckets, keys, function, appendOrdered, dynamic, keyIndex, postpone);
  }

  static BucketOptions of(TableSchema schema, Map<String, String> values) {
    return new BucketOptions(
        StorageKeys.BUCKET.read(values),
        StorageKeys.BUCKET_KEY.find(values).orElseGet(schema::trimmedPrimaryKeys),
        StorageKeys.BUCKET_FUNCTION.read(values),
        StorageKeys.BUCKET_APPEND_ORDERED.read(values),
        new Dynamic(
            StorageKeys.DYNAMIC_TARGET_ROWS.read(values),
            StorageKeys.DYNAMIC_INITIAL_BUCKETS.find(values).orElse(null),
            StorageKeys.DYNAMIC_MAX_BUCKETS.read(values),
            StorageKeys.DYNAMIC_PARALLELISM.find(values).orElse(null)),
        new KeyIndex(
            StorageKeys.KEY_INDEX_TTL.find(values).orElse(null),
            StorageKeys.KEY_INDEX_THREADS.read(values)),
        new Postpone(
            StorageKeys.POSTPONE_BUCKETS.find(values).orElse(null),
            StorageKeys.POSTPONE_MAX_BUCKETS.read(values),
            StorageKeys.POSTPONE_TARGET_ROWS.find(values).orElse(null),
            StorageKeys.POSTPONE_TARGET_SIZE.read(values).bytes()));
  }
}
