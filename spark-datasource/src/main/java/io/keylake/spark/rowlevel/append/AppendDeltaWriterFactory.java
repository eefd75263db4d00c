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

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.jspecify.annotations.Nullable;

/** Makes the writers of a statement's tasks. Travels to executors with the stage. */
final class AppendDeltaWriterFactory implements DeltaWriterFactory {
  private static final long serialVersionUID = 1L;

  private final RowIdColumns ids;
  private final NewRows.@Nullable Factories rows;

  /** A factory; {@code rows} makes the writers of new rows, null when there are none. */
  AppendDeltaWriterFactory(RowIdColumns ids, NewRows.@Nullable Factories rows) {
    this.ids = ids;
    this.rows = rows;
  }

  @Override
  public DeltaWriter<InternalRow> createWriter(int partitionId, long taskId) {
    if (rows == null) {
      return new AppendDeltaWriter(ids, null, null);
    }
    DataWriterFactory updates = rows.updates();
    return new AppendDeltaWriter(
        ids,
        rows.inserts().createWriter(partitionId, taskId),
        updates == null
            ? null
            : new TrackedRowWriter(ids, rows.columns(), updates.createWriter(partitionId, taskId)));
  }
}
