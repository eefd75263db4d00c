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
  private final Base base;

  private ComputedValues(int place, Base base) {
    this.place = place;
    this.base = base;
  }

  /** The value of a row that stores none. */
  @FunctionalInterface
  private interface Base {
    long of(DataFileReader reader, int row);
  }

  /** The positions of rows: nothing is stored of them. */
  public static ComputedValues positions() {
    return new ComputedValues(-1, DataFileReader::position);
  }

  /**
   * The ids of rows.
   *
   * @param place of the stored ids among the columns that are read; -1 when the file has none
   * @param path address of the file, for messages
   */
  public static ComputedValues rowIds(DataFile file, int place, String path) {
    Long first = file.firstRowId();
    return new ComputedValues(
        place,
        (reader, row) -> {
          if (first == null) {
            throw new CorruptTableException(
                path,
                "The rows of the table have ids, but neither the file nor its entry says which one"
                    + " this row has. Write the rows into a new table.",
                null);
          }
          return first + reader.position(row);
        });
  }

  /**
   * The sequence numbers of rows.
   *
   * @param place of the stored numbers among the columns that are read; -1 when the file has none
   */
  public static ComputedValues sequenceNumbers(DataFile file, int place) {
    long number = file.maxSequenceNumber();
    return new ComputedValues(place, (reader, row) -> number);
  }

  /** Puts the value of a row of the current batch into {@code target}. */
  public void put(DataFileReader reader, int row, WritableColumnVector target, int to) {
    ColumnVector stored = stored(reader);
    target.putLong(
        to, stored != null && !stored.isNullAt(row) ? stored.getLong(row) : base.of(reader, row));
  }

  private @Nullable ColumnVector stored(DataFileReader reader) {
    return place < 0 ? null : reader.column(place);
  }
}
