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

import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.write.KeylakeWriteBuilder;
import io.keylake.spark.write.WriteTarget;
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
 * @param columns the table's columns
 */
record NewRows(
    RequiresDistributionAndOrdering inserts,
    @Nullable RequiresDistributionAndOrdering updates,
    StructType columns) {
  /** The new rows of a statement; null when it makes none. */
  static @Nullable NewRows of(AppendStatement statement, LogicalWriteInfo info) {
    if (statement.command() == RowLevelOperation.Command.DELETE) {
      return null;
    }
    WriteTarget rows = statement.rows();
    StructType columns = SparkTypes.toSpark(rows.schema().rowType());
    WriteTarget tracked = statement.trackedRows();
    return new NewRows(
        write(rows, info, columns),
        TrackedRows.areIn(rows.schema())
            ? write(
                tracked,
                info,
                columns
                    .add(TrackedRows.ROW_ID.name(), DataTypes.LongType, false)
                    .add(TrackedRows.SEQUENCE_NUMBER.name(), DataTypes.LongType, true))
            : null,
        columns);
  }

  private static RequiresDistributionAndOrdering write(
      WriteTarget target, LogicalWriteInfo info, StructType columns) {
    return (RequiresDistributionAndOrdering)
        new KeylakeWriteBuilder(target, new RowsToWrite(info.queryId(), columns, info.options()))
            .build();
  }

  /** The writes of one execution. */
  Batch toBatch() {
    return new Batch(inserts.toBatch(), updates == null ? null : updates.toBatch(), columns);
  }

  /** The same, as one execution carries them out. */
  record Batch(BatchWrite inserts, @Nullable BatchWrite updates, StructType columns) {
    Factories factories(PhysicalWriteInfo info) {
      return new Factories(
          inserts.createBatchWriterFactory(info),
          updates == null ? null : updates.createBatchWriterFactory(info),
          columns);
    }
  }

  /** The same, as tasks carry them out. */
  record Factories(
      DataWriterFactory inserts, @Nullable DataWriterFactory updates, StructType columns)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /**
   * The rows as they are written. Spark's own description goes on with the metadata columns that
   * the statement names, which come after the table's columns in the rows, too.
   */
  private record RowsToWrite(String queryId, StructType schema, CaseInsensitiveStringMap options)
      implements LogicalWriteInfo {}
}
