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

package io.keylake.spark.stream;

import org.apache.spark.sql.connector.read.streaming.CompositeReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReadAllAvailable;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReadMaxBytes;
import org.apache.spark.sql.connector.read.streaming.ReadMaxFiles;
import org.apache.spark.sql.connector.read.streaming.ReadMaxRows;
import org.apache.spark.sql.connector.read.streaming.ReadMinRows;

/**
 * Says how much one trigger reads. The first piece is always admitted, since a query has to go on;
 * every further one as long as no limit is exceeded with it. Of one trigger. Pinned by {@code
 * AdmissionTest}.
 */
final class Admission {
  private final WorkSize most;
  private final long leastRows;
  private final long longestDelayMillis;
  private WorkSize admitted = WorkSize.NONE;
  private boolean isEmpty = true;

  private Admission(WorkSize most, long leastRows, long longestDelayMillis) {
    this.most = most;
    this.leastRows = leastRows;
    this.longestDelayMillis = longestDelayMillis;
  }

  /** What a limit of Spark's admits. */
  static Admission of(ReadLimit limit) {
    Limits limits = new Limits();
    limits.add(limit);
    return new Admission(
        new WorkSize(limits.files, limits.rows, limits.bytes),
        limits.leastRows,
        limits.delayMillis);
  }

  /** Takes a piece in; false when it has to wait for another trigger. */
  boolean admits(WorkSize piece) {
    WorkSize sum = admitted.plus(piece);
    boolean fits =
        sum.files() <= most.files() && sum.rows() <= most.rows() && sum.bytes() <= most.bytes();
    if (!fits && !isEmpty) {
      return false;
    }
    admitted = sum;
    isEmpty = false;
    return true;
  }

  /** Whether so few rows are there that the trigger had better wait for more. */
  boolean waits(long millisSinceLastBatch) {
    return admitted.rows() < leastRows && millisSinceLastBatch < longestDelayMillis;
  }

  private static final class Limits {
    private long files = Long.MAX_VALUE;
    private long rows = Long.MAX_VALUE;
    private long bytes = Long.MAX_VALUE;
    private long leastRows;
    private long delayMillis = Long.MAX_VALUE;

    void add(ReadLimit limit) {
      if (limit instanceof CompositeReadLimit all) {
        for (ReadLimit part : all.getReadLimits()) {
          add(part);
        }
      } else if (limit instanceof ReadMaxFiles max) {
        files = Math.min(files, max.maxFiles());
      } else if (limit instanceof ReadMaxRows max) {
        rows = Math.min(rows, max.maxRows());
      } else if (limit instanceof ReadMaxBytes max) {
        bytes = Math.min(bytes, max.maxBytes());
      } else if (limit instanceof ReadMinRows min) {
        leastRows = Math.max(leastRows, min.minRows());
        delayMillis = Math.min(delayMillis, min.maxTriggerDelayMs());
      } else if (!(limit instanceof ReadAllAvailable)) {
        throw new IllegalArgumentException("Unknown limit " + limit);
      }
    }
  }
}
