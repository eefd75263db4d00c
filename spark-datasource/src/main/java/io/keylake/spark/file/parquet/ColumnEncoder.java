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
import io.keylake.spark.file.encode.LittleEndian;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.parquet.ParquetSettings.BloomFilterSize;
import java.io.IOException;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one flat column: rows of a batch go into the open page, full pages into the page store.
 * An abstract class because the levels, the page life cycle and the NULL counts are the same for
 * all types, while the loops over values must stay one per type to be fast.
 *
 * <p>Definition levels of a page without or with only NULLs are one run; otherwise the validity
 * bitmap itself is stored as one bit-packed run.
 */
@SuppressWarnings("deprecation") // v1 pages name absent levels by a constant that v2 deprecates
abstract class ColumnEncoder {
  private final ColumnDescriptor descriptor;
  private final BloomFilterSize bloomFilterSize;
  private final boolean optional;
  private byte[] validity = new byte[1024];
  private int pageRows;
  private int pageNulls;
  private long fileNulls;
  private int pages;
  private @Nullable BloomFilter bloomFilter;

  ColumnEncoder(ColumnDescriptor descriptor, ParquetSettings settings) {
    this.descriptor = descriptor;
    this.bloomFilterSize = settings.bloomFilters().of(String.join(".", descriptor.getPath()));
    this.optional = descriptor.getMaxDefinitionLevel() > 0;
  }

  /** Adds the rows of a batch to the open page. */
  abstract void encode(RowBatch batch);

  /** The encoded size of the open page's values. */
  abstract long pageValueBytes();

  /** Whether the open page must end whatever its size. */
  abstract boolean pageMustEnd();

  /** The values of the open page, valid until the page is cleared. */
  abstract BytesInput pageValues() throws IOException;

  /** How {@link #pageValues} are encoded; asked after them. */
  abstract Encoding pageEncoding();

  /** Adds the bounds of the open page to {@code statistics} and to those of the file. */
  abstract void closePageRange(Statistics<?> statistics);

  /** Empties the open page. */
  abstract void clearPage();

  /** The dictionary that pages of this row group refer to; null when none does. */
  abstract @Nullable DictionaryPage dictionaryPage();

  /** Forgets what belongs to a row group. */
  abstract void clearRowGroup();

  /** Bounds of all pages since the last call, with this many NULLs; starts anew for a new file. */
  abstract ColumnRange takeRange(long nullCount);

  /** Frees what is not on the heap. */
  abstract void release();

  final ColumnDescriptor descriptor() {
    return descriptor;
  }

  /** The number of pages of this row group that have ended. */
  final int pages() {
    return pages;
  }

  /** The filter that collects this row group's values; null when the column has none. */
  final @Nullable BloomFilter bloomFilter() {
    if (bloomFilter == null && bloomFilterSize.maxBytes() > 0) {
      int bytes = bloomFilterSize.maxBytes();
      if (bloomFilterSize.distinctValues() > 0) {
        bytes =
            Math.min(
                bytes,
                BlockSplitBloomFilter.optimalNumOfBits(
                        bloomFilterSize.distinctValues(), bloomFilterSize.falsePositives())
                    / 8);
      }
      bloomFilter = new BlockSplitBloomFilter(bytes, bloomFilterSize.maxBytes());
    }
    return bloomFilter;
  }

  /**
   * Appends the validity of the batch's rows to the open page.
   *
   * @param ordinal the column's position in the rows
   * @return the number of rows in which it is not NULL
   */
  final int appendValidity(RowBatch batch, int ordinal) {
    int rows = batch.size();
    if (!optional) {
      pageRows += rows;
      return rows;
    }
    ensureValidity(pageRows + rows);
    byte[] bytes = batch.bytes();
    int nullByte = ordinal >> 3;
    int nullMask = 1 << (ordinal & 7);
    int nulls = 0;
    for (int i = 0; i < rows; i++) {
      int isNull = (bytes[batch.start(i) + nullByte] & nullMask) != 0 ? 1 : 0;
      int position = pageRows + i;
      validity[position >>> 3] |= (byte) ((1 - isNull) << (position & 7));
      nulls += isNull;
    }
    pageRows += rows;
    pageNulls += nulls;
    return rows - nulls;
  }

  /** Appends rows of a required column. */
  final void appendRequired(int rows) {
    pageRows += rows;
  }

  /** Ends the open page when it is full. */
  final void endFullPage(PageWriter pageWriter, ParquetSettings settings) throws IOException {
    if (pageRows >= settings.pageRows()
        || pageValueBytes() >= settings.pageBytes()
        || pageMustEnd()) {
      endPage(pageWriter);
    }
  }

  /** Ends the open page, if it has rows. */
  final void endPage(PageWriter pageWriter) throws IOException {
    if (pageRows == 0) {
      return;
    }
    BytesInput values = pageValues();
    Statistics<?> statistics = Statistics.createStats(descriptor.getPrimitiveType());
    statistics.incrementNumNulls(pageNulls);
    closePageRange(statistics);
    pageWriter.writePage(
        optional ? BytesInput.concat(levels(), values) : values,
        pageRows,
        pageRows,
        statistics,
        Encoding.BIT_PACKED,
        optional ? Encoding.RLE : Encoding.BIT_PACKED,
        pageEncoding());
    fileNulls += pageNulls;
    clearPage();
    Arrays.fill(validity, (byte) 0);
    pageRows = 0;
    pageNulls = 0;
    pages++;
  }

  /** Ends the row group: its last page, dictionary and bloom filter. */
  final void endRowGroup(ColumnChunkPageWriteStore store) throws IOException {
    PageWriter pageWriter = store.getPageWriter(descriptor);
    endPage(pageWriter);
    DictionaryPage dictionary = dictionaryPage();
    if (dictionary != null) {
      pageWriter.writeDictionaryPage(dictionary);
    }
    if (bloomFilter != null) {
      store.getBloomFilterWriter(descriptor).writeBloomFilter(bloomFilter);
      bloomFilter = null;
    }
    clearRowGroup();
    pages = 0;
  }

  /** What is known of the column's values in the file that has just ended. */
  final ColumnRange takeFileRange() {
    ColumnRange range = takeRange(fileNulls);
    fileNulls = 0;
    return range;
  }

  /** Drops everything that was collected for a file that will not be. */
  final void discard() {
    clearPage();
    clearRowGroup();
    takeRange(0);
    Arrays.fill(validity, (byte) 0);
    pageRows = 0;
    pageNulls = 0;
    fileNulls = 0;
    pages = 0;
    bloomFilter = null;
  }

  private BytesInput levels() {
    if (pageNulls == 0 || pageNulls == pageRows) {
      byte[] run = new byte[4 + 6];
      int end = LittleEndian.putVarInt(run, 4, pageRows << 1);
      run[end++] = (byte) (pageNulls == 0 ? 1 : 0);
      LittleEndian.putInt(run, 0, end - 4);
      return BytesInput.from(run, 0, end);
    }
    int groups = (pageRows + 7) >>> 3;
    byte[] header = new byte[4 + 5];
    int end = LittleEndian.putVarInt(header, 4, (groups << 1) | 1);
    LittleEndian.putInt(header, 0, end - 4 + groups);
    return BytesInput.concat(BytesInput.from(header, 0, end), BytesInput.from(validity, 0, groups));
  }

  private void ensureValidity(int rows) {
    int needed = (rows + 7) >>> 3;
    if (needed > validity.length) {
      validity = Arrays.copyOf(validity, Math.max(needed, validity.length * 2));
    }
  }
}
