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

import io.keylake.spark.rowlevel.RowLevelTarget;
import io.keylake.spark.write.overwrite.RowCondition;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** One execution: tasks write the new rows, whose files are handed to the removal to commit. */
final class ReplacingBatchWrite implements BatchWrite {
  private final RowLevelTarget target;
  private final RowCondition condition;
  private final BatchWrite rows;
  private final Removal removal;

  ReplacingBatchWrite(RowLevelTarget target, RowCondition condition, BatchWrite rows) {
    this.target = target;
    this.condition = condition;
    this.rows = rows;
    this.removal = new Removal(target, condition);
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    return new CheckedWriterFactory(
        rows.createBatchWriterFactory(info),
        condition,
        target.write().schema().rowType(),
        target.write().name().text());
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    removal.run(messages);
  }

  /**
   * Deletes what all tasks wrote. Once the removal has begun to commit it, that is for the removal
   * to do, which knows whether the commit may have happened.
   */
  @Override
  public void abort(WriterCommitMessage[] messages) {
    if (!removal.hasBegunToCommit()) {
      rows.abort(messages);
    }
  }

  CustomTaskMetric[] metrics() {
    return removal.metrics();
  }

  @Override
  public String toString() {
    return rows.toString();
  }
}
