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
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Batches of rows as they came. For one thread.
 *
 * <p>Example: of rows (k=1, a), (k=1, b), (k=2, c) of one group, {@link Pick#LAST_OF_KEY} gives (1,
 * b), (2, c), each with its own sequence number and change kind, and {@link Pick#FIRST_OF_KEY} (1,
 * a), (2, c).
 */
final class PickedBatches implements SortedBatches {
  /** Which rows of a key stay. */
  enum Pick {
    /** All of them: append tables. */
    ALL,
    /** The last one in the order: engine deduplicate. */
    LAST_OF_KEY,
    /** The first one in the order: engine first-row. */
    FIRST_OF_KEY
  }

  private final SortedRows rows;
  private final Pick pick;
  private final RowOrder keys;
  private final IntToLongFunction firstSequence;
  private final int arity;
  private @Nullable UnsafeRow repeated;
  private int group = -1;
  private long groupStart;
  private boolean pending;
  private boolean started;

  PickedBatches(SortedRows rows, SortOrder order, Pick pick, IntToLongFunction firstSequence) {
    this.rows = rows;
    this.pick = pick;
    this.keys = new RowOrder(order.keys(), order.arity());
    this.firstSequence = firstSequence;
    this.arity = order.arity();
  }

  @Override
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
      if (pick != Pick.ALL && !batch.isEmpty() && isKeyOfLast(batch)) {
        if (repeated == null) {
          repeated = new UnsafeRow(arity);
          repeated.pointTo(rows.base(), rows.offset(), rows.length());
          repeated = repeated.copy();
        }
        if (pick == Pick.LAST_OF_KEY) {
          batch.replaceLast(
              rows.base(), rows.offset(), rows.length(), sequenceNumber(), rows.kind());
        }
      } else if (batch.isFull()) {
        return true;
      } else {
        batch.add(rows.base(), rows.offset(), rows.length(), sequenceNumber(), rows.kind());
      }
      pending = rows.next();
    }
    return true;
  }

  @Override
  public @Nullable UnsafeRow repeated() {
    return repeated;
  }

  @Override
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

  @Override
  public void close() {
    // The owner of the rows closes them.
  }
}
