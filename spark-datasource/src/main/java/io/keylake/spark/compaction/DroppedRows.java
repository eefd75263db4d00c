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

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.merge.fold.FoldedRows;
import io.keylake.spark.merge.runs.RunCursor;
import io.keylake.spark.vector.DropMask;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of the current batch of a source are not written although they stand for their keys:
 * deletes, and rows that have expired. Only where no older row of the key is left. For one thread.
 */
final class DroppedRows {
  private final @Nullable ExpiryMask expiry;
  private final int timeColumn;
  private final DropMask rows = new DropMask();
  private boolean any;
  private long batch = -1;

  /**
   * @param expiry finds expired rows; null when rows do not expire
   * @param timeColumn the column of the rows that it looks at
   */
  DroppedRows(@Nullable ExpiryMask expiry, int timeColumn) {
    this.expiry = expiry;
    this.timeColumn = timeColumn;
  }

  /** Looks at the current batch of {@code run}; always the same run. */
  void lookAt(RunCursor run) {
    if (!run.hasRows()) {
      any = false;
      batch = -1;
      return;
    }
    if (batch == run.batch()) {
      return;
    }
    batch = run.batch();
    boolean mayHoldDeletes = run.input().file().mayHoldDeletes();
    if (expiry == null && !mayHoldDeletes) {
      any = false;
      return;
    }
    rows.reset(run.batchRows());
    if (mayHoldDeletes) {
      dropRetracts(run.kinds(), run.batchRows());
    }
    dropExpired(run, run.batchRows());
  }

  /** Looks at rows that keys were folded to. */
  void lookAt(FoldedRows folded) {
    rows.reset(folded.rows());
    dropRetracts(folded.kinds(), folded.rows());
    dropExpired(folded, folded.rows());
  }

  private void dropRetracts(ColumnVector kinds, int count) {
    for (int row = 0; row < count; row++) {
      byte kind = kinds.getByte(row);
      if (kind == ChangeKind.DELETE.code() || kind == ChangeKind.UPDATE_BEFORE.code()) {
        rows.drop(row);
      }
    }
  }

  private void dropExpired(GatherSource source, int count) {
    if (expiry != null) {
      expiry.apply(source.column(timeColumn), count, rows);
    }
    any = rows.dropped() > 0;
  }

  /** Whether any row of the batch is dropped. */
  boolean any() {
    return any;
  }

  boolean isDropped(int row) {
    return any && rows.isDropped(row);
  }
}
