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
import java.util.List;
import org.apache.spark.sql.types.StructType;

/**
 * Rows of keys that occur more than once, in vectors of their own: the rows of a key one after the
 * other, oldest first. Filled by one of two ways: rows are picked from batches by {@link #add} and
 * copied by {@link #gather}, column by column, while the batches are still there; or they are
 * copied one by one by {@link #append}. For one thread; the owner closes it.
 */
public final class VersionBatch implements AutoCloseable {
  /**
   * An empty batch.
   *
   * @param columns the columns that are folded
   */
  public VersionBatch(StructType columns) {
    throw new UnsupportedOperationException(columns.toString());
  }

  /** Forgets all rows. */
  public void clear() {
    throw new UnsupportedOperationException();
  }

  /** What is added next are rows of the next key. */
  public void beginKey() {
    throw new UnsupportedOperationException();
  }

  /** Picks the next row of the current key: a row of a source. */
  public void add(int source, int row) {
    throw new UnsupportedOperationException();
  }

  /** Copies the rows that were picked. */
  public void gather(List<? extends GatherSource> sources) {
    throw new UnsupportedOperationException();
  }

  /**
   * Copies the next row of the current key.
   *
   * @param base the object that holds an {@link
   *     org.apache.spark.sql.catalyst.expressions.UnsafeRow} of the columns
   */
  public void append(Object base, long offset, int length, long sequenceNumber, byte kind) {
    throw new UnsupportedOperationException();
  }

  /** The number of keys. */
  public int keys() {
    return 0;
  }

  /** The number of rows. */
  public int size() {
    return 0;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
