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
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import org.jspecify.annotations.Nullable;

/**
 * What to read of one data file.
 *
 * @param path full address of the file
 * @param file the file
 * @param fileSchema the schema it was written with
 * @param wanted the columns in the wanted order, with the ids and types of the reading schema;
 *     system columns by their own ids
 * @param predicate may skip row groups and pages; null to read all rows of the range
 * @param start first byte of the range; row groups (stripes) whose midpoint lies in it are read
 * @param length bytes of the range
 * @param positions whether positions of rows will be asked for
 * @param rows places of the only rows that are wanted, of which row groups that have none may be
 *     skipped; null when all are
 */
public record FileScan(
    String path,
    DataFile file,
    TableSchema fileSchema,
    RowType wanted,
    @Nullable Predicate predicate,
    long start,
    long length,
    Positions positions,
    @Nullable DeletionVector rows) {

  /** Whether the place of each row in its file is needed. */
  public enum Positions {
    NEEDED,
    NOT_NEEDED
  }

  /** A scan of all rows of a file. */
  public static FileScan whole(String path, DataFile file, TableSchema fileSchema, RowType wanted) {
    return new FileScan(
        path, file, fileSchema, wanted, null, 0, file.size(), Positions.NOT_NEEDED, null);
  }

  /** The same scan, skipping what cannot hold a row of {@code newPredicate}. */
  public FileScan withPredicate(@Nullable Predicate newPredicate) {
    return new FileScan(
        path, file, fileSchema, wanted, newPredicate, start, length, positions, rows);
  }

  /** The same scan, able to tell positions. */
  public FileScan withPositions() {
    return new FileScan(
        path, file, fileSchema, wanted, predicate, start, length, Positions.NEEDED, rows);
  }

  /** The same scan of the row groups in another range. */
  public FileScan between(long newStart, long newLength) {
    return new FileScan(
        path, file, fileSchema, wanted, predicate, newStart, newLength, positions, rows);
  }

  /** The same scan, skipping row groups that have none of these places. */
  public FileScan ofRows(DeletionVector places) {
    return new FileScan(
        path, file, fileSchema, wanted, predicate, start, length, Positions.NEEDED, places);
  }

  /** Whether the range is the whole file. */
  boolean coversFile() {
    return start == 0 && length >= file.size();
  }
}
