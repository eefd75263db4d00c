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

package io.keylake.spark.write.partial;

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.sort.SortedRows;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Sorted rows of a write with, in front of the rows of each key, the row that the key has in the
 * table. Some keys at a time are looked up together. For one thread.
 */
public final class WithCurrentRows implements SortedRows {
  /** Finds current rows. */
  public interface Lookup {
    /** Whether two rows of one group have the same key. */
    boolean isSameKey(UnsafeRow left, UnsafeRow right);

    /**
     * What comes in front of each key's rows; null for nothing.
     *
     * @param group the group of the keys
     * @param keys a row of each key, ascending
     */
    @Nullable UnsafeRow[] find(int group, UnsafeRow[] keys) throws IOException;
  }

  /** With so many rows no further key is begun. */
  private static final int WHOLE_KEYS = RowBatch.MAX_ROWS / 2;

  /** A row on its way out; one that is not written has no number of its own. */
  private record Out(UnsafeRow row, long sequenceNumber, byte kind) {}

  private final SortedRows rows;
  private final int columns;
  private final Lookup lookup;
  private final RowBatch batch = new RowBatch();
  private final BitSet starts = new BitSet();
  private final UnsafeRow last;
  private final UnsafeRow next;
  private final Deque<Out> ready = new ArrayDeque<>();
  private @Nullable Out current;
  private boolean started;
  private boolean pending;
  private boolean splitsKey;
  private int group;

  /**
   * Rows with what the table has.
   *
   * @param rows the written rows, of {@code columns} columns
   */
  public WithCurrentRows(SortedRows rows, int columns, Lookup lookup) {
    this.rows = rows;
    this.columns = columns;
    this.lookup = lookup;
    this.last = new UnsafeRow(columns);
    this.next = new UnsafeRow(columns);
  }

  @Override
  public boolean next() throws IOException {
    if (ready.isEmpty()) {
      fill();
    }
    current = ready.poll();
    return current != null;
  }

  /** Takes rows of whole keys of one group and looks their keys up. */
  private void fill() throws IOException {
    if (!started) {
      started = true;
      pending = rows.next();
    }
    if (!pending) {
      return;
    }
    batch.clear();
    group = rows.group();
    starts.clear();
    boolean continued = splitsKey;
    splitsKey = false;
    while (pending && rows.group() == group) {
      next.pointTo(rows.base(), rows.offset(), rows.length());
      boolean isNew = batch.isEmpty() || !lookup.isSameKey(lastRow(), next);
      if (batch.isFull() || (isNew && batch.size() >= WHOLE_KEYS)) {
        splitsKey = !isNew;
        break;
      }
      if (isNew) {
        starts.set(batch.size());
      }
      batch.add(rows.base(), rows.offset(), rows.length(), rows.sequenceNumber(), rows.kind());
      pending = rows.next();
    }
    emit(continued);
  }

  private UnsafeRow lastRow() {
    batch.view(batch.size() - 1, last);
    return last;
  }

  /** Puts out the rows; the first key has been looked up before when it is {@code continued}. */
  private void emit(boolean continued) throws IOException {
    UnsafeRow[] own = new UnsafeRow[batch.size()];
    for (int row = 0; row < own.length; row++) {
      own[row] = new UnsafeRow(columns);
      batch.view(row, own[row]);
    }
    UnsafeRow[] keys = starts.stream().mapToObj(row -> own[row]).toArray(UnsafeRow[]::new);
    @Nullable UnsafeRow[] found = lookup.find(group, keys);
    int key = 0;
    for (int row = 0; row < own.length; row++) {
      if (starts.get(row)) {
        UnsafeRow before = found[key++];
        if (before != null && !(continued && row == 0)) {
          ready.add(new Out(before, 0, ChangeKind.INSERT.code()));
        }
      }
      ready.add(new Out(own[row], batch.sequenceNumber(row), batch.kind(row)));
    }
  }

  private Out current() {
    return Objects.requireNonNull(current, "next() was not called or found none");
  }

  @Override
  public Object base() {
    return current().row().getBaseObject();
  }

  @Override
  public long offset() {
    return current().row().getBaseOffset();
  }

  @Override
  public int length() {
    return current().row().getSizeInBytes();
  }

  @Override
  public int group() {
    return group;
  }

  @Override
  public long sequenceNumber() {
    return current().sequenceNumber();
  }

  @Override
  public byte kind() {
    return current().kind();
  }
}
