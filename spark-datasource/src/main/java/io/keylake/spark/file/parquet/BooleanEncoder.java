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

import io.keylake.spark.file.encode.ColumnRange;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.StoredColumn;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/** Encodes truth values, one bit each. */
final class BooleanEncoder extends ColumnEncoder {
  private final int ordinal;
  private final int fieldOffset;
  private byte[] bits = new byte[1024];
  private int size;
  private int pageTrues;
  private long fileTrues;
  private long fileValues;

  BooleanEncoder(
      StoredColumn column, int rowArity, ColumnDescriptor descriptor, ParquetSettings settings) {
    super(descriptor, settings);
    this.ordinal = column.ordinal();
    this.fieldOffset = UnsafeRow.calculateBitSetWidthInBytes(rowArity) + 8 * ordinal;
  }

  @Override
  void encode(RowBatch batch) {
    appendValidity(batch, ordinal);
    int needed = (size + batch.size() + 7) >>> 3;
    if (needed > bits.length) {
      bits = Arrays.copyOf(bits, needed * 2);
    }
    byte[] bytes = batch.bytes();
    int nullMask = 1 << (ordinal & 7);
    for (int i = 0; i < batch.size(); i++) {
      int start = batch.start(i);
      if ((bytes[start + (ordinal >> 3)] & nullMask) == 0) {
        int value = bytes[start + fieldOffset] != 0 ? 1 : 0;
        bits[size >>> 3] |= (byte) (value << (size & 7));
        size++;
        pageTrues += value;
      }
    }
  }

  @Override
  long pageValueBytes() {
    return (long) size >>> 3;
  }

  @Override
  boolean pageMustEnd() {
    return false;
  }

  @Override
  BytesInput pageValues() {
    return BytesInput.from(bits, 0, (size + 7) >>> 3);
  }

  @Override
  Encoding pageEncoding() {
    return Encoding.PLAIN;
  }

  @Override
  void closePageRange(Statistics<?> statistics) {
    if (size > 0) {
      statistics.updateStats(pageTrues == size);
      statistics.updateStats(pageTrues > 0);
    }
    fileTrues += pageTrues;
    fileValues += size;
  }

  @Override
  void clearPage() {
    Arrays.fill(bits, 0, (size + 7) >>> 3, (byte) 0);
    size = 0;
    pageTrues = 0;
  }

  @Override
  @Nullable DictionaryPage dictionaryPage() {
    return null;
  }

  @Override
  void clearRowGroup() {
    // nothing outlives a page
  }

  @Override
  ColumnRange takeRange(long nullCount) {
    ColumnRange range =
        fileValues == 0
            ? new ColumnRange(null, null, nullCount)
            : new ColumnRange(fileTrues == fileValues, fileTrues > 0, nullCount);
    fileTrues = 0;
    fileValues = 0;
    return range;
  }

  @Override
  void release() {
    // all buffers are on the heap
  }
}
