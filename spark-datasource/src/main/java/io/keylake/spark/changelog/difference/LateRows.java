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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.vector.VectorCopy;
import io.keylake.table.difference.DifferenceFile;
import io.keylake.table.difference.DifferenceSplit;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * The values of the stored rows of {@link ChangedKeys}, read once it is known which rows these are:
 * rows have their numbers there. For one thread.
 */
final class LateRows implements GatherSource, Closeable {
  private static final int FIRST_ROOM = 1024;

  private final ValueColumns columns;
  private final List<LateFile> files = new ArrayList<>();
  private final WritableColumnVector[] values;
  private final VectorCopy[] copies;
  private final WritableColumnVector kinds = new OnHeapColumnVector(FIRST_ROOM, DataTypes.ByteType);
  private final @Nullable WritableColumnVector numbers;
  private final ColumnVector noNumbers;
  private int[] order = new int[0];
  private final int[] ends;

  LateRows(ChangeTask task, DifferenceSplit split, ValueColumns columns) {
    ReadSpec spec = task.spec().data();
    FirstKeyColumn key = FirstKeyColumn.of(spec.schema());
    this.columns = columns;
    for (DifferenceFile file : split.files()) {
      FileScan scan =
          FileScan.whole(
              file.path(), file.file(), schemaOf(spec, file.file(), file.path()), columns.stored());
      LateFile.Share share = file.isInBoth() ? LateFile.Share.SOME : LateFile.Share.ALL;
      files.add(new LateFile(scan.withPositions(), share, task.files(), key, task.metrics()));
    }
    this.ends = new int[files.size()];
    StructType types = columns.types();
    this.values = new WritableColumnVector[types.size()];
    this.copies = new VectorCopy[types.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = new OnHeapColumnVector(FIRST_ROOM, types.fields()[i].dataType());
      copies[i] = new VectorCopy(types.fields()[i].dataType());
    }
    this.numbers =
        columns.hasSequence() ? new OnHeapColumnVector(FIRST_ROOM, DataTypes.LongType) : null;
    this.noNumbers = DataFileReader.constant(spec.batchRows(), DataTypes.LongType, 0L);
  }

  /** The schema that a file was written with. */
  static TableSchema schemaOf(ReadSpec spec, DataFile file, String path) {
    TableSchema schema = spec.fileSchemas().get(file.schemaId());
    if (schema == null) {
      throw new IllegalStateException("No schema " + file.schemaId() + " for file " + path);
    }
    return schema;
  }

  /** Says that a row of a file is among those to be read next. */
  void want(int file, long position, ColumnVector firstKeys, int row) {
    files.get(file).want(position, firstKeys, row);
  }

  /** Reads all stored rows of {@code keys}. */
  void read(ChangedKeys keys) throws IOException {
    int count = keys.rows();
    for (int i = 0; i < values.length; i++) {
      values[i].reset();
      VectorCopy.reserve(values[i], count);
    }
    kinds.reserve(count);
    WritableColumnVector ofRows = numbers;
    if (ofRows != null) {
      ofRows.reserve(count);
    }
    for (int row = 0; row < count; row++) {
      kinds.putByte(row, keys.kind(row));
    }
    sortByFile(keys);
    int begin = 0;
    for (int file = 0; file < ends.length; file++) {
      if (begin < ends[file]) {
        files.get(file).read(keys.positions(), order, begin, ends[file], this::take);
      } else {
        files.get(file).wantNone();
      }
      begin = ends[file];
    }
  }

  /** Orders rows by file, keeping their order inside. */
  private void sortByFile(ChangedKeys keys) {
    if (order.length < keys.rows()) {
      order = new int[keys.rows()];
    }
    Arrays.fill(ends, 0);
    for (int row = 0; row < keys.rows(); row++) {
      ends[keys.file(row)]++;
    }
    int begin = 0;
    for (int file = 0; file < ends.length; file++) {
      int count = ends[file];
      ends[file] = begin;
      begin += count;
    }
    for (int row = 0; row < keys.rows(); row++) {
      order[ends[keys.file(row)]++] = row;
    }
  }

  private void take(DataFileReader reader, int[] rows, int[] targets, int count) {
    for (int i = 0; i < values.length; i++) {
      copies[i].copy(reader.column(i), rows, targets, 0, count, values[i]);
    }
    WritableColumnVector ofRows = numbers;
    if (ofRows != null) {
      ColumnVector stored = reader.column(columns.size());
      for (int i = 0; i < count; i++) {
        ofRows.putLong(targets[i], stored.getLong(rows[i]));
      }
    }
  }

  @Override
  public ColumnVector column(int index) {
    return values[index];
  }

  @Override
  public ColumnVector sequenceNumbers() {
    ColumnVector stored = numbers;
    return stored == null ? noNumbers : stored;
  }

  @Override
  public ColumnVector kinds() {
    return kinds;
  }

  @Override
  public void close() throws IOException {
    for (WritableColumnVector column : values) {
      column.close();
    }
    kinds.close();
    WritableColumnVector ofRows = numbers;
    if (ofRows != null) {
      ofRows.close();
    }
    for (LateFile file : files) {
      file.close();
    }
  }
}
