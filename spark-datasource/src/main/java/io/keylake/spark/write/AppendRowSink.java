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

import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.sort.SortBuffer;
import io.keylake.spark.sort.SortOrder;
import io.keylake.spark.sort.SortedBatches;
import io.keylake.table.commit.BucketChange;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of an append table in the order in which they come. Rows of the first bucket that is
 * met go straight to its file; those of all others wait in a sort buffer, so that one file is open
 * at a time however many partitions there are.
 */
final class AppendRowSink implements RowSink {
  /** Makes the buffer when a second bucket is met. */
  @FunctionalInterface
  interface Buffers {
    SortBuffer create();
  }

  private static final int DIRECT_GROUP = 0;

  private final Router router;
  private final Buffers buffers;
  private final SortOrder order;
  private final TaskStorage storage;
  private final TaskFiles files;
  private final RowBatch direct = new RowBatch();
  private long directStart = -1;
  private @Nullable SortBuffer buffer;
  private long spilledBytes;

  AppendRowSink(
      Router router, Buffers buffers, SortOrder order, TaskStorage storage, TaskFiles files) {
    this.router = router;
    this.buffers = buffers;
    this.order = order;
    this.storage = storage;
    this.files = files;
  }

  @Override
  public void write(UnsafeRow row, byte kind) throws IOException {
    int group = router.route(row);
    long number = router.number(group);
    if (group != DIRECT_GROUP) {
      open().insert(row, group, kind, number);
      return;
    }
    if (directStart < 0) {
      directStart = storage.firstSequenceNumber(router.group(group));
    }
    direct.add(
        row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes(), directStart + number, kind);
    if (direct.isFull()) {
      writeDirect();
    }
  }

  private SortBuffer open() {
    SortBuffer existing = buffer;
    if (existing == null) {
      existing = buffers.create();
      buffer = existing;
    }
    return existing;
  }

  private void writeDirect() throws IOException {
    files.write(direct, router.group(DIRECT_GROUP));
    direct.clear();
  }

  @Override
  public List<BucketChange> finish() throws IOException {
    if (!direct.isEmpty()) {
      writeDirect();
    }
    SortBuffer waiting = buffer;
    if (waiting != null) {
      try (SortedBatches batches =
          SortedBatches.ofAll(
              waiting.sort(), order, group -> storage.firstSequenceNumber(router.group(group)))) {
        RowBatch batch = new RowBatch();
        while (batches.next(batch)) {
          files.write(batch, router.group(batches.group()));
        }
      }
      spilledBytes = waiting.spilledBytes();
      waiting.close();
    }
    return files.finish();
  }

  @Override
  public void discard() {
    files.discard();
  }

  @Override
  public TaskFiles files() {
    return files;
  }

  @Override
  public long spilledBytes() {
    return spilledBytes;
  }

  @Override
  public void close() throws IOException {
    if (buffer != null) {
      buffer.close();
    }
    files.close();
  }
}
