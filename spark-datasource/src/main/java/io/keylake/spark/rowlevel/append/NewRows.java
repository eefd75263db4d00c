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

import io.keylake.spark.write.KeylakeWriteBuilder;
import io.keylake.table.evolution.TrackedRows;
import java.io.Serializable;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * How the new rows of a statement are written. Lives on the driver.
 *
 * @param inserts rows without an id, and all rows of tables whose rows have none
 * @param updates updated rows, which keep their ids, into files of their own; null when rows have
 *     no ids
 */
record NewRows(
    RequiresDistributionAndOrdering inserts, @Nullable RequiresDistributionAndOrdering updates) {
  /** The new rows of a statement; null when it makes none. */
  static @Nullable NewRows of(AppendStatement statement, LogicalWriteInfo info) {
    if (statement.command() == RowLevelOperation.Command.DELETE) {
      return null;
    }
    return new NewRows(
        (RequiresDistributionAndOrdering) new KeylakeWriteBuilder(statement.rows(), info).build(),
        TrackedRows.areIn(statement.write().schema())
            ? (RequiresDistributionAndOrdering)
                new KeylakeWriteBuilder(statement.trackedRows(), TrackedInfo.of(info)).build()
            : null);
  }

  /** The writes of one execution. */
  Batch toBatch() {
    return new Batch(inserts.toBatch(), updates == null ? null : updates.toBatch());
  }

  /** The same, as one execution carries them out. */
  record Batch(BatchWrite inserts, @Nullable BatchWrite updates) {
    Factories factories(PhysicalWriteInfo info) {
      return new Factories(
          inserts.createBatchWriterFactory(info),
          updates == null ? null : updates.createBatchWriterFactory(info));
    }
  }

  /** The same, as tasks carry them out. */
  record Factories(DataWriterFactory inserts, @Nullable DataWriterFactory updates)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** Updated rows with their ids; their sequence numbers are NULL: the snapshot's. */
  private record TrackedInfo(String queryId, StructType schema, CaseInsensitiveStringMap options)
      implements LogicalWriteInfo {
    static TrackedInfo of(LogicalWriteInfo info) {
      return new TrackedInfo(
          info.queryId(),
          info.schema()
              .add(TrackedRows.ROW_ID.name(), DataTypes.LongType, false)
              .add(TrackedRows.SEQUENCE_NUMBER.name(), DataTypes.LongType, true),
          info.options());
    }
  }
}
