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

package io.keylake.spark.write;

import io.keylake.format.errors.TableException;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.write.kind.IncomingRows;
import io.keylake.spark.write.partial.NamedColumns;
import io.keylake.table.commit.BucketChange;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * The end of Spark's road in a task: checks each row and hands it on, with its kind, as an unsafe
 * row, translates failures, and gives up all files when the task fails.
 */
final class TaskWriter implements DataWriter<InternalRow> {
  private final WriterPlan plan;
  private final IncomingRows incoming;
  private final RequiredColumns required;
  private final @Nullable TaskCompaction compaction;
  private final @Nullable NamedColumns named;
  private final RowSink sink;
  private @Nullable UnsafeProjection projection;
  private long rows;

  /** A writer; {@code compaction} is null when nothing is compacted. */
  TaskWriter(WriterPlan plan, @Nullable TaskCompaction compaction, RowSink sink) {
    this.plan = plan;
    this.compaction = compaction;
    this.incoming = new IncomingRows(plan.table(), plan.schema(), plan.kinds());
    this.required = new RequiredColumns(plan.table(), plan.schema());
    this.named = plan.namedColumns().orElse(null);
    this.sink = sink;
  }

  @Override
  public void write(InternalRow row) throws IOException {
    UnsafeRow unsafe = row instanceof UnsafeRow same ? same : project(row);
    try {
      UnsafeRow taken = incoming.take(unsafe);
      if (taken == null) {
        return;
      }
      required.check(taken.getBaseObject(), taken.getBaseOffset());
      sink.write(named == null ? taken : named.of(taken), incoming.kind());
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    }
    rows++;
  }

  private UnsafeRow project(InternalRow row) {
    if (projection == null) {
      projection = UnsafeProjection.create(plan.rows());
    }
    return projection.apply(row);
  }

  @Override
  public WriterCommitMessage commit() throws IOException {
    try {
      List<BucketChange> written = sink.finish();
      return new BucketWriteMessage(compaction == null ? written : compaction.compact(written));
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    }
  }

  /** Storage must be reachable for deleting even in a thread that was told to stop. */
  @Override
  public void abort() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      sink.close();
      sink.files().discard();
      if (compaction != null) {
        compaction.discard();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      sink.close();
    } finally {
      if (compaction != null) {
        compaction.close();
      }
    }
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return WriteMetrics.ofTask(
        new WriteMetrics.Task(
            sink.files().files(),
            compaction == null ? List.of() : compaction.files(),
            rows,
            sink.spilledBytes(),
            sink.files().buckets()));
  }
}
