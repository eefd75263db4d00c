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

package io.keylake.spark.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.ChangeKind;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.table.compaction.CompactionPlan;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of append tables into new files, in the order that they come in, bucket after bucket.
 * For one thread; the owner closes it, and calls {@link #discard} first when the files are not
 * wanted.
 */
public final class AppendFiles implements Closeable {
  private final StepStorage storage;
  private final RowBatch batch = new RowBatch();
  private @Nullable DataFileWriter writer;
  private @Nullable NewDataFiles names;
  private long nextSequence;

  /** Files of a table. */
  public AppendFiles(CompactionSpec spec, StepEnvironment environment) {
    this.storage = new StepStorage(spec, environment);
  }

  /**
   * Begins with the files of a plan's bucket; the one before must have ended.
   *
   * @param firstSequence the sequence number of the first row
   */
  public void start(CompactionPlan plan, long firstSequence) {
    DataFileSpec files = storage.files(plan);
    if (writer == null) {
      writer = storage.newWriter(files);
    }
    names = storage.newFiles(plan, files);
    nextSequence = firstSequence;
  }

  /** Adds a row of all columns of the files' schema. */
  public void add(UnsafeRow row) throws IOException {
    if (batch.isFull()) {
      flush();
    }
    batch.add(
        row.getBaseObject(),
        row.getBaseOffset(),
        row.getSizeInBytes(),
        nextSequence++,
        ChangeKind.INSERT.code());
  }

  private void flush() throws IOException {
    if (writer == null || names == null) {
      throw new IllegalStateException("start() comes first");
    }
    storage.environment().stop().check();
    writer.write(batch, names);
    batch.clear();
  }

  /** Ends the bucket and returns its files. */
  public List<DataFile> end() throws IOException {
    if (writer == null) {
      return List.of();
    }
    flush();
    return writer.endBucket();
  }

  /** Every file that was begun. */
  public List<Location> written() {
    return storage.written();
  }

  /** Deletes every file that was begun. */
  public void discard() {
    storage.delete(storage.written());
  }

  @Override
  public void close() throws IOException {
    if (writer != null) {
      writer.close();
    }
  }
}
