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

package io.keylake.procedures.report;

import io.keylake.format.datafile.DataFile;

/**
 * What some files have together.
 *
 * @param files their number
 * @param bytes their size
 * @param rows stored rows
 * @param deleted rows among them that are deleted by vectors, or that delete others
 */
record Sum(long files, long bytes, long rows, long deleted) {
  static final Sum NONE = new Sum(0, 0, 0, 0);

  /**
   * A file.
   *
   * @param vector rows that its deletion vector marks
   */
  static Sum of(DataFile file, long vector) {
    Long deletes = file.deleteRowCount();
    return new Sum(1, file.size(), file.rowCount(), vector + (deletes == null ? 0 : deletes));
  }

  Sum plus(Sum other) {
    return new Sum(
        files + other.files, bytes + other.bytes, rows + other.rows, deleted + other.deleted);
  }

  /** The share of deleted rows, from 0 to 1. */
  double deletedShare() {
    return rows == 0 ? 0 : (double) deleted / rows;
  }
}
