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

package io.keylake.spark.changelog;

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.vector.VectorCompaction;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Puts batches of the output together: the data columns as they come, kinds as codes of a
 * dictionary of their names, the commit as constants. Rows of unwanted kinds are taken out in
 * place.
 */
final class ChangeBatches implements BatchReader {
  private final ChangeTask task;
  private final List<ChangeColumn> columns;
  private final boolean[] isWanted = new boolean[ChangeKind.values().length];
  private final boolean filtersKinds;
  private final Iterator<? extends ChangeSplit> waiting;
  private final int[] survivors;
  private final Deque<WritableColumnVector> owned = new ArrayDeque<>();
  private final @Nullable WritableColumnVector[] kindNames;
  private @Nullable ChangeSplit split;
  private @Nullable ChangeRows rows;
  private @Nullable ColumnarBatch batch;

  ChangeBatches(ChangeTask task, List<? extends ChangeSplit> splits) {
    this.task = task;
    this.columns = task.spec().columns();
    this.waiting = splits.iterator();
    this.survivors = new int[task.spec().data().batchRows()];
    task.spec().kinds().forEach(kind -> isWanted[kind.code()] = true);
    this.filtersKinds = !task.spec().kinds().equals(ChangeSpec.ALL_KINDS);
    this.kindNames = new WritableColumnVector[columns.size()];
  }

  @Override
  public boolean next() throws IOException {
    batch = null;
    while (true) {
      ChangeRows current = rows;
      if (current == null) {
        if (!waiting.hasNext()) {
          return false;
        }
        ChangeSplit next = waiting.next();
        split = next;
        rows = next.open(task);
      } else if (!current.next()) {
        rows = null;
        current.close();
      } else {
        int count = filtersKinds ? keepWanted(current) : current.rows();
        if (count > 0) {
          batch = assemble(current, count);
          return true;
        }
      }
    }
  }

  /** Moves the rows of wanted kinds to the front and returns how many they are. */
  private int keepWanted(ChangeRows current) {
    int total = current.rows();
    ColumnVector kinds = current.kinds();
    if (kinds == null) {
      return isWanted[ChangeKind.INSERT.code()] ? total : 0;
    }
    int count = 0;
    for (int row = 0; row < total; row++) {
      if (isWanted[kinds.getByte(row)]) {
        survivors[count++] = row;
      }
    }
    if (count < total && count > 0) {
      for (int i = 0; i < task.spec().data().columns().size(); i++) {
        compact(current.column(i), count);
      }
      ColumnVector sequence = current.sequenceNumbers();
      if (sequence != null) {
        compact(sequence, count);
      }
      compact(kinds, count);
    }
    return count;
  }

  private void compact(ColumnVector column, int count) {
    if (column instanceof WritableColumnVector writable) {
      VectorCompaction.compact(writable, survivors, count);
    }
  }

  private ColumnarBatch assemble(ChangeRows current, int count) {
    ChangeSplit of = split;
    if (of == null) {
      throw new IllegalStateException("Rows without a split");
    }
    ColumnVector[] output = new ColumnVector[columns.size()];
    for (int i = 0; i < output.length; i++) {
      output[i] =
          columns.get(i) instanceof ChangeColumn.Data data
              ? current.column(data.index())
              : meta((ChangeColumn.Meta) columns.get(i), i, current, of.mark(), count);
    }
    return new ColumnarBatch(output, count);
  }

  private ColumnVector meta(
      ChangeColumn.Meta column, int place, ChangeRows current, CommitMark mark, int count) {
    return switch (column) {
      case ROW_KIND -> names(KindNames.SHORT, place, current.kinds(), count);
      case CHANGE_TYPE -> names(KindNames.CHANGE_TYPE, place, current.kinds(), count);
      case COMMIT_VERSION -> DataFileReader.constant(count, DataTypes.LongType, mark.version());
      case COMMIT_TIMESTAMP ->
          DataFileReader.constant(
              count, DataTypes.TimestampType, TimeUnit.MILLISECONDS.toMicros(mark.timeMillis()));
      case SEQUENCE_NUMBER -> {
        ColumnVector stored = current.sequenceNumbers();
        yield stored == null ? DataFileReader.constant(count, DataTypes.LongType, null) : stored;
      }
    };
  }

  private ColumnVector names(KindNames names, int place, @Nullable ColumnVector kinds, int count) {
    WritableColumnVector vector = kindNames[place];
    if (vector == null) {
      vector = task.vectors().allocate(DataTypes.StringType);
      vector.setDictionary(names);
      vector.reserveDictionaryIds(task.spec().data().batchRows());
      kindNames[place] = vector;
      owned.add(vector);
    }
    WritableColumnVector codes = vector.getDictionaryIds();
    if (kinds == null) {
      codes.putInts(0, count, ChangeKind.INSERT.code());
    } else {
      for (int row = 0; row < count; row++) {
        codes.putInt(row, kinds.getByte(row));
      }
    }
    return vector;
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
    owned.forEach(WritableColumnVector::close);
    owned.clear();
    ChangeRows current = rows;
    if (current != null) {
      rows = null;
      current.close();
    }
  }
}
