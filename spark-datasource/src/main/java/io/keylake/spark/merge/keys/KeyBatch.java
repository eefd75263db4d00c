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

package io.keylake.spark.merge.keys;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.DataFileReader;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * The keys of one batch in primitive arrays, ascending and each once, as files hold them. Reused
 * from batch to batch; for one thread.
 *
 * <p>There is one class for each shape of key, so that its loop is compiled for that shape: {@link
 * LongKeys} for one column of fixed width, {@link LongPairKeys} for two, {@link BytesKeys} for a
 * text or binary, {@link EncodedKeys} for everything else.
 */
public abstract sealed class KeyBatch permits LongKeys, LongPairKeys, BytesKeys {
  /** How many keys are looked at one by one before the steps double. */
  private static final int NEAR = 8;

  private int size;
  private long[] prefixes = new long[0];
  private boolean prefixDecides;

  /** An empty batch of keys of {@code keyType}. */
  public static KeyBatch of(RowType keyType) {
    List<DataField> fields = keyType.fields();
    boolean fixed = fields.stream().allMatch(field -> FixedColumn.isFixed(field.type()));
    if (fixed && fields.size() == 1) {
      return new LongKeys(FixedColumn.of(fields.get(0).type()));
    } else if (fixed && fields.size() == 2) {
      return new LongPairKeys(
          FixedColumn.of(fields.get(0).type()), FixedColumn.of(fields.get(1).type()));
    } else if (fields.size() == 1 && EncodedKeys.isBytes(fields.get(0).type())) {
      return new BytesKeys();
    }
    return new EncodedKeys(keyType);
  }

  /** A batch of one key. */
  public static KeyBatch of(RowType keyType, BinaryRow key) {
    KeyBatch batch = of(keyType);
    batch.load(keyType, key);
    return batch;
  }

  /** Takes one key. */
  public final void load(RowType keyType, BinaryRow key) {
    InternalRow values = new PartitionRows(keyType).rowToSpark(key);
    ColumnVector[] columns = new ColumnVector[keyType.size()];
    for (int i = 0; i < columns.length; i++) {
      DataField field = keyType.field(i);
      columns[i] = oneRow(values, i, SparkTypes.toSpark(field.name(), field.type()));
    }
    load(columns, 1);
  }

  private static ColumnVector oneRow(InternalRow values, int column, DataType type) {
    if (type instanceof StringType || type instanceof BinaryType) {
      byte[] bytes =
          type instanceof StringType
              ? values.getUTF8String(column).getBytes()
              : values.getBinary(column);
      OnHeapColumnVector vector = new OnHeapColumnVector(1, type);
      vector.putByteArray(0, bytes);
      return vector;
    }
    return DataFileReader.constant(1, type, values.get(column, type));
  }

  /** The number of keys. */
  public final int size() {
    return size;
  }

  /** Takes the first {@code rows} keys from the key columns, in key order. */
  public final void load(ColumnVector[] columns, int rows) {
    size = rows;
    loadKeys(columns, rows);
  }

  /** A copy that keeps its keys when this batch is loaded again. */
  public final KeyBatch copy() {
    KeyBatch copy = copyKeys(size);
    copy.size = size;
    return copy;
  }

  abstract KeyBatch copyKeys(int rows);

  /** Bytes of memory that the keys of a {@link #copy} take. */
  public abstract long bytes();

  abstract void loadKeys(ColumnVector[] columns, int rows);

  /**
   * Finds the keys that both batches hold, from where {@code matches} says on, until one of the
   * batches is used up. The smaller side gallops: its steps double until they pass the other's key.
   *
   * @param probe a batch of the same class
   */
  public abstract void match(KeyBatch probe, Matches matches);

  /** Below 0, 0 or above 0 as the key is before, equal to or after one of another batch. */
  public abstract int compare(int row, KeyBatch other, int otherRow);

  /**
   * How many leading bytes two keys share that are of no use in {@link #makePrefixes}; 0 where keys
   * are no bytes.
   */
  public abstract int sharedBytes(int row, KeyBatch other, int otherRow);

  /**
   * Makes a long of each key, in the order of the keys, for {@link #prefix} and {@link
   * #firstNotBelow}; to be called after each {@link #load}.
   *
   * @param sharedBytes leading bytes that all keys share which will be compared
   */
  public abstract void makePrefixes(int sharedBytes);

  final void usePrefixes(long[] ofKeys, boolean decide) {
    prefixes = ofKeys;
    prefixDecides = decide;
  }

  /** An array of at least this length, the last one if it will do. */
  final long[] prefixRoom(int rows) {
    return prefixes.length < rows ? new long[rows] : prefixes;
  }

  /** The long of a key; a smaller one means a smaller key. */
  public final long prefix(int row) {
    return prefixes[row];
  }

  /** Whether equal prefixes mean equal keys. */
  public final boolean prefixDecides() {
    return prefixDecides;
  }

  /**
   * The first row from {@code from} on whose key is not below one of another batch. Looks at a few
   * rows one by one, then in steps that double.
   */
  public final int firstNotBelow(int from, KeyBatch other, int otherRow) {
    long bound = other.prefixes[otherRow];
    int near = Math.min(size, from + NEAR);
    int row = from;
    while (row < near && isBelow(row, bound, other, otherRow)) {
      row++;
    }
    if (row < near || row == size) {
      return row;
    }
    int below = row - 1;
    int step = NEAR;
    int next = row;
    while (next < size && isBelow(next, bound, other, otherRow)) {
      below = next;
      step <<= 1;
      next = below + step;
    }
    int high = Math.min(next, size);
    int low = below + 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBelow(middle, bound, other, otherRow)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isBelow(int row, long bound, KeyBatch other, int otherRow) {
    long own = prefixes[row];
    return own < bound || (own == bound && !prefixDecides && compare(row, other, otherRow) < 0);
  }
}
