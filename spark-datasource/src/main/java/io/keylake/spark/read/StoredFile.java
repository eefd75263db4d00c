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

package io.keylake.spark.read;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;

/**
 * A data file all of whose rows, but for those that a deletion vector names, are rows of the table.
 *
 * @param partition values of the partition columns
 * @param file the file with its statistics
 * @param deletedRows rows that its deletion vector names
 */
record StoredFile(BinaryRow partition, DataFile file, long deletedRows) {
  long rows() {
    return file.rowCount() - deletedRows;
  }
}
