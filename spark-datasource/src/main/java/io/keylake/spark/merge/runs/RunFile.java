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

package io.keylake.spark.merge.runs;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.merge.rows.RowMask;
import io.keylake.spark.vector.DropMask;
import io.keylake.spark.vector.VectorCompaction;
import io.keylake.table.compaction.CompactionInput;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/** A file of a run that is being read. For one thread. */
final class RunFile implements Closeable {
  private final CompactionInput input;
  private final DataFileReader reader;
  private final RunColumns columns;
  private final List<RowMask> masks;
  private final @Nullable DeletionVector vector;
  private final boolean cut;
  private final DropMask drops = new DropMask();
  private final ColumnVector[] keyColumns;
  private final ColumnVector[] sequenceColumns;
  private int[] survivors = new int[0];
  private boolean moved;
  private boolean started;

  /**
   * Takes over {@code reader} and closes it.
   *
   * @param masks reasons to leave rows out of batches
   * @param vector rows of a file that stays which are not there
   * @param cut whether the file has keys that are not wanted
   */
  RunFile(
      CompactionInput input,
      DataFileReader reader,
      RunColumns columns,
      List<RowMask> masks,
      @Nullable DeletionVector vector,
      boolean cut) {
    this.input = input;
    this.reader = reader;
    this.columns = columns;
    this.masks = masks;
    this.vector = vector;
    this.cut = cut;
    this.keyColumns = new ColumnVector[columns.keys().size()];
    this.sequenceColumns = new ColumnVector[columns.sequence().size()];
  }

  /** Moves to the next batch; false at the end. */
  boolean next() throws IOException {
    if (!reader.next()) {
      return false;
    }
    if (!started) {
      started = true;
      take(columns.keys(), keyColumns);
      take(columns.sequence(), sequenceColumns);
    }
    return true;
  }

  private void take(List<Integer> places, ColumnVector[] target) {
    for (int i = 0; i < target.length; i++) {
      target[i] = reader.column(places.get(i));
    }
  }

  /** Leaves out what masks say, and returns how many rows are left. */
  int mask() throws IOException {
    int rows = reader.rows();
    moved = false;
    if (masks.isEmpty()) {
      return rows;
    }
    drops.reset(rows);
    for (RowMask mask : masks) {
      mask.apply(reader, drops);
    }
    int dropped = drops.dropped();
    if (dropped == 0 || dropped == rows) {
      return rows - dropped;
    }
    if (survivors.length < rows) {
      survivors = new int[rows];
    }
    int kept = drops.survivors(survivors);
    moved = true;
    for (int i = 0; i < columns.wanted().size(); i++) {
      if (reader.column(i) instanceof WritableColumnVector column) {
        VectorCompaction.compact(column, survivors, kept);
      }
    }
    return kept;
  }

  CompactionInput input() {
    return input;
  }

  boolean isCut() {
    return cut;
  }

  ColumnVector[] keyColumns() {
    return keyColumns;
  }

  ColumnVector[] sequenceColumns() {
    return sequenceColumns;
  }

  boolean hasSequence() {
    return sequenceColumns.length > 0;
  }

  /** A wanted column. */
  ColumnVector column(int place) {
    return reader.column(place);
  }

  RunColumns columns() {
    return columns;
  }

  /** The place of a row of the batch, as masks have left it, in the file. */
  long position(int row) {
    return reader.position(moved ? survivors[row] : row);
  }

  /** Whether a row of a file that stays is there. */
  boolean isLive(int row) {
    return vector == null || !vector.isDeleted(position(row));
  }

  @Override
  public void close() throws IOException {
    try {
      for (RowMask mask : masks) {
        mask.close();
      }
    } finally {
      reader.close();
    }
  }
}
