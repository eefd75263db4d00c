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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.write.BucketWriteMessage;
import io.keylake.spark.write.stream.SkippedRows;
import io.keylake.table.commit.BucketChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * One statement: tasks mark and write rows, the driver commits them as one snapshot. Messages of an
 * INSERT may join those of the tasks: their rows become part of the same snapshot.
 */
final class AppendDeltaBatchWrite implements DeltaBatchWrite {
  private final AppendStatement statement;
  private final NewRows.@Nullable Batch rows;
  private final RowIdColumns ids;
  private final AppendCommit commit;
  private Map<String, String> counts = Map.of();
  private boolean isRepeated;

  /** A write; {@code rows} writes new rows, null when the statement makes none. */
  AppendDeltaBatchWrite(AppendStatement statement, NewRows.@Nullable Batch rows, RowIdColumns ids) {
    this.statement = statement;
    this.rows = rows;
    this.ids = ids;
    this.commit = new AppendCommit(statement);
  }

  @Override
  public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    isRepeated = SparkErrors.translating(statement.write()::isRepeated);
    return isRepeated
        ? new SkippedRows()
        : new AppendDeltaWriterFactory(ids, rows == null ? null : rows.factories(info));
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    if (isRepeated) {
      return;
    }
    SparkErrors.translate(
        () -> {
          List<Map<String, DeletionVector>> marked = new ArrayList<>();
          RowCounts rowCounts = RowCounts.NONE;
          for (WriterCommitMessage message : messages) {
            if (message instanceof AppendMessage done) {
              marked.add(done.marked());
              rowCounts = rowCounts.plus(done.counts());
            } else if (message instanceof BucketWriteMessage written) {
              rowCounts = rowCounts.plus(new RowCounts(0, 0, written.rows()));
            }
          }
          Map<String, DeletionVector> all = MarkedRows.union(marked);
          counts = commit.run(newRows(messages), all, MarkedRows.counted(all, rowCounts));
        });
  }

  /** What the commit made known, as properties of its snapshot; empty before it. */
  Map<String, String> counts() {
    return counts;
  }

  /** Deletes what all tasks wrote. */
  @Override
  public void abort(WriterCommitMessage[] messages) {
    SparkErrors.translate(() -> commit.abort(newRows(messages)));
  }

  /** What each task wrote; {@code messages} may have nulls. */
  private static List<BucketChange> newRows(WriterCommitMessage[] messages) {
    List<BucketChange> changes = new ArrayList<>();
    for (WriterCommitMessage message : messages) {
      if (message instanceof AppendMessage done) {
        changes.addAll(done.rows());
      } else if (message instanceof BucketWriteMessage written) {
        changes.addAll(written.changes());
      }
    }
    return changes;
  }

  @Override
  public String toString() {
    return "Keylake " + statement.command() + " on " + statement.write().name().text();
  }
}
