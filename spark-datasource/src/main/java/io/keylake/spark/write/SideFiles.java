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

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.write.change.KeyChanges;
import io.keylake.table.commit.BucketChange;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows that come beside those of the data files, bucket by bucket: overrides, or the
 * changelog. For one thread; the owner closes it.
 */
final class SideFiles implements KeyChanges.Overrides, Closeable {
  private final Router router;
  private final TaskStorage storage;
  private final Supplier<TaskFiles> newFiles;
  private final RowBatch batch = new RowBatch();
  private @Nullable TaskFiles files;
  private int group = -1;
  private long groupStart;

  SideFiles(Router router, TaskStorage storage, Supplier<TaskFiles> newFiles) {
    this.router = router;
    this.storage = storage;
    this.newFiles = newFiles;
  }

  @Override
  public void add(int rowGroup, UnsafeRow row, long sequenceNumber, ChangeKind kind)
      throws IOException {
    if (rowGroup != group) {
      flush();
      group = rowGroup;
      groupStart = storage.firstSequenceNumber(router.group(group));
    }
    batch.add(
        row.getBaseObject(),
        row.getBaseOffset(),
        row.getSizeInBytes(),
        groupStart + sequenceNumber,
        kind.code());
    if (batch.isFull()) {
      flush();
    }
  }

  /** Adds rows of a group that have been numbered. */
  void addAll(RowBatch rows, int rowGroup) throws IOException {
    open().write(rows, router.group(rowGroup));
  }

  private void flush() throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    open().write(batch, router.group(group));
    batch.clear();
  }

  private TaskFiles open() {
    TaskFiles open = files;
    if (open == null) {
      open = newFiles.get();
      files = open;
    }
    return open;
  }

  /** What was written. */
  List<BucketChange> finish() throws IOException {
    flush();
    return files == null ? List.of() : files.finish();
  }

  /** Deletes everything that was written. */
  void discard() {
    if (files != null) {
      files.discard();
    }
  }

  @Override
  public void close() throws IOException {
    if (files != null) {
      files.close();
    }
  }
}
