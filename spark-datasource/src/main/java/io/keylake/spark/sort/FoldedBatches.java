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
 * Batches of the rows that keys fold to: engines that compute rows. For one thread; the owner
 * closes it.
 *
 * <ol>
 *   <li>Rows of keys that occur once go straight into the batch, as they are, deletes too.
 *   <li>Rows of other keys are collected, folded together when the batch has its keys, and put
 *       where their keys belong.
 *   <li>A folded row has the sequence number of the last row of its key.
 * </ol>
 */
final class FoldedBatches implements SortedBatches {
  private final SortedRows rows;
  private final RowOrder keys;
  private final RowFold fold;
  private final IntToLongFunction firstSequence;
  private final RowBatch single = new RowBatch();
  private final boolean[] repeated = new boolean[RowBatch.MAX_ROWS];
  private final int arity;
  private @Nullable UnsafeRow repeatedKey;
  private int keyCount;
  private int group = -1;
  private long groupStart;
  private boolean pending;
  private boolean started;

  /** Takes over {@code fold} and closes it. */
  FoldedBatches(SortedRows rows, SortOrder order, RowFold fold, IntToLongFunction firstSequence) {
    this.rows = rows;
    this.keys = new RowOrder(order.keys(), order.arity());
    this.fold = fold;
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
    fold.clear();
    keyCount = 0;
    while (hasRow() && keyCount < RowBatch.MAX_ROWS && !batch.isFull() && !fold.isFull()) {
      takeKey(batch);
    }
    if (fold.keys() > 0) {
      insert(fold.finish(), batch);
    }
    return true;
  }

  private boolean hasRow() {
    return pending && rows.group() == group;
  }

  /** Takes all rows of the next key. */
  private void takeKey(RowBatch batch) throws IOException {
    int first = batch.size();
    batch.add(rows.base(), rows.offset(), rows.length(), sequenceNumber(), rows.kind());
    pending = rows.next();
    boolean more = hasRow() && isKeyOf(batch, first);
    repeated[keyCount++] = more;
    if (!more) {
      return;
    }
    if (repeatedKey == null) {
      repeatedKey = new UnsafeRow(arity);
      batch.view(first, repeatedKey);
      repeatedKey = repeatedKey.copy();
    }
    fold.beginKey(batch, first);
    do {
      fold.add(rows, sequenceNumber());
      pending = rows.next();
    } while (hasRow() && isKeyOf(batch, first));
    batch.removeLast();
  }

  /** Puts folded rows where their keys belong among the rows of the batch. */
  private void insert(RowBatch folded, RowBatch batch) {
    single.clear();
    single.addRange(batch, 0, batch.size());
    batch.clear();
    int nextFolded = 0;
    int nextSingle = 0;
    int key = 0;
    while (key < keyCount) {
      int end = key;
      while (end < keyCount && repeated[end] == repeated[key]) {
        end++;
      }
      int count = end - key;
      if (repeated[key]) {
        batch.addRange(folded, nextFolded, nextFolded + count);
        nextFolded += count;
      } else {
        batch.addRange(single, nextSingle, nextSingle + count);
        nextSingle += count;
      }
      key = end;
    }
  }

  @Override
  public @Nullable UnsafeRow repeated() {
    return repeatedKey;
  }

  @Override
  public int group() {
    return group;
  }

  private long sequenceNumber() {
    return groupStart + rows.sequenceNumber();
  }

  private boolean isKeyOf(RowBatch batch, int row) {
    long other = Platform.BYTE_ARRAY_OFFSET + (long) batch.start(row);
    return keys.compare(rows.base(), rows.offset(), batch.bytes(), other) == 0;
  }

  @Override
  public void close() {
    fold.close();
  }
}
