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
import io.keylake.spark.merge.keys.KeyBatch;
import io.keylake.spark.merge.keys.Matches;
import io.keylake.spark.merge.rows.RowMask;
import io.keylake.spark.vector.DropMask;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Drops rows of which another run holds a version that counts instead. Each run is compared with
 * the unit on its own, by one galloping pass over both: whether a row survives is a question of
 * pairs of runs, and what a run costs grows with its own rows.
 */
final class ProbeMask implements RowMask {
  private final List<ProbeCursor> runs;
  private final KeyBatch keys;
  private final int unitRank;
  private final ColumnVector[] keyColumns;
  private final ColumnVector[] sequenceColumns;
  private final int[] keyPlaces;
  private final int[] sequencePlaces;
  private final Matches matches = new Matches();

  /**
   * @param keyPlaces places of the key columns among the unit's columns
   * @param sequencePlaces places of the sequence columns; empty when no run needs them
   */
  ProbeMask(
      List<ProbeCursor> runs, KeyBatch keys, int unitRank, int[] keyPlaces, int[] sequencePlaces) {
    this.runs = runs;
    this.keys = keys;
    this.unitRank = unitRank;
    this.keyPlaces = keyPlaces;
    this.sequencePlaces = sequencePlaces;
    this.keyColumns = new ColumnVector[keyPlaces.length];
    this.sequenceColumns = new ColumnVector[sequencePlaces.length];
  }

  @Override
  public void apply(DataFileReader batch, DropMask drops) throws IOException {
    for (int i = 0; i < keyPlaces.length; i++) {
      keyColumns[i] = batch.column(keyPlaces[i]);
    }
    for (int i = 0; i < sequencePlaces.length; i++) {
      sequenceColumns[i] = batch.column(sequencePlaces[i]);
    }
    keys.load(keyColumns, batch.rows());
    for (ProbeCursor run : runs) {
      apply(run, drops);
    }
  }

  private void apply(ProbeCursor run, DropMask drops) throws IOException {
    int row = 0;
    while (row < keys.size() && run.advance()) {
      matches.start(row, run.row());
      keys.match(run.keys(), matches);
      for (int i = 0; i < matches.count(); i++) {
        int matched = matches.row(i);
        if (!drops.isDropped(matched)
            && run.hides(matches.probeRow(i), sequenceColumns, matched, unitRank)) {
          drops.drop(matched);
        }
      }
      row = matches.nextRow();
      run.passTo(matches.nextProbeRow());
    }
  }

  @Override
  public void close() throws IOException {
    for (ProbeCursor run : runs) {
      run.close();
    }
  }
}
