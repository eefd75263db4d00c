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

import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the writers of an epoch's tasks: those of a batch write, which get rows as the table has
 * them, and note the latest time. Travels to executors.
 */
final class EpochWriterFactory implements StreamingDataWriterFactory {
  private static final long serialVersionUID = 1L;

  private final DataWriterFactory factory;
  private final @Nullable AlignedRows aligned;
  private final @Nullable EventTime time;

  EpochWriterFactory(
      DataWriterFactory factory, @Nullable AlignedRows aligned, @Nullable EventTime time) {
    this.factory = factory;
    this.aligned = aligned;
    this.time = time;
  }

  /** What a task wrote, and the latest time of its rows. */
  record Message(WriterCommitMessage written, long latest) implements WriterCommitMessage {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public DataWriter<InternalRow> createWriter(int partitionId, long taskId, long epochId) {
    return new Writer(
        factory.createWriter(partitionId, taskId),
        aligned == null ? null : aligned.projection(),
        time);
  }

  private static final class Writer implements DataWriter<InternalRow> {
    private final DataWriter<InternalRow> writer;
    private final @Nullable UnsafeProjection projection;
    private final @Nullable EventTime time;
    private long latest = EventTime.NONE;

    Writer(
        DataWriter<InternalRow> writer,
        @Nullable UnsafeProjection projection,
        @Nullable EventTime time) {
      this.writer = writer;
      this.projection = projection;
      this.time = time;
    }

    @Override
    public void write(InternalRow row) throws IOException {
      if (time != null) {
        latest = time.later(latest, row);
      }
      writer.write(projection == null ? row : projection.apply(row));
    }

    @Override
    public WriterCommitMessage commit() throws IOException {
      return new Message(writer.commit(), latest);
    }

    @Override
    public void abort() throws IOException {
      writer.abort();
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
      return writer.currentMetricsValues();
    }
  }
}
