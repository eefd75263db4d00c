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
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.write.change.RowChanges;
import io.keylake.spark.write.kind.IncomingRows;
import io.keylake.spark.write.partial.NamedColumns;
import io.keylake.table.commit.BucketChange;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * The end of Spark's road in a task: checks each row and hands it on, with its kind, as an unsafe
 * row, translates failures, and gives up all files when the task fails.
 */
final class TaskWriter implements DeltaWriter<InternalRow> {
  private final WriterPlan plan;
  private final IncomingRows incoming;
  private final RequiredColumns required;
  private final @Nullable TaskCompaction compaction;
  private final @Nullable NamedColumns named;
  private final RowSink sink;
  private final @Nullable RowChanges changes;
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
    this.changes = plan.changes() == null ? null : new RowChanges(plan.changes(), this::change);
  }

  @Override
  public void delete(@Nullable InternalRow metadata, InternalRow id) throws IOException {
    try {
      changes().delete(metadata, id);
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    }
    rows++;
  }

  @Override
  public void update(@Nullable InternalRow metadata, InternalRow id, InternalRow row)
      throws IOException {
    try {
      changes().update(metadata, id, row);
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    }
    rows++;
  }

  @Override
  public void insert(InternalRow row) throws IOException {
    write(row);
  }

  private RowChanges changes() {
    return Objects.requireNonNull(changes, "The statement only adds rows");
  }

  private void change(UnsafeRow row, byte code) throws IOException {
    required.check(row.getBaseObject(), row.getBaseOffset());
    sink.write(row, code);
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
      sink.write(named == null ? taken : named.of(taken), incoming.kind().code());
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
      if (changes != null) {
        changes.finish();
      }
      List<BucketChange> written = sink.finish();
      return new BucketWriteMessage(
          compaction == null ? written : compaction.compact(written),
          sink.overrides(),
          sink.repeatedKey(),
          sink.givenPartitions());
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    }
  }

  /** Storage must be reachable for deleting even in a thread that was told to stop. */
  @Override
  public void abort() throws IOException {
    Uninterrupted.run(
        () -> {
          sink.close();
          sink.discard();
          if (compaction != null) {
            compaction.discard();
          }
        });
  }

  @Override
  public void close() throws IOException {
    try {
      sink.close();
      if (changes != null) {
        changes.close();
      }
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
