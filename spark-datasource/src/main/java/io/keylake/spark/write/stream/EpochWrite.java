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

import java.util.Optional;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.jspecify.annotations.Nullable;

/**
 * Writes one epoch of a streaming query, exactly once, by way of a batch write.
 *
 * <ol>
 *   <li>The commit is known by the query's id and the epoch. One that is repeated after a restart
 *       is recognised before its tasks run: they write nothing. Two drivers that run the same epoch
 *       at once both write files; the commit of one of them is the epoch, the other deletes its
 *       own.
 *   <li>An epoch without rows makes no snapshot: repeated, it has none either.
 *   <li>The watermark of the snapshot is the query's at the start of the epoch, or else that of a
 *       column.
 * </ol>
 *
 * Pinned by {@code StreamSinkSparkTest} and {@code StreamKillSparkTest}.
 */
final class EpochWrite implements StreamingWrite {
  private final BatchWrite write;
  private final @Nullable AlignedRows aligned;
  private final @Nullable EventTime time;
  private final SinkProgress progress;

  EpochWrite(BatchWrite write, StreamedRows rows) {
    this.write = write;
    this.aligned = rows.aligned();
    this.time = rows.time();
    this.progress = rows.progress();
  }

  @Override
  public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
    return new EpochWriterFactory(write.createBatchWriterFactory(info), aligned, time);
  }

  @Override
  public void commit(long epochId, WriterCommitMessage[] messages) {
    Optional<Long> watermark = watermark(messages);
    if (write instanceof EpochCommit epoch) {
      watermark.ifPresent(epoch::watermark);
      write.commit(written(messages));
      progress.note(epoch.committed());
    } else {
      throw new IllegalStateException("Not a write of epochs: " + write);
    }
  }

  private Optional<Long> watermark(WriterCommitMessage[] messages) {
    Optional<Long> own =
        MicroBatch.running().map(MicroBatch.Plan::watermarkMillis).filter(mark -> mark > 0);
    if (own.isPresent() || time == null) {
      return own;
    }
    long latest = EventTime.NONE;
    for (WriterCommitMessage message : messages) {
      if (message instanceof EpochWriterFactory.Message done) {
        latest = Math.max(latest, done.latest());
      }
    }
    return time.watermark(latest);
  }

  /** What the batch write gave; {@code messages} may have nulls. */
  private static WriterCommitMessage[] written(WriterCommitMessage[] messages) {
    WriterCommitMessage[] written = new WriterCommitMessage[messages.length];
    for (int i = 0; i < messages.length; i++) {
      written[i] =
          messages[i] instanceof EpochWriterFactory.Message done ? done.written() : messages[i];
    }
    return written;
  }

  @Override
  public void abort(long epochId, WriterCommitMessage[] messages) {
    write.abort(written(messages));
  }

  @Override
  public String toString() {
    return write.toString();
  }
}
