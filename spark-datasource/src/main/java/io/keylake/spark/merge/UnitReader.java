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

package io.keylake.spark.merge;

import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.merge.rows.RowMask;
import io.keylake.spark.vector.DropMask;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Scans one unit once. Without masks the batches of the file are handed on as they are; with masks
 * the rows that stay are moved to the front of the same vectors, and the columns that only masks
 * need are left out of the batch.
 */
final class UnitReader implements BatchReader {
  private final DataFileReader file;
  private final List<RowMask> masks;
  private final ReadMetrics metrics;
  private final UnitOutput output;
  private final DropMask drops = new DropMask();
  private final int[] survivors;
  private @Nullable ColumnarBatch batch;

  /**
   * Takes over {@code file} and {@code masks} and closes them.
   *
   * @param batchRows most rows of a batch
   */
  UnitReader(
      DataFileReader file,
      List<RowMask> masks,
      UnitOutput output,
      int batchRows,
      ReadMetrics metrics) {
    this.file = file;
    this.masks = masks;
    this.output = output;
    this.metrics = metrics;
    this.survivors = new int[batchRows];
  }

  @Override
  public boolean next() throws IOException {
    while (file.next()) {
      int rows = file.rows();
      int kept = masks.isEmpty() ? rows : mask(rows);
      if (kept > 0) {
        ColumnarBatch current = batch == null ? output.start(file) : batch;
        batch = current;
        if (kept < rows) {
          output.compact(file, survivors, kept);
        } else {
          output.keepAll(file, rows);
        }
        current.setNumRows(kept);
        return true;
      }
    }
    return false;
  }

  /** Fills {@link #survivors} and returns their number. */
  private int mask(int rows) throws IOException {
    drops.reset(rows);
    for (RowMask mask : masks) {
      mask.apply(file, drops);
    }
    int dropped = drops.dropped();
    if (dropped == 0) {
      return rows;
    }
    metrics.maskedRows(dropped);
    return dropped == rows ? 0 : drops.survivors(survivors);
  }

  @Override
  public ColumnarBatch batch() {
    ColumnarBatch current = batch;
    if (current == null) {
      throw new IllegalStateException("No batch: next() was not called or found none");
    }
    return current;
  }

  @Override
  public void close() throws IOException {
    try {
      for (RowMask mask : masks) {
        mask.close();
      }
    } finally {
      output.close();
      file.close();
    }
  }
}
