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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.merge.keys.KeyBatch;
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.table.split.Probe;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the keys of one sorted run, in ascending order: the run's probe files, opened one
 * after another when they are reached, one batch in memory.
 *
 * <ol>
 *   <li>Rows that the probe's deletion vector deletes hide nothing.
 *   <li>Rows of kind -U and -D hide older rows like any other, unless the table ignores deletes or
 *       the first row of a key counts; then they hide nothing.
 *   <li>Sequence columns are read only where the plan says that they must be compared: the newer
 *       row hides the older one, or the older one the newer where the first row counts.
 * </ol>
 */
final class ProbeRun implements ProbeCursor {
  private final ReadTask task;
  private final SequenceOrder order;
  private final ProbeRange range;
  private final Deque<Probe> waiting;
  private final KeyBatch keys;
  private @Nullable OpenProbe open;
  private int row;

  /**
   * @param probes of one run, by ascending keys
   */
  ProbeRun(ReadTask task, SequenceOrder order, ProbeRange range, List<Probe> probes) {
    this.task = task;
    this.order = order;
    this.range = range;
    this.waiting = new ArrayDeque<>(probes);
    this.keys = KeyBatch.of(task.keyType());
  }

  @Override
  public KeyBatch keys() {
    return keys;
  }

  @Override
  public int row() {
    return row;
  }

  @Override
  public void passTo(int newRow) {
    row = newRow;
  }

  @Override
  public boolean advance() throws IOException {
    while (row >= keys.size()) {
      if (open == null) {
        Probe next = waiting.poll();
        if (next == null) {
          return false;
        }
        if (range.excludes(next.file().minKey(), next.file().maxKey())) {
          continue;
        }
        open = open(next);
      }
      OpenProbe current = open;
      row = 0;
      if (current.next()) {
        keys.load(current.keyColumns(), current.reader().rows());
      } else {
        keys.load(current.keyColumns(), 0);
        open = null;
        current.reader().close();
      }
    }
    return true;
  }

  @Override
  public boolean hides(int probeRow, ColumnVector[] unitSequence, int unitRow, int unitRank) {
    OpenProbe current = open;
    if (current == null) {
      throw new IllegalStateException("No batch");
    }
    DeletionVector vector = current.vector();
    if (vector != null && vector.isDeleted(current.reader().position(probeRow))) {
      return false;
    }
    if (current.kindColumn() >= 0
        && ChangeKind.ofCode(current.reader().column(current.kindColumn()).getByte(probeRow))
            .isRetract()) {
      return false;
    }
    if (!current.probe().compareSequence()) {
      return true;
    }
    int newer = order.compare(current.sequenceColumns(), probeRow, unitSequence, unitRow);
    if (newer == 0) {
      newer = Integer.compare(unitRank, current.probe().runRank());
    }
    return task.firstRowCounts() ? newer < 0 : newer > 0;
  }

  private OpenProbe open(Probe probe) throws IOException {
    List<DataField> wanted = new ArrayList<>(task.keyType().fields());
    int keyColumns = wanted.size();
    if (probe.compareSequence()) {
      wanted.addAll(order.columns());
    }
    int sequenceEnd = wanted.size();
    boolean needsKind = task.retractsHideNothing() && probe.file().mayHoldDeletes();
    if (needsKind) {
      wanted.add(SystemColumns.VALUE_KIND);
    }
    FileScan scan =
        FileScan.whole(probe.path(), probe.file(), task.schemaOf(probe.file()), RowType.of(wanted))
            .withPredicate(range.of(probe.file().minKey(), probe.file().maxKey()));
    DeletionVector vector = task.load(probe.vector());
    DataFileReader reader = task.files().open(vector == null ? scan : scan.withPositions());
    task.metrics().openedProbe();
    return new OpenProbe(
        probe, reader, vector, keyColumns, sequenceEnd - keyColumns, needsKind ? sequenceEnd : -1);
  }

  @Override
  public void close() throws IOException {
    OpenProbe current = open;
    if (current != null) {
      open = null;
      current.reader().close();
    }
  }
}
