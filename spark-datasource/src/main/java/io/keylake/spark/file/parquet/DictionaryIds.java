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

package io.keylake.spark.file.parquet;

import io.keylake.spark.file.encode.RowBatch;
import java.io.IOException;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;

/** The dictionary ids of the open page. */
final class DictionaryIds {
  private int[] ids = new int[RowBatch.MAX_ROWS];
  private int size;

  int size() {
    return size;
  }

  int id(int position) {
    return ids[position];
  }

  /** Makes room for {@code count} more ids and returns the array to append them to with add. */
  void reserve(int count) {
    if (size + count > ids.length) {
      ids = Arrays.copyOf(ids, Math.max(size + count, ids.length * 2));
    }
  }

  /** Appends an id; there must be room. */
  void add(int id) {
    ids[size++] = id;
  }

  void clear() {
    size = 0;
  }

  /** The page's values: the width of an id in bits, then runs and packed groups. */
  @SuppressWarnings("deprecation") // the way without an allocator, for a copy on the heap
  BytesInput encode(int dictionarySize) throws IOException {
    int bitWidth = 32 - Integer.numberOfLeadingZeros(Math.max(0, dictionarySize - 1));
    try (RunLengthBitPackingHybridEncoder encoder =
        new RunLengthBitPackingHybridEncoder(
            bitWidth, 64, Math.max(1024, size), HeapByteBufferAllocator.getInstance())) {
      for (int i = 0; i < size; i++) {
        encoder.writeInt(ids[i]);
      }
      return BytesInput.copy(
          BytesInput.concat(BytesInput.from(new byte[] {(byte) bitWidth}), encoder.toBytes()));
    }
  }
}
