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

package io.keylake.spark.merge.fold;

import io.keylake.spark.file.gather.GatherSource;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * What stands for some keys: one row for each, in vectors that belong to the folder. Its kind is +I
 * or -D; its sequence number that of the last row of its key.
 */
public final class FoldedRows implements GatherSource {
  private final WritableColumnVector[] columns;
  private final WritableColumnVector sequenceNumbers;
  private final WritableColumnVector kinds;
  private final int rows;

  FoldedRows(
      WritableColumnVector[] columns,
      WritableColumnVector sequenceNumbers,
      WritableColumnVector kinds,
      int rows) {
    this.columns = columns;
    this.sequenceNumbers = sequenceNumbers;
    this.kinds = kinds;
    this.rows = rows;
  }

  /** The number of rows. */
  public int rows() {
    return rows;
  }

  @Override
  public WritableColumnVector column(int index) {
    return columns[index];
  }

  @Override
  public ColumnVector sequenceNumbers() {
    return sequenceNumbers;
  }

  @Override
  public ColumnVector kinds() {
    return kinds;
  }
}
