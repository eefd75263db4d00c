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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches of one bucket after the other and keeps what became of them. For one thread; the
 * owner closes it.
 */
final class TaskFiles implements Closeable {
  private record Bucket(BinaryRow partition, int number) {}

  private final TaskStorage storage;
  private final DataFileWriter writer;
  private final Function<Router.Group, NewDataFiles> newFiles;
  private final List<BucketChange> changes = new ArrayList<>();
  private final Map<Bucket, IndexEntry> indexes = new HashMap<>();
  private Router.@Nullable Group current;
  private @Nullable NewDataFiles names;

  /**
   * @param newFiles names files of a bucket
   */
  TaskFiles(
      TaskStorage storage, DataFileWriter writer, Function<Router.Group, NewDataFiles> newFiles) {
    this.storage = storage;
    this.writer = writer;
    this.newFiles = newFiles;
  }

  /** Adds rows of {@code group}; the group before it, if it is another, is complete. */
  void write(RowBatch batch, Router.Group group) throws IOException {
    NewDataFiles files = names;
    if (files == null || group != current) {
      endBucket();
      current = group;
      files = newFiles.apply(group);
      names = files;
    }
    writer.write(batch, files);
  }

  /** Writes the new index of a dynamic bucket: the hashes of all its keys. */
  void writeIndex(BinaryRow partition, int bucket, int[] hashes) {
    IndexEntry index = storage.indexes().create(partition, bucket, hashes);
    indexes.put(new Bucket(partition, bucket), index);
    storage.indexes().write(index, hashes);
  }

  /**
   * Ends the last bucket and returns what was written into all of them. A bucket with a new index
   * has new files, too: the rows of its new keys.
   */
  List<BucketChange> finish() throws IOException {
    endBucket();
    return changes.stream().map(this::withIndex).toList();
  }

  private BucketChange withIndex(BucketChange change) {
    IndexEntry index = indexes.get(new Bucket(change.partition(), change.bucket()));
    return index == null ? change : change.withHashIndex(index.file());
  }

  private void endBucket() throws IOException {
    Router.Group ended = current;
    if (ended == null) {
      return;
    }
    List<DataFile> files = writer.endBucket();
    current = null;
    names = null;
    if (!files.isEmpty()) {
      changes.add(
          new BucketChange(
              ended.partition(),
              ended.bucket(),
              ended.totalBuckets(),
              FileChanges.added(files),
              FileChanges.NONE));
    }
  }

  /** The files of complete buckets. */
  List<DataFile> files() {
    return changes.stream().flatMap(change -> change.written().added().stream()).toList();
  }

  /** The number of complete buckets. */
  int buckets() {
    return changes.size();
  }

  /** Deletes everything that was written. */
  void discard() {
    storage.delete(writer.written());
    storage.delete(indexes.values().stream().map(storage.indexes()::location).toList());
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
