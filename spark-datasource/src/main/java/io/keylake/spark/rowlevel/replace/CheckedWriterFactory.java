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

package io.keylake.spark.rowlevel.replace;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.write.overwrite.RowCondition;
import io.keylake.spark.write.overwrite.RowCondition.RowTest;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * Writers that take only rows for which a condition is true: others would be added to rows that
 * stay. Travels to executors.
 *
 * @param rows writes the rows
 * @param condition must be true for each of them
 * @param columns the columns of the rows
 * @param table the table's name, for messages
 */
record CheckedWriterFactory(
    DataWriterFactory rows, RowCondition condition, RowType columns, String table)
    implements DataWriterFactory {
  private static final long serialVersionUID = 1L;

  @Override
  public DataWriter<InternalRow> createWriter(int partition, long task) {
    RowTest test =
        condition
            .test(columns)
            .orElseThrow(() -> new IllegalStateException("Cannot be tested: " + condition));
    return new Writer(rows.createWriter(partition, task), test);
  }

  private final class Writer implements DataWriter<InternalRow> {
    private final DataWriter<InternalRow> rows;
    private final RowTest test;

    Writer(DataWriter<InternalRow> rows, RowTest test) {
      this.rows = rows;
      this.test = test;
    }

    @Override
    public void write(InternalRow row) throws IOException {
      if (!test.isTrue(row)) {
        throw SparkErrors.toSpark(
            new InvalidRequestException(
                Condition.KEYLAKE_OVERWRITE_MISMATCH,
                "A row cannot be written by an overwrite of the rows where "
                    + condition.text()
                    + " in table "
                    + table
                    + ": that is not true for the row. Select only rows for which it is."));
      }
      rows.write(row);
    }

    @Override
    public WriterCommitMessage commit() throws IOException {
      return rows.commit();
    }

    @Override
    public void abort() throws IOException {
      rows.abort();
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
      return rows.currentMetricsValues();
    }
  }
}
