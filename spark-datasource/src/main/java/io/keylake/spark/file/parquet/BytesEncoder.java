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

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.file.encode.ColumnRange;
import io.keylake.spark.file.encode.LittleEndian;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.StoredColumn;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/**
 * Encodes text, bytes, decimals of more than 18 digits and timestamps of more than 6 fraction
 * digits: a dictionary while it pays, then plain. Never DELTA_BYTE_ARRAY, which the reference
 * implementation misreads.
 */
@SuppressWarnings(
    "deprecation") // v1 pages name dictionary encoding by a constant that v2 deprecates
final class BytesEncoder extends ColumnEncoder {
  private final StoredColumn column;
  private final AtomicType type;
  private final BytesGather gather;
  private final int lengthBytes;
  private final boolean dictionaryAllowed;
  private final int maxDictionaryBytes;
  private final BytesDictionary dictionary = new BytesDictionary();
  private final DictionaryIds ids = new DictionaryIds();
  private final BytesRange pageRange;
  private final BytesRange fileRange;
  private byte[] plain = new byte[0];
  private int plainSize;
  private boolean dictionaryMode;
  private boolean pageHasIds;
  private int dictionaryPages;

  BytesEncoder(
      StoredColumn column, int rowArity, ColumnDescriptor descriptor, ParquetSettings settings) {
    super(descriptor, settings);
    this.column = column;
    this.type = (AtomicType) column.field().type();
    this.gather = BytesGather.of(type, column.ordinal(), rowArity);
    BytesRange.Order order =
        switch (type.root()) {
          case DECIMAL -> BytesRange.Order.SIGNED;
          case TIMESTAMP, TIMESTAMP_LTZ -> BytesRange.Order.NONE;
          default -> BytesRange.Order.UNSIGNED;
        };
    this.lengthBytes = gather.isFixedWidth() ? 0 : Integer.BYTES;
    this.dictionaryAllowed = settings.dictionaries().of(column.field().name());
    this.dictionaryMode = dictionaryAllowed;
    this.maxDictionaryBytes = settings.dictionaryBytes();
    this.pageRange = new BytesRange(order);
    this.fileRange = new BytesRange(order);
  }

  @Override
  void encode(RowBatch batch) {
    appendValidity(batch, column.ordinal());
    gather.gather(batch);
    BloomFilter filter = bloomFilter();
    if (filter != null) {
      for (int i = 0; i < gather.count(); i++) {
        filter.insertHash(
            filter.hash(
                Binary.fromReusedByteArray(gather.base(), gather.start(i), gather.length(i))));
      }
    }
    if (dictionaryMode) {
      encodeIds();
    } else {
      encodePlain();
    }
  }

  private void encodeIds() {
    byte[] base = gather.base();
    int count = gather.count();
    ids.reserve(count);
    int page = pages() + 1;
    for (int i = 0; i < count; i++) {
      int id = dictionary.id(base, gather.start(i), gather.length(i));
      if (dictionary.isNewIn(page, id)) {
        pageRange.add(base, gather.start(i), gather.length(i));
      }
      ids.add(id);
    }
    pageHasIds = true;
    giveUpIfUseless(DictionaryChoice.MIN_VALUES);
  }

  private void giveUpIfUseless(int minValues) {
    if (pages() == 0 && DictionaryChoice.isUseless(dictionary.size(), ids.size(), minValues)) {
      for (int i = 0; i < ids.size(); i++) {
        int id = ids.id(i);
        putPlain(dictionary.bytes(), dictionary.start(id), dictionary.length(id));
      }
      ids.clear();
      dictionary.clear();
      pageHasIds = false;
      dictionaryMode = false;
    }
  }

  private void encodePlain() {
    byte[] base = gather.base();
    for (int i = 0; i < gather.count(); i++) {
      int start = gather.start(i);
      int length = gather.length(i);
      pageRange.add(base, start, length);
      putPlain(base, start, length);
    }
  }

  private void putPlain(byte[] base, int start, int length) {
    int needed = Math.addExact(plainSize, length + lengthBytes);
    if (needed > plain.length) {
      plain = Arrays.copyOf(plain, (int) Math.max(needed, Math.min(plain.length * 2L, 1L << 30)));
    }
    if (lengthBytes > 0) {
      LittleEndian.putInt(plain, plainSize, length);
    }
    System.arraycopy(base, start, plain, plainSize + lengthBytes, length);
    plainSize = needed;
  }

  @Override
  long pageValueBytes() {
    return dictionaryMode ? DictionaryChoice.idBytes(dictionary.size(), ids.size()) : plainSize;
  }

  @Override
  boolean pageMustEnd() {
    return dictionaryMode
        && dictionary.byteCount() + (long) lengthBytes * dictionary.size() > maxDictionaryBytes;
  }

  @Override
  BytesInput pageValues() throws IOException {
    if (dictionaryMode) {
      giveUpIfUseless(DictionaryChoice.MIN_VALUES_AT_END);
    }
    return pageHasIds && ids.size() > 0
        ? ids.encode(dictionary.size())
        : BytesInput.from(plain, 0, plainSize);
  }

  @Override
  Encoding pageEncoding() {
    return pageHasIds && ids.size() > 0 ? Encoding.PLAIN_DICTIONARY : Encoding.PLAIN;
  }

  @Override
  void closePageRange(Statistics<?> statistics) {
    pageRange.addTo(statistics);
    fileRange.add(pageRange);
  }

  @Override
  void clearPage() {
    if (ids.size() > 0) {
      dictionaryPages++;
    }
    boolean full = pageMustEnd();
    ids.clear();
    pageHasIds = false;
    if (full) {
      dictionaryMode = false;
    }
    plainSize = 0;
    pageRange.clear();
  }

  @Override
  @Nullable DictionaryPage dictionaryPage() {
    if (dictionaryPages == 0) {
      return null;
    }
    for (int id = 0; id < dictionary.size(); id++) {
      putPlain(dictionary.bytes(), dictionary.start(id), dictionary.length(id));
    }
    byte[] content = Arrays.copyOf(plain, plainSize);
    plainSize = 0;
    return new DictionaryPage(
        BytesInput.from(content), dictionary.size(), Encoding.PLAIN_DICTIONARY);
  }

  @Override
  void clearRowGroup() {
    dictionary.clear();
    dictionaryPages = 0;
    dictionaryMode = dictionaryAllowed;
  }

  @Override
  ColumnRange takeRange(long nullCount) {
    Object min = null;
    Object max = null;
    if (fileRange.isBounded() && type.root() == TypeRoot.DECIMAL) {
      min = new BigDecimal(new BigInteger(fileRange.min()), type.scale());
      max = new BigDecimal(new BigInteger(fileRange.max()), type.scale());
    } else if (fileRange.isBounded()
        && (type.root() == TypeRoot.CHAR || type.root() == TypeRoot.VARCHAR)) {
      min = new String(fileRange.min(), StandardCharsets.UTF_8);
      max = new String(fileRange.max(), StandardCharsets.UTF_8);
    }
    fileRange.clear();
    return new ColumnRange(min, max, nullCount);
  }

  @Override
  void release() {
    // all buffers are on the heap
  }
}
