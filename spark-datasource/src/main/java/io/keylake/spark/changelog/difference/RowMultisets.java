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
import io.keylake.spark.changelog.ChangeRows;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.sort.SortBuffer;
import io.keylake.spark.sort.SortOrder;
import io.keylake.spark.sort.SortedRows;
import io.keylake.spark.sort.SpillingSortBuffer;
import io.keylake.spark.vector.ValueEquality;
import io.keylake.table.difference.DifferenceFile;
import io.keylake.table.difference.DifferenceSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * The difference of the rows of files of an append table that went and came, where rows that are
 * the same in all columns are taken for one another: how a rewrite is told apart from a change. For
 * one thread, in a task of Spark's.
 *
 * <ol>
 *   <li>Rows are sorted by a hash, in memory that Spark gives and on local disk.
 *   <li>Rows of one hash are compared and counted: a row that came once more than it went is one
 *       +I, a row that went once more than it came is one -D.
 * </ol>
 *
 * <p>Example: a file with a, a, b is rewritten to a, c: -D a, -D b, +I c.
 *
 * <p>Memory: the sorter's, and the distinct rows of one hash. Pinned by {@code RowMultisetsTest}.
 */
final class RowMultisets implements ChangeRows {
  private static final String HASH = "hash";

  /** Equal rows. */
  private static final class Counted {
    private final UnsafeRow row;
    private byte[] bytes = new byte[0];
    private long surplus;

    Counted(int arity) {
      row = new UnsafeRow(arity);
    }

    /** Takes a copy of a row. */
    void start(UnsafeRow first) {
      int length = first.getSizeInBytes();
      if (bytes.length < length) {
        bytes = new byte[length];
      }
      Platform.copyMemory(
          first.getBaseObject(), first.getBaseOffset(), bytes, Platform.BYTE_ARRAY_OFFSET, length);
      row.pointTo(bytes, length);
      surplus = 0;
    }
  }

  private final ChangeTask task;
  private final DifferenceSplit split;
  private final StoredVectors vectors;
  private final ValueColumns columns;
  private final StructType type;
  private final SortBuffer buffer;
  private final RowBatchOutput output;
  private final UnsafeRow current;
  private final List<Counted> counted = new ArrayList<>();
  private @Nullable SortedRows sorted;
  private boolean hasCurrent;
  private int used;
  private int given;

  RowMultisets(ChangeTask task, DifferenceSplit split, StoredVectors vectors) {
    TaskContext context = TaskContext.get();
    if (context == null) {
      throw new IllegalStateException("Rows are sorted inside of a task only");
    }
    this.task = task;
    this.split = split;
    this.vectors = vectors;
    this.columns = ValueColumns.ofAll(task, split);
    StructType types = columns.types();
    StructField[] fields = new StructField[types.size() + 1];
    fields[0] = DataTypes.createStructField(HASH, DataTypes.LongType, false);
    System.arraycopy(types.fields(), 0, fields, 1, types.size());
    this.type = new StructType(fields);
    this.buffer = SpillingSortBuffer.ofOneGroup(SortOrder.ofFirstLong(fields.length), context);
    this.output = new RowBatchOutput(task, columns);
    this.current = new UnsafeRow(fields.length);
  }

  @Override
  public boolean next() throws IOException {
    SortedRows rows = sorted;
    if (rows == null) {
      insert();
      rows = buffer.sort();
      sorted = rows;
      hasCurrent = rows.next();
    }
    output.clear();
    while (!output.isFull()) {
      if (given < used) {
        give(counted.get(given));
      } else if (hasCurrent) {
        count(rows);
      } else {
        break;
      }
    }
    return output.rows() > 0;
  }

  private void insert() throws IOException {
    UnsafeProjection projection = UnsafeProjection.create(type);
    ColumnVector[] batch = new ColumnVector[type.size()];
    batch[0] = DataFileReader.constant(task.spec().data().batchRows(), DataTypes.LongType, 0L);
    long arrival = 0;
    for (DifferenceFile file : split.files()) {
      try (FileDifference difference = FileDifference.open(task, file, columns, vectors)) {
        while (difference != null && difference.next()) {
          int count = difference.find();
          for (int i = 1; i < batch.length; i++) {
            batch[i] = difference.reader().column(i - 1);
          }
          ColumnarBatch rows = new ColumnarBatch(batch, difference.reader().rows());
          for (int i = 0; i < count; i++) {
            UnsafeRow row = projection.apply(rows.getRow(difference.rows()[i]));
            row.setLong(0, RowHash.of(row, type, 1));
            buffer.insert(row, 0, difference.kind(i).code(), arrival++);
          }
        }
      }
    }
  }

  /** Counts the rows of the next hash. */
  private void count(SortedRows rows) throws IOException {
    used = 0;
    given = 0;
    point(rows);
    long hash = current.getLong(0);
    while (hasCurrent && current.getLong(0) == hash) {
      find().surplus += rows.kind() == ChangeKind.INSERT.code() ? 1 : -1;
      hasCurrent = rows.next();
      if (hasCurrent) {
        point(rows);
      }
    }
  }

  private void point(SortedRows rows) {
    current.pointTo(rows.base(), rows.offset(), rows.length());
  }

  private Counted find() {
    for (int i = 0; i < used; i++) {
      if (ValueEquality.isSame(counted.get(i).row, current, type)) {
        return counted.get(i);
      }
    }
    if (used == counted.size()) {
      counted.add(new Counted(type.size()));
    }
    Counted added = counted.get(used++);
    added.start(current);
    return added;
  }

  private void give(Counted row) {
    if (row.surplus == 0) {
      given++;
    } else if (row.surplus > 0) {
      output.add(ChangeKind.INSERT, row.row);
      row.surplus--;
    } else {
      output.add(ChangeKind.DELETE, row.row);
      row.surplus++;
    }
  }

  @Override
  public int rows() {
    return output.rows();
  }

  @Override
  public ColumnVector column(int index) {
    return output.column(index);
  }

  @Override
  public ColumnVector kinds() {
    return output.kinds();
  }

  @Override
  public @Nullable ColumnVector sequenceNumbers() {
    return null;
  }

  @Override
  public void close() {
    buffer.close();
    output.close();
  }
}
