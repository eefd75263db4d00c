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

package io.keylake.spark.compaction;

import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.vector.DropMask;
import io.keylake.table.compaction.RecordExpiry;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Finds the rows of a batch that are too old to be kept.
 *
 * <ol>
 *   <li>A row has expired when its time is before the cutoff. A row without a time never expires.
 *   <li>INT holds seconds since 1970 UTC. BIGINT holds milliseconds from 1,000,000,000,000 on, and
 *       seconds below. Timestamps are taken as they are, a TIMESTAMP as if in UTC.
 *   <li>It is the newest row of a key that decides: when it has expired, the whole key goes, and
 *       only where no older row is left elsewhere. The reference implementation drops each expired
 *       row for itself before it merges, which brings older rows back: with {@code put k=1 t=now},
 *       {@code delete k=1 t=long ago}, its compaction shows the first row again.
 * </ol>
 *
 * Rule source: table behaviour, executing a compaction; observed behaviour of the reference 1.4.2.
 * Pinned by {@code ExpiryMaskTest} and {@code RecordExpiryOracleTest}.
 */
final class ExpiryMask {
  private static final long FIRST_MILLIS = 1_000_000_000_000L;

  /** What the time column holds. */
  private enum Time {
    SECONDS,
    SECONDS_OR_MILLIS,
    MICROS
  }

  private final int column;
  private final Time time;
  private final long cutoffMillis;
  private final long cutoffSeconds;
  private final long cutoffMicros;

  private ExpiryMask(int column, Time time, long cutoffMillis) {
    this.column = column;
    this.time = time;
    this.cutoffMillis = cutoffMillis;
    this.cutoffSeconds = -Math.floorDiv(-cutoffMillis, 1000L);
    this.cutoffMicros = Math.multiplyExact(cutoffMillis, 1000L);
  }

  /**
   * A mask for batches of these columns.
   *
   * @param wanted the columns that are read, the time among them
   */
  static ExpiryMask of(RecordExpiry expiry, RowType wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      if (wanted.field(i).name().equals(expiry.column())) {
        return new ExpiryMask(i, time(wanted.field(i).type()), expiry.cutoffMillis());
      }
    }
    throw new IllegalArgumentException("The time column " + expiry.column() + " is not read");
  }

  private static Time time(DataType type) {
    return switch (type.root()) {
      case INT -> Time.SECONDS;
      case BIGINT -> Time.SECONDS_OR_MILLIS;
      case TIMESTAMP, TIMESTAMP_LTZ -> Time.MICROS;
      default -> throw new IllegalArgumentException("No time: " + type);
    };
  }

  /** Marks the expired rows of the current batch in {@code expired}, which is reset for it. */
  void apply(DataFileReader batch, DropMask expired) {
    apply(batch.column(column), batch.rows(), expired);
  }

  /** Marks the expired ones of the first {@code rows} rows of a vector of times. */
  void apply(ColumnVector times, int rows, DropMask expired) {
    boolean hasNull = times.hasNull();
    switch (time) {
      case SECONDS -> {
        for (int row = 0; row < rows; row++) {
          if ((!hasNull || !times.isNullAt(row)) && times.getInt(row) < cutoffSeconds) {
            expired.drop(row);
          }
        }
      }
      case SECONDS_OR_MILLIS -> {
        for (int row = 0; row < rows; row++) {
          if ((!hasNull || !times.isNullAt(row)) && isBefore(times.getLong(row))) {
            expired.drop(row);
          }
        }
      }
      case MICROS -> {
        for (int row = 0; row < rows; row++) {
          if ((!hasNull || !times.isNullAt(row)) && times.getLong(row) < cutoffMicros) {
            expired.drop(row);
          }
        }
      }
    }
  }

  private boolean isBefore(long value) {
    return value < (value >= FIRST_MILLIS ? cutoffMillis : cutoffSeconds);
  }
}
