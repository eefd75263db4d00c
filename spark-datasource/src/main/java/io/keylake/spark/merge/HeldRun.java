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

import io.keylake.spark.merge.keys.KeyBatch;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;

/** A cursor over keys that are in memory, each of which hides the unit's row. */
final class HeldRun implements ProbeCursor {
  private final List<KeyBatch> batches;
  private int batch = -1;
  private int row;

  /**
   * @param batches by ascending keys; shared with other cursors
   */
  HeldRun(List<KeyBatch> batches) {
    this.batches = batches;
  }

  @Override
  public boolean advance() {
    while (batch < 0 || (batch < batches.size() && row >= keys().size())) {
      batch++;
      row = 0;
    }
    return batch < batches.size();
  }

  @Override
  public KeyBatch keys() {
    return batches.get(batch);
  }

  @Override
  public int row() {
    return row;
  }

  @Override
  public void passTo(int newRow) {
    row = newRow;
  }

  @Override
  public boolean hides(int probeRow, ColumnVector[] unitSequence, int unitRow, int unitRank) {
    return true;
  }

  @Override
  public void close() {
    // The keys belong to HeldKeys.
  }
}
