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

package io.keylake.table.evolution;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.table.options.EngineKeys;
import java.util.ArrayList;
import java.util.List;

/**
 * Tables whose rows have ids ({@code row-tracking.enabled}).
 *
 * <ol>
 *   <li>A file of new rows stores neither ids nor sequence numbers: its entry has the id of its
 *       first row, from which the others count on, and one sequence number, the id of the snapshot.
 *   <li>A file of rows that keep their ids stores {@code _ROW_ID} and {@code _SEQUENCE_NUMBER}
 *       after the table's columns, and its entry names all columns. A NULL sequence number is the
 *       entry's.
 * </ol>
 *
 * Rule source: table format, row tracking; pinned by {@code RowTrackingSparkTest}.
 */
public final class TrackedRows {
  /** The id of a row. */
  public static final DataField ROW_ID = SystemColumns.ROW_ID;

  /** The snapshot that wrote a row; NULL = the one that added the file. */
  public static final DataField SEQUENCE_NUMBER =
      SystemColumns.SEQUENCE_NUMBER.withType(SystemColumns.SEQUENCE_NUMBER.type().asNullable());

  private TrackedRows() {}

  /** Whether rows of the table have ids. */
  public static boolean areIn(TableSchema schema) {
    return EngineKeys.ROW_TRACKING.read(schema.options());
  }

  /** Whether files of this schema store ids. */
  public static boolean areStored(TableSchema schema) {
    return schema.rowType().indexOfId(ROW_ID.id()) >= 0;
  }

  /**
   * Whether a file of a table whose rows have ids stores them: else its entry has the first one.
   */
  public static boolean areStored(DataFile file) {
    List<String> columns = file.writeColumns();
    return columns == null ? file.firstRowId() == null : columns.contains(ROW_ID.name());
  }

  /** The schema of files of rows that keep their ids; the same when rows have none. */
  public static TableSchema stored(TableSchema schema) {
    if (!areIn(schema) || areStored(schema)) {
      return schema;
    }
    List<DataField> fields = new ArrayList<>(schema.fields());
    fields.add(ROW_ID);
    fields.add(SEQUENCE_NUMBER);
    return new TableSchema(
        schema.version(),
        schema.id(),
        fields,
        schema.highestFieldId(),
        schema.partitionKeys(),
        schema.primaryKeys(),
        schema.options(),
        schema.comment(),
        schema.timeMillis(),
        schema.unknown());
  }
}
