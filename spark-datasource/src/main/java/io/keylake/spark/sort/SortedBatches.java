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

import io.keylake.spark.file.encode.RowBatch;
import java.io.IOException;
import java.util.function.IntToLongFunction;
import org.apache.spark.unsafe.Platform;

/**
 * Sorted rows as batches of one group each, equal keys folded. For one thread.
 *
 * <p>Example of {@link Fold#LAST_OF_KEY}: rows (k=1, a), (k=1, b), (k=2, c) of one group give (1,
 * b), (2, c), each with its own sequence number and change kind.
 */
public final class SortedBatches {
  /** What becomes of rows of one key. */
  public enum Fold {
    /** All rows stay: append tables. */
    NONE,
    /** The last row in the order wins: engine deduplicate. */
    LAST_OF_KEY
  }

  private final SortedRows rows;
  private final Fold fold;
  private final RowOrder keys;
  private final IntToLongFunction firstSequence;
  private int group = -1;
  private long groupStart;
  private boolean pending;
  private boolean started;

  /**
   * Batches of {@code rows}.
   *
   * @param firstSequence the number that is added to the sequence numbers of a group; asked once
   *     when the group begins
   */
  public SortedBatches(
      SortedRows rows, SortOrder order, Fold fold, IntToLongFunction firstSequence) {
    this.rows = rows;
    this.fold = fold;
    this.keys = new RowOrder(order.keys(), order.arity());
    this.firstSequence = firstSequence;
  }

  /** Replaces the content of {@code batch} by the next rows of one group; false at the end. */
  public boolean next(RowBatch batch) throws IOException {
    batch.clear();
    if (!started) {
      started = true;
      pending = rows.next();
    }
    if (!pending) {
      return false;
    }
    if (rows.group() != group) {
      group = rows.group();
      groupStart = firstSequence.applyAsLong(group);
    }
    while (pending && rows.group() == group) {
      if (!batch.isEmpty() && fold == Fold.LAST_OF_KEY && isKeyOfLast(batch)) {
        batch.replaceLast(rows.base(), rows.offset(), rows.length(), sequenceNumber(), rows.kind());
      } else if (batch.isFull()) {
        return true;
      } else {
        batch.add(rows.base(), rows.offset(), rows.length(), sequenceNumber(), rows.kind());
      }
      pending = rows.next();
    }
    return true;
  }

  /** The group of the current batch. */
  public int group() {
    return group;
  }

  private long sequenceNumber() {
    return groupStart + rows.sequenceNumber();
  }

  private boolean isKeyOfLast(RowBatch batch) {
    long last = Platform.BYTE_ARRAY_OFFSET + (long) batch.start(batch.size() - 1);
    return keys.compare(rows.base(), rows.offset(), batch.bytes(), last) == 0;
  }
}
