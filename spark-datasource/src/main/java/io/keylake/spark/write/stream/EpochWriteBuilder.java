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

package io.keylake.spark.write.stream;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.table.options.TableOptions;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.internal.connector.SupportsStreamingUpdateAsAppend;
import org.apache.spark.sql.streaming.OutputMode;

/**
 * What an epoch writes, by output mode: append adds rows; complete replaces the table in one
 * snapshot; update upserts rows, which needs a primary key. Spark does not say which of append and
 * update it is, the query itself is asked.
 */
public final class EpochWriteBuilder implements SupportsStreamingUpdateAsAppend, SupportsTruncate {
  private final SupportsTruncate batch;
  private final Table table;
  private final Parts parts;

  /**
   * What is known of an epoch's write.
   *
   * @param batch the micro-batch
   * @param query its columns
   * @param options of the statement and the table
   * @param hasKey whether rows have a primary key
   * @param progress is told what was committed
   */
  public record Parts(
      MicroBatch batch,
      QueryColumns query,
      TableOptions options,
      boolean hasKey,
      SinkProgress progress) {}

  /**
   * A builder.
   *
   * @param batch writes the rows as a batch does
   * @param table with the columns that are written
   */
  public EpochWriteBuilder(SupportsTruncate batch, Table table, Parts parts) {
    this.batch = batch;
    this.table = table;
    this.parts = parts;
  }

  @Override
  public WriteBuilder truncate() {
    WriteBuilder replaced = batch.truncate();
    return new WriteBuilder() {
      @Override
      public Write build() {
        return streamed(replaced);
      }
    };
  }

  @Override
  public Write build() {
    return SparkErrors.translating(
        () -> {
          boolean updates =
              parts.batch().outputMode().filter(OutputMode.Update()::equals).isPresent();
          if (updates && !parts.hasKey()) {
            throw new UnsupportedTableException(
                Condition.KEYLAKE_UNSUPPORTED_OPERATION,
                "Output mode 'update' does not go with table "
                    + table.name()
                    + ", which has no primary key to find the rows by that are updated. Write with"
                    + " output mode append or complete, or into a table with a primary key.");
          }
          return streamed(batch);
        });
  }

  private Write streamed(WriteBuilder builder) {
    return SparkErrors.translating(
        () -> {
          StreamedRows rows =
              new StreamedRows(
                  parts.query().aligned(table).orElse(null),
                  EventTime.of(parts.query(), parts.options(), table.name()).orElse(null),
                  parts.progress());
          return new StreamedWrite((RequiresDistributionAndOrdering) builder.build(), rows);
        });
  }
}
