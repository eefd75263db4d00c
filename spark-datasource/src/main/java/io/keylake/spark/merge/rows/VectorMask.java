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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.vector.DropMask;

/** Drops the rows that a deletion vector deletes. The scan must tell positions. */
public final class VectorMask implements RowMask {
  private final DeletionVector vector;

  /** A mask of the rows in {@code vector}. */
  public VectorMask(DeletionVector vector) {
    this.vector = vector;
  }

  @Override
  public void apply(DataFileReader batch, DropMask drops) {
    int rows = batch.rows();
    long first = batch.position(0);
    long last = batch.position(rows - 1);
    if (last - first == rows - 1) {
      for (long deleted = vector.nextDeleted(first);
          deleted <= last;
          deleted = vector.nextDeleted(deleted + 1)) {
        drops.drop((int) (deleted - first));
      }
      return;
    }
    for (int row = 0; row < rows; row++) {
      if (vector.isDeleted(batch.position(row))) {
        drops.drop(row);
      }
    }
  }
}
