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

package io.keylake.table.compaction;

import java.io.Serializable;
import java.util.List;

/**
 * Buckets that rows of other buckets move to, because the number of buckets of their partition
 * changes.
 *
 * <p>Whatever the bucket function, a row's bucket is a number that does not depend on the number of
 * buckets, modulo that number. So rows of old bucket a only go to new buckets b with a = b modulo
 * the greatest common divisor of both numbers of buckets. Example: from 4 to 6 buckets rows of 1
 * and 3 go to 1, 3 and 5.
 *
 * @param total the new number of buckets of the partition
 * @param stride all rows that are read belong to buckets that are equal modulo this
 * @param buckets those of these buckets whose rows are wanted; rows of others are left out
 */
public record NewBuckets(int total, int stride, List<Integer> buckets) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public NewBuckets {
    buckets = List.copyOf(buckets);
    if (buckets.isEmpty()) {
      throw new IllegalArgumentException("No bucket of " + total);
    }
  }

  /** Whether the rows that are read may belong to a bucket. */
  public boolean mayHold(int bucket) {
    return bucket % stride == buckets.get(0) % stride;
  }
}
