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

package io.keylake.spark.merge.fold;

import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.vector.VectorCopy;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Rows of keys that occur more than once, in vectors of their own: the rows of a key one after the
 * other, oldest first. Filled by one of two ways: rows are picked from batches by {@link #add} and
 * copied by {@link #gather}, column by column, while the batches are still there; or they are
 * copied one by one by {@link #append}. For one thread; the owner closes it.
 *
 * <p>{@link #gather} may be called several times: each call copies what was picked since the one
 * before, so that the rows of a key may come from batches that are not there at the same time.
 */
public final class VersionBatch implements AutoCloseable {
  private static final int FIRST_ROOM = 1024;

  private final WritableColumnVector[] columns;
  private final VectorCopy[] copies;
  private final WritableColumnVector sequenceNumbers =
      new OnHeapColumnVector(FIRST_ROOM, DataTypes.LongType);
  private final WritableColumnVector kinds = new OnHeapColumnVector(FIRST_ROOM, DataTypes.ByteType);
  private final UnsafeRow row;
  private int[] begins = new int[FIRST_ROOM];
  private int keys;
  private int size;
  private int copied;
  private int[] sources = new int[FIRST_ROOM];
  private int[] rows = new int[FIRST_ROOM];
  private int[] from = new int[FIRST_ROOM];
  private int[] to = new int[FIRST_ROOM];
  private int[] ends = new int[0];

  /**
   * An empty batch.
   *
   * @param columns the columns that are folded
   */
  public VersionBatch(StructType columns) {
    this.columns = new WritableColumnVector[columns.size()];
    copies = new VectorCopy[columns.size()];
    for (int i = 0; i < copies.length; i++) {
      this.columns[i] = new OnHeapColumnVector(FIRST_ROOM, columns.fields()[i].dataType());
      copies[i] = new VectorCopy(columns.fields()[i].dataType());
    }
    row = new UnsafeRow(copies.length);
  }

  /** Forgets all rows. */
  public void clear() {
    for (WritableColumnVector column : columns) {
      column.reset();
    }
    keys = 0;
    size = 0;
    copied = 0;
  }

  /** What is added next are rows of the next key. */
  public void beginKey() {
    if (keys == begins.length) {
      begins = Arrays.copyOf(begins, keys * 2);
    }
    begins[keys++] = size;
  }

  /** Picks the next row of the current key: a row of a source. */
  public void add(int source, int row) {
    if (size == sources.length) {
      sources = Arrays.copyOf(sources, size * 2);
      rows = Arrays.copyOf(rows, size * 2);
    }
    sources[size] = source;
    rows[size] = row;
    size++;
  }

  /** Copies the rows that were picked. */
  public void gather(List<? extends GatherSource> batches) {
    if (copied == size) {
      return;
    }
    reserve(size);
    bySource(batches.size());
    for (int column = 0; column < columns.length; column++) {
      for (int source = 0, begin = 0; source < batches.size(); source++) {
        int end = ends[source];
        if (begin < end) {
          ColumnVector values = batches.get(source).column(column);
          copies[column].copy(values, from, to, begin, end, columns[column]);
        }
        begin = end;
      }
    }
    for (int source = 0, begin = 0; source < batches.size(); source++) {
      int end = ends[source];
      if (begin < end) {
        number(batches.get(source), begin, end);
      }
      begin = end;
    }
    copied = size;
  }

  private void reserve(int room) {
    for (WritableColumnVector column : columns) {
      VectorCopy.reserve(column, room);
    }
    sequenceNumbers.reserve(room);
    kinds.reserve(room);
  }

  /** Orders the picked rows by source, keeping their order inside. */
  private void bySource(int sourceCount) {
    if (from.length < size) {
      from = new int[rows.length];
      to = new int[rows.length];
    }
    if (ends.length < sourceCount) {
      ends = new int[sourceCount];
    }
    Arrays.fill(ends, 0);
    for (int version = copied; version < size; version++) {
      ends[sources[version]]++;
    }
    int begin = 0;
    for (int source = 0; source < sourceCount; source++) {
      int count = ends[source];
      ends[source] = begin;
      begin += count;
    }
    for (int version = copied; version < size; version++) {
      int at = ends[sources[version]]++;
      from[at] = rows[version];
      to[at] = version;
    }
  }

  private void number(GatherSource source, int begin, int end) {
    ColumnVector sourceNumbers = source.sequenceNumbers();
    ColumnVector sourceKinds = source.kinds();
    for (int i = begin; i < end; i++) {
      sequenceNumbers.putLong(to[i], sourceNumbers.getLong(from[i]));
      kinds.putByte(to[i], sourceKinds.getByte(from[i]));
    }
  }

  /**
   * Copies the next row of the current key.
   *
   * @param base the object that holds an {@link UnsafeRow} of the columns
   */
  public void append(Object base, long offset, int length, long sequenceNumber, byte kind) {
    if (copied != size) {
      throw new IllegalStateException("Picked rows have not been gathered");
    }
    reserve(size + 1);
    row.pointTo(base, offset, length);
    for (int column = 0; column < columns.length; column++) {
      copies[column].copy(row, column, columns[column], size);
    }
    sequenceNumbers.putLong(size, sequenceNumber);
    kinds.putByte(size, kind);
    size++;
    copied = size;
  }

  /** The number of keys. */
  public int keys() {
    return keys;
  }

  /** The number of rows. */
  public int size() {
    return size;
  }

  /** Whether all rows that were picked have been copied. */
  boolean isGathered() {
    return copied == size;
  }

  /** The first row of a key. */
  int begin(int key) {
    return begins[key];
  }

  /** The row behind the last one of a key. */
  int end(int key) {
    return key + 1 == keys ? size : begins[key + 1];
  }

  /** The values of a column. */
  WritableColumnVector column(int index) {
    return columns[index];
  }

  /** The sequence number of a row. */
  long sequenceNumber(int version) {
    return sequenceNumbers.getLong(version);
  }

  /** The code of the change kind of a row. */
  byte kind(int version) {
    return kinds.getByte(version);
  }

  @Override
  public void close() {
    for (WritableColumnVector column : columns) {
      column.close();
    }
    sequenceNumbers.close();
    kinds.close();
  }
}
