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

package io.keylake.spark.file;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CorruptTableException;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * A number of each row of a file that is made of where the row is: its position; or its id or
 * sequence number, unless the file stores them. For one thread.
 */
public final class ComputedValues {
  private final int place;
  private final long base;
  private final long step;

  private ComputedValues(int place, long base, long step) {
    this.place = place;
    this.base = base;
    this.step = step;
  }

  /** The positions of rows: nothing is stored of them. */
  public static ComputedValues positions() {
    return new ComputedValues(-1, 0, 1);
  }

  /**
   * The ids of rows.
   *
   * @param place of the stored ids among the columns that are read; -1 when the file has none
   * @param path address of the file, for messages
   */
  public static ComputedValues rowIds(DataFile file, int place, String path) {
    Long first = file.firstRowId();
    if (first == null && place < 0) {
      throw new CorruptTableException(
          path,
          "The rows of the table have ids, but neither the file nor its entry says which ones these"
              + " rows have. Write the rows into a new table.",
          null);
    }
    return new ComputedValues(place, first == null ? 0 : first, 1);
  }

  /**
   * The sequence numbers of rows.
   *
   * @param place of the stored numbers among the columns that are read; -1 when the file has none
   */
  public static ComputedValues sequenceNumbers(DataFile file, int place) {
    return new ComputedValues(place, file.maxSequenceNumber(), 0);
  }

  /** Puts the value of a row of the current batch into {@code target}. */
  public void put(DataFileReader reader, int row, WritableColumnVector target, int to) {
    ColumnVector stored = stored(reader);
    target.putLong(
        to,
        stored != null && !stored.isNullAt(row)
            ? stored.getLong(row)
            : base + (step == 0 ? 0 : reader.position(row)));
  }

  private @Nullable ColumnVector stored(DataFileReader reader) {
    return place < 0 ? null : reader.column(place);
  }
}
