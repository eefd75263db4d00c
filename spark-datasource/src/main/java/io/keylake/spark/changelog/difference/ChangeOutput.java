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

package io.keylake.spark.changelog.difference;

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.vector.VectorCopy;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Change rows, picked from sources and copied to batches of the output. A row before its change and
 * the one after it are in one batch. For one thread.
 */
final class ChangeOutput implements AutoCloseable {
  private static final int FIRST_ROOM = 1024;

  private final OutputColumns columns;
  private final int batchRows;
  private final WritableColumnVector kinds;
  private final @Nullable WritableColumnVector numbers;
  private byte[] pickedKinds = new byte[FIRST_ROOM];
  private int[] pickedSources = new int[FIRST_ROOM];
  private int[] pickedRows = new int[FIRST_ROOM];
  private int picked;
  private int given;
  private int rows;
  private int[] from = new int[FIRST_ROOM];
  private int[] to = new int[FIRST_ROOM];
  private int[] ends = new int[2];

  ChangeOutput(ChangeTask task, ValueColumns columns) {
    this.batchRows = Math.max(2, task.spec().data().batchRows());
    this.columns = new OutputColumns(task, columns, batchRows);
    this.kinds = new OnHeapColumnVector(batchRows, DataTypes.ByteType);
    this.numbers =
        columns.hasSequence() ? new OnHeapColumnVector(batchRows, DataTypes.LongType) : null;
  }

  /** Adds a row of a source. */
  void add(ChangeKind kind, int source, int row) {
    if (picked == pickedRows.length) {
      pickedKinds = Arrays.copyOf(pickedKinds, picked * 2);
      pickedSources = Arrays.copyOf(pickedSources, picked * 2);
      pickedRows = Arrays.copyOf(pickedRows, picked * 2);
    }
    pickedKinds[picked] = kind.code();
    pickedSources[picked] = source;
    pickedRows[picked] = row;
    picked++;
  }

  /** Moves to the next batch of the added rows; false when all have been given. */
  boolean next(List<? extends GatherSource> sources) {
    if (given == picked) {
      given = 0;
      picked = 0;
      rows = 0;
      return false;
    }
    int end = Math.min(picked, given + batchRows);
    if (end < picked && pickedKinds[end - 1] == ChangeKind.UPDATE_BEFORE.code()) {
      end--;
    }
    rows = end - given;
    bySource(end, sources.size());
    columns.clear(rows);
    columns.fill((copy, place, target) -> copy(sources, copy, place, target));
    number(sources);
    for (int row = 0; row < rows; row++) {
      kinds.putByte(row, pickedKinds[given + row]);
    }
    given = end;
    return true;
  }

  private void copy(
      List<? extends GatherSource> sources,
      VectorCopy copy,
      int place,
      WritableColumnVector target) {
    for (int source = 0, begin = 0; source < sources.size(); begin = ends[source++]) {
      if (begin < ends[source]) {
        copy.copy(sources.get(source).column(place), from, to, begin, ends[source], target);
      }
    }
  }

  private void number(List<? extends GatherSource> sources) {
    WritableColumnVector target = numbers;
    if (target != null) {
      for (int row = 0; row < rows; row++) {
        ColumnVector stored = sources.get(pickedSources[given + row]).sequenceNumbers();
        target.putLong(row, stored.getLong(pickedRows[given + row]));
      }
    }
  }

  private void bySource(int end, int sourceCount) {
    if (from.length < rows) {
      from = new int[rows];
      to = new int[rows];
    }
    if (ends.length < sourceCount) {
      ends = new int[sourceCount];
    }
    int count = 0;
    for (int source = 0; source < sourceCount; source++) {
      for (int i = given; i < end; i++) {
        if (pickedSources[i] == source) {
          from[count] = pickedRows[i];
          to[count++] = i - given;
        }
      }
      ends[source] = count;
    }
  }

  /** The number of rows of the batch. */
  int rows() {
    return rows;
  }

  /** A column of the output. */
  ColumnVector column(int index) {
    return columns.get(index);
  }

  /** The kinds of the rows. */
  ColumnVector kinds() {
    return kinds;
  }

  /** The sequence numbers of the rows; null when they are not read. */
  @Nullable ColumnVector sequenceNumbers() {
    return numbers;
  }

  @Override
  public void close() {
    columns.close();
    kinds.close();
    WritableColumnVector ofRows = numbers;
    if (ofRows != null) {
      ofRows.close();
    }
  }
}
