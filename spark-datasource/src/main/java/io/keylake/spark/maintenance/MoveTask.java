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

package io.keylake.spark.maintenance;

import io.keylake.spark.staged.StagedRowFiles;
import java.io.Serializable;
import java.util.List;

/**
 * What one task of a move of staged rows does: it reads the staged rows of a partition and writes
 * those of some buckets.
 *
 * @param rows the staged rows
 * @param buckets which buckets
 */
record MoveTask(StagedRowFiles rows, List<Bucket> buckets) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Staged bytes for which another task is worth reading the rows once more. */
  private static final long TASK_BYTES = 64L << 20;

  /**
   * A bucket.
   *
   * @param number the bucket's number
   * @param firstSequenceNumber of its first new row
   */
  record Bucket(int number, long firstSequenceNumber) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  MoveTask {
    buckets = List.copyOf(buckets);
  }

  /** How many tasks are worth it for so many bytes and buckets. */
  static int tasks(long bytes, int buckets, int cores) {
    long wanted = Math.min(Math.max(1, cores), 1 + bytes / TASK_BYTES);
    return (int) Math.min(buckets, wanted);
  }
}
