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
import io.keylake.format.row.ChangeKind;
import io.keylake.spark.file.gather.PickedRows;
import io.keylake.spark.file.gather.RowGather;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.spark.merge.runs.MergeSink;
import io.keylake.spark.merge.runs.MergedKeys;
import io.keylake.spark.merge.runs.RunCursor;
import io.keylake.spark.merge.runs.RunCursor.Role;
import io.keylake.table.compaction.CompactionStep.Deletes;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/** Writes the rows that stand for their keys into new files. For one thread. */
final class RewrittenFiles implements MergeSink, Closeable {
  private final DataFileWriter writer;
  private final NewDataFiles names;
  private final Deletes deletes;
  private final RowGather gather;
  private final PickedRows picked = new PickedRows();
  private @Nullable ColumnVector[] kinds = new ColumnVector[0];
  private boolean[] staying = new boolean[0];

  /**
   * Takes over {@code writer} and closes it.
   *
   * @param rows the type of the rows
   */
  RewrittenFiles(DataFileWriter writer, NewDataFiles names, StructType rows, Deletes deletes) {
    this.writer = writer;
    this.names = names;
    this.deletes = deletes;
    this.gather = new RowGather(rows);
  }

  @Override
  public void accept(MergedKeys keys, List<RunCursor> runs) throws IOException {
    picked.clear(keys.size());
    lookAt(runs);
    for (int key = 0; key < keys.size(); key++) {
      int run = keys.afterRun(key);
      int row = keys.afterRow(key);
      ColumnVector kind = kinds[run];
      boolean isDropped = kind != null && isRetract(kind.getByte(row));
      if (!staying[run] && !isDropped) {
        picked.add(run, row);
      }
    }
    gather.gather(runs, picked, batch -> writer.write(batch, names));
  }

  private void lookAt(List<RunCursor> runs) {
    if (kinds.length < runs.size()) {
      kinds = new ColumnVector[runs.size()];
      staying = new boolean[runs.size()];
    }
    for (int run = 0; run < runs.size(); run++) {
      RunCursor cursor = runs.get(run);
      staying[run] = cursor.role() == Role.STAYING;
      kinds[run] = deletes == Deletes.DROPPED && cursor.mayHoldDeletes() ? cursor.kinds() : null;
    }
  }

  private static boolean isRetract(byte kind) {
    return kind == ChangeKind.DELETE.code() || kind == ChangeKind.UPDATE_BEFORE.code();
  }

  /** Ends the last file and returns all of them. */
  List<DataFile> finish() throws IOException {
    return writer.endBucket();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
