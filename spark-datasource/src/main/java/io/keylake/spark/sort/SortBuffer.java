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

package io.keylake.spark.sort;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Takes rows in any order and gives them back sorted. First all rows are inserted, then {@link
 * #sort} is called once. For one thread; the owner closes it, also after a failure, as often as it
 * likes.
 */
public interface SortBuffer extends Closeable {
  /**
   * Copies a row.
   *
   * @param group the number of the row's partition and bucket; rows of one group come out together
   * @param kind the code of its {@link io.keylake.format.row.ChangeKind}
   * @param sequenceNumber orders rows of equal key; not negative
   */
  void insert(UnsafeRow row, int group, byte kind, long sequenceNumber) throws IOException;

  /** The rows by group, then in the buffer's order, then by sequence number. */
  SortedRows sort() throws IOException;

  /** Bytes that were written to local disks. */
  long spilledBytes();

  @Override
  void close();
}
