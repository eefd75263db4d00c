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

package io.keylake.spark.file.encode;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Rows on their way into a file: copies of {@link UnsafeRow} bytes in one array, each with its
 * sequence number and change kind. Filled, encoded, cleared, over and over. For one thread.
 */
public final class RowBatch {
  /** The most rows a batch takes. */
  public static final int MAX_ROWS = 4096;

  /** A batch with this many bytes of rows is full. */
  public static final int MAX_BYTES = 1 << 20;

  private final long[] sequenceNumbers = new long[MAX_ROWS];
  private final byte[] kinds = new byte[MAX_ROWS];
  private final int[] starts = new int[MAX_ROWS + 1];
  private byte[] bytes = new byte[64 * 1024];
  private int size;

  /** Whether the batch must be encoded before another row is added. */
  public boolean isFull() {
    return size == MAX_ROWS || starts[size] >= MAX_BYTES;
  }

  /** Whether there is no row. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** The number of rows. */
  public int size() {
    return size;
  }

  /** Forgets the rows. */
  public void clear() {
    size = 0;
  }

  /** Copies a row of {@code length} bytes at {@code offset} of {@code base} to the end. */
  public void add(Object base, long offset, int length, long sequenceNumber, byte kind) {
    place(base, offset, length);
    sequenceNumbers[size] = sequenceNumber;
    kinds[size] = kind;
    size++;
  }

  /** Forgets the last row. */
  public void removeLast() {
    size--;
  }

  /** Copies rows of another batch to the end; there must be room for so many rows. */
  public void addRange(RowBatch other, int from, int to) {
    int begin = other.starts[from];
    int shift = starts[size] - begin;
    int length = other.starts[to] - begin;
    place(other.bytes, Platform.BYTE_ARRAY_OFFSET + (long) begin, length);
    for (int row = from; row < to; row++) {
      starts[size] = other.starts[row] + shift;
      sequenceNumbers[size] = other.sequenceNumbers[row];
      kinds[size] = other.kinds[row];
      size++;
    }
    starts[size] = other.starts[to] + shift;
  }

  /** Replaces the last row. */
  public void replaceLast(Object base, long offset, int length, long sequenceNumber, byte kind) {
    size--;
    add(base, offset, length, sequenceNumber, kind);
  }

  /**
   * Replaces the content by rows of these lengths, whose bytes are to be filled in.
   *
   * @param first the first element of {@code lengths} that counts
   * @param rows the number of rows, at most {@link #MAX_ROWS}
   */
  public void layOut(int[] lengths, int first, int rows) {
    int end = 0;
    for (int i = 0; i < rows; i++) {
      starts[i] = end;
      end = Math.addExact(end, lengths[first + i]);
    }
    starts[rows] = end;
    size = rows;
    if (end > bytes.length) {
      int doubled = (int) Math.min(Integer.MAX_VALUE - 16L, bytes.length * 2L);
      bytes = new byte[Math.max(end, doubled)];
    }
  }

  /** Sets the sequence number and change kind of a row. */
  public void number(int row, long sequenceNumber, byte kind) {
    sequenceNumbers[row] = sequenceNumber;
    kinds[row] = kind;
  }

  private void place(Object base, long offset, int length) {
    int start = starts[size];
    int end = Math.addExact(start, length);
    if (end > bytes.length) {
      int doubled = (int) Math.min(Integer.MAX_VALUE - 16L, bytes.length * 2L);
      bytes = Arrays.copyOf(bytes, Math.max(end, doubled));
    }
    Platform.copyMemory(base, offset, bytes, Platform.BYTE_ARRAY_OFFSET + (long) start, length);
    starts[size + 1] = end;
  }

  /** The array that holds the rows; changes when rows are added. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where the row starts in {@link #bytes}. */
  public int start(int row) {
    return starts[row];
  }

  /** Lets {@code view} show a row, until rows are added. */
  public void view(int row, UnsafeRow view) {
    view.pointTo(
        bytes, Platform.BYTE_ARRAY_OFFSET + (long) starts[row], starts[row + 1] - starts[row]);
  }

  /** The sequence number of a row. */
  public long sequenceNumber(int row) {
    return sequenceNumbers[row];
  }

  /** The code of a row's {@link io.keylake.format.row.ChangeKind}. */
  public byte kind(int row) {
    return kinds[row];
  }
}
