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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.spark.file.DataFileReader;
import io.keylake.table.split.Probe;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/** A probe file that is being read: its key columns, then its sequence columns, then its kinds. */
final class OpenProbe {
  private final Probe probe;
  private final DataFileReader reader;
  private final @Nullable DeletionVector vector;
  private final ColumnVector[] keyColumns;
  private final ColumnVector[] sequenceColumns;
  private final int kindColumn;
  private boolean started;

  /**
   * @param keys number of key columns
   * @param sequences number of sequence columns
   * @param kindColumn place of the kind among the columns, or -1
   */
  OpenProbe(
      Probe probe,
      DataFileReader reader,
      @Nullable DeletionVector vector,
      int keys,
      int sequences,
      int kindColumn) {
    this.probe = probe;
    this.reader = reader;
    this.vector = vector;
    this.keyColumns = new ColumnVector[keys];
    this.sequenceColumns = new ColumnVector[sequences];
    this.kindColumn = kindColumn;
  }

  /** Moves to the next batch; false at the end. */
  boolean next() throws IOException {
    if (!reader.next()) {
      return false;
    }
    if (!started) {
      for (int i = 0; i < keyColumns.length; i++) {
        keyColumns[i] = reader.column(i);
      }
      for (int i = 0; i < sequenceColumns.length; i++) {
        sequenceColumns[i] = reader.column(keyColumns.length + i);
      }
      started = true;
    }
    return true;
  }

  Probe probe() {
    return probe;
  }

  DataFileReader reader() {
    return reader;
  }

  @Nullable DeletionVector vector() {
    return vector;
  }

  ColumnVector[] keyColumns() {
    return keyColumns;
  }

  ColumnVector[] sequenceColumns() {
    return sequenceColumns;
  }

  int kindColumn() {
    return kindColumn;
  }
}
