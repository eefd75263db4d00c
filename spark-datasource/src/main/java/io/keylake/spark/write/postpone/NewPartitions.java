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

package io.keylake.spark.write.postpone;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.TableOptions;

/**
 * How many buckets a write to a postpone table gives to partitions that have none yet.
 *
 * <ol>
 *   <li>{@code postpone.default-bucket-num} where it is set.
 *   <li>Else a power of two, by the amount of data. Spark distributes the rows by key slots, each a
 *       share of the key hashes, and makes its tasks so large as {@link #taskBytes} says: the
 *       number of tasks tells how much there is. The number of buckets divides the number of slots,
 *       so that all rows of a slot are in one bucket, and all rows of a key in one task.
 * </ol>
 *
 * <p>Example: slot 5 of 8 is bucket 1 of 4, since |h mod 8| mod 4 = |h mod 4|. Pinned by {@code
 * NewPartitionsTest}.
 *
 * @param options what the table's options say
 * @param taskBytes shuffled bytes of rows of a task
 * @param rowBytes bytes of a row, as Spark guesses them by the types of the columns
 */
public record NewPartitions(BucketOptions.Postpone options, long taskBytes, long rowBytes) {
  private static final int MAX_SLOTS = 64;

  /** Shuffled bytes of rows are about twice the bytes of the files they become. */
  private static final long SHUFFLED_PER_STORED = 2;

  /** For a table. */
  public static NewPartitions of(TableSchema schema, TableOptions options, long taskBytes) {
    return new NewPartitions(
        options.bucket().postpone(), taskBytes, SparkTypes.toSpark(schema.rowType()).defaultSize());
  }

  /** The number of key slots. */
  public int slots() {
    Integer given = options.buckets();
    return given != null ? given : Math.min(MAX_SLOTS, Integer.highestOneBit(options.maxBuckets()));
  }

  /** The number of buckets of a new partition, when the rows are written by so many tasks. */
  public int buckets(int tasks) {
    long shuffled = tasks <= 1 ? 1 : tasks * taskBytes;
    return Math.min(
        slots(),
        options.bucketsFor(shuffled / SHUFFLED_PER_STORED, shuffled / Math.max(1, rowBytes)));
  }
}
