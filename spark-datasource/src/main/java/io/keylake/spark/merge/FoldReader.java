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

package io.keylake.spark.merge;

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.merge.fold.FoldedRows;
import io.keylake.spark.merge.fold.KeyFolder;
import io.keylake.spark.merge.fold.VersionBatch;
import io.keylake.spark.merge.runs.KeyVersions;
import io.keylake.spark.merge.runs.KeyWalk;
import io.keylake.spark.merge.runs.RunCursor;
import io.keylake.spark.merge.runs.VersionsInOrder;
import java.io.IOException;
import java.util.Arrays;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Reads runs side by side and folds the keys that occur more than once. For one thread.
 *
 * <ol>
 *   <li>Rows whose key occurs once stay in the batch of their run, which is handed on when the last
 *       of its rows has been seen; the others are left out of it in place.
 *   <li>Rows of other keys are copied before their batch is handed on, many keys are folded
 *       together, and come out as batches of their own.
 *   <li>A key of which one row alone takes part stands as it is stored.
 *   <li>Rows of kind -U and -D, stored or folded, are left out.
 * </ol>
 *
 * <p>Memory: one batch of each run, and a batch of rows to be folded. Pinned by {@code
 * FoldReaderModelTest}.
 */
final class FoldReader implements BatchReader {
  private final KeyWalk walk;
  private final VersionsInOrder order;
  private final VersionBatch versions;
  private final KeyFolder folder;
  private final FoldOutput output;
  private final ReadMetrics metrics;
  private final int batchRows;
  private final int[][] kept;
  private final int[] keptCounts;
  private int[] survivors = new int[0];
  private boolean started;
  private boolean ended;
  private @Nullable ColumnarBatch batch;

  /**
   * Takes over all of them and closes them.
   *
   * @param batchRows about how many rows are folded together
   */
  FoldReader(
      KeyWalk walk,
      VersionsInOrder order,
      VersionBatch versions,
      KeyFolder folder,
      FoldOutput output,
      int batchRows,
      ReadMetrics metrics) {
    this.walk = walk;
    this.order = order;
    this.versions = versions;
    this.folder = folder;
    this.output = output;
    this.batchRows = batchRows;
    this.metrics = metrics;
    this.kept = new int[walk.runs().size()][0];
    this.keptCounts = new int[kept.length];
  }

  @Override
  public boolean next() throws IOException {
    if (!started) {
      started = true;
      walk.start();
    }
    while (!ended) {
      switch (walk.next()) {
        case RANGE -> keep(walk.run(), walk.from(), walk.to());
        case KEY -> {
          take(walk.versions());
          if (versions.size() >= batchRows && fold()) {
            return true;
          }
        }
        case BATCH_END -> {
          versions.gather(walk.runs());
          if (finish(walk.run())) {
            return true;
          }
        }
        case ROW_GROUP -> throw new IllegalStateException("No row group may be copied");
        case END -> ended = true;
      }
    }
    return versions.keys() > 0 && fold();
  }

  private void keep(int run, int from, int to) {
    int[] rows = room(run);
    int count = keptCounts[run];
    for (int row = from; row < to; row++) {
      rows[count++] = row;
    }
    keptCounts[run] = count;
  }

  private int[] room(int run) {
    int rows = walk.runs().get(run).batchRows();
    if (kept[run].length < rows) {
      kept[run] = Arrays.copyOf(kept[run], rows);
    }
    return kept[run];
  }

  private void take(KeyVersions key) {
    int count = order.arrange(key);
    int newest = order.version(count - 1);
    int run = key.run(newest);
    int row = key.row(newest);
    if (count == 1) {
      keep(run, row, row + 1);
      return;
    }
    versions.beginKey();
    for (int i = 0; i < count; i++) {
      int version = order.version(i);
      versions.add(key.run(version), key.row(version));
    }
    output.addKey(walk.runs().get(run), row);
  }

  /** Makes a batch of the rows of a run that are left; false when there are none. */
  private boolean finish(int run) {
    RunCursor cursor = walk.runs().get(run);
    int rows = cursor.batchRows();
    int count = keptCounts[run];
    keptCounts[run] = 0;
    if (cursor.mayHoldRetracts()) {
      count = withoutRetracts(cursor.kinds(), kept[run], count);
    }
    metrics.maskedRows(rows - count);
    if (count == 0) {
      return false;
    }
    batch = output.ofRun(cursor, kept[run], count, count < rows);
    return true;
  }

  /** Folds the keys so far and makes a batch of them; false when none of them has a row. */
  private boolean fold() {
    versions.gather(walk.runs());
    FoldedRows rows = folder.fold(versions);
    versions.clear();
    if (survivors.length < rows.rows()) {
      survivors = new int[rows.rows()];
    }
    for (int row = 0; row < rows.rows(); row++) {
      survivors[row] = row;
    }
    int count = withoutRetracts(rows.kinds(), survivors, rows.rows());
    if (count == 0) {
      output.forgetKeys();
      return false;
    }
    batch = output.ofFolded(rows, survivors, count);
    output.forgetKeys();
    return true;
  }

  private static int withoutRetracts(ColumnVector kinds, int[] rows, int count) {
    int left = 0;
    for (int i = 0; i < count; i++) {
      if (!ChangeKind.ofCode(kinds.getByte(rows[i])).isRetract()) {
        rows[left++] = rows[i];
      }
    }
    return left;
  }

  @Override
  public ColumnarBatch batch() {
    ColumnarBatch current = batch;
    if (current == null) {
      throw new IllegalStateException("No batch: next() was not called or found none");
    }
    return current;
  }

  @Override
  public void close() throws IOException {
    try {
      walk.close();
    } finally {
      output.close();
      folder.close();
      versions.close();
    }
  }
}
