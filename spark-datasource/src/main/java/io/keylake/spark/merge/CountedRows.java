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

import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Batches of rows of which only constants are wanted: their number is known, no file is opened. */
final class CountedRows implements BatchReader {
  /** Constants have no size, so such batches may be larger than others. */
  private static final int BATCH_ROWS = 1 << 16;

  private final ColumnarBatch batch;
  private long remaining;

  CountedRows(List<? extends ColumnVector> constants, long rows) {
    this.batch = new ColumnarBatch(constants.toArray(ColumnVector[]::new));
    this.remaining = rows;
  }

  @Override
  public boolean next() {
    int rows = (int) Math.min(remaining, BATCH_ROWS);
    remaining -= rows;
    batch.setNumRows(rows);
    return rows > 0;
  }

  @Override
  public ColumnarBatch batch() {
    return batch;
  }

  @Override
  public void close() {}
}
