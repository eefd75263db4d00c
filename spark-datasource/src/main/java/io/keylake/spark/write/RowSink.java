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

package io.keylake.spark.write;

import io.keylake.format.row.BinaryRow;
import io.keylake.table.commit.BucketChange;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Takes the rows of one task and makes files of them. For one thread; the owner closes it, as often
 * as it likes.
 */
interface RowSink extends Closeable {
  /**
   * Takes a row; its memory may change afterwards.
   *
   * @param kind the code of its {@link io.keylake.format.row.ChangeKind}, or what {@link
   *     io.keylake.spark.write.change.RowChanges} gives
   */
  void write(UnsafeRow row, byte kind) throws IOException;

  /** Writes what is still held and returns what was written. */
  List<BucketChange> finish() throws IOException;

  /** Files of overrides, after {@link #finish}. */
  default List<BucketChange> overrides() {
    return List.of();
  }

  /** A key that came more than once, after {@link #finish}; null = none. */
  default @Nullable String repeatedKey() {
    return null;
  }

  /** Where keys move between partitions: those that rows came with, after {@link #finish}. */
  default Set<BinaryRow> givenPartitions() {
    return Set.of();
  }

  /** Deletes everything that was written. */
  void discard();

  /** The files so far. */
  TaskFiles files();

  /** Bytes that were written to local disks while sorting. */
  long spilledBytes();
}
