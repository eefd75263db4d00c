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

package io.keylake.spark.merge.rows;

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.vector.DropMask;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Drops rows of kind -U and -D: a key whose newest version is one of them has no row. */
public final class RetractMask implements RowMask {
  private final int kindColumn;

  /**
   * A mask by the kinds in a column of the scan.
   *
   * @param kindColumn place of the kind among the columns of the scan
   */
  public RetractMask(int kindColumn) {
    this.kindColumn = kindColumn;
  }

  @Override
  public void apply(DataFileReader batch, DropMask drops) {
    ColumnVector kinds = batch.column(kindColumn);
    for (int row = 0; row < batch.rows(); row++) {
      if (ChangeKind.ofCode(kinds.getByte(row)).isRetract()) {
        drops.drop(row);
      }
    }
  }
}
