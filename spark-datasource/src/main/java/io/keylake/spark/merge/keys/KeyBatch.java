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

import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.util.List;
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
  private int size;

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
}
