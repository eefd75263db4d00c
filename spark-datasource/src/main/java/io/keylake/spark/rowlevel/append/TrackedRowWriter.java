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

package io.keylake.spark.rowlevel.append;

import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.types.StructType;

/** Writes updated rows with the ids that they keep. For one thread. */
final class TrackedRowWriter {
  private final RowIdColumns ids;
  private final DataWriter<InternalRow> rows;
  private final GenericInternalRow tracking = new GenericInternalRow(2);
  private final JoinedRow joined = new JoinedRow();
  private final UnsafeProjection columns;

  /**
   * A writer.
   *
   * @param columns the table's columns, which rows begin with
   * @param rows takes rows of these columns, an id and a sequence number
   */
  TrackedRowWriter(RowIdColumns ids, StructType columns, DataWriter<InternalRow> rows) {
    this.columns = UnsafeProjection.create(columns);
    this.ids = ids;
    this.rows = rows;
  }

  /** Takes a row; the sequence number stays NULL. */
  void write(InternalRow metadata, InternalRow row) throws IOException {
    tracking.update(0, metadata.getLong(ids.trackedId()));
    rows.write(joined.apply(columns.apply(row), tracking));
  }

  /** What the rows are given to, for ending it. */
  DataWriter<InternalRow> rows() {
    return rows;
  }
}
