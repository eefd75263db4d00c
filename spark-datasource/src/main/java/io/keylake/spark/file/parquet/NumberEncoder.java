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
import io.keylake.spark.file.encode.StoredColumn.Integers;
import io.keylake.spark.file.encode.StoredColumn.Source;
import java.io.IOException;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/** Encodes numbers of a fixed width: integers, dates, timestamps, short decimals, floats. */
@SuppressWarnings(
    "deprecation") // v1 pages name dictionary encoding by a constant that v2 deprecates
final class NumberEncoder extends ColumnEncoder {
  private static final int FIRST_SLAB_BYTES = 1024;

  private enum Mode {
    DICTIONARY,
    PLAIN,
    DELTA
  }

  private final StoredColumn column;
  private final AtomicType type;
  private final NumberStorage storage;
  private final long fieldOffset;
  private final Mode firstMode;
  private final int maxDictionarySize;
  private final NumberDictionary dictionary = new NumberDictionary();
  private final DictionaryIds ids = new DictionaryIds();
  private final NumberRange pageRange;
  private final NumberRange fileRange;
  private final @Nullable ValuesWriter deltas;
  private final long[] values = new long[RowBatch.MAX_ROWS];
  private byte[] plain = new byte[0];
  private int plainSize;
  private Mode mode;
  private boolean pageHasIds;
  private int dictionaryPages;

  NumberEncoder(
      StoredColumn column, int rowArity, ColumnDescriptor descriptor, ParquetSettings settings) {
    super(descriptor, settings);
    this.column = column;
    this.type = (AtomicType) column.field().type();
    this.storage = NumberStorage.of(type);
    this.fieldOffset =
        UnsafeRow.calculateBitSetWidthInBytes(rowArity) + 8L * Math.max(0, column.ordinal());
    this.firstMode = firstMode(column, settings);
    this.mode = firstMode;
    this.maxDictionarySize = settings.dictionaryBytes() / storage.width();
    this.pageRange = new NumberRange(storage);
    this.fileRange = new NumberRange(storage);
    this.deltas = firstMode == Mode.DELTA ? deltaWriter(settings) : null;
  }

  private static Mode firstMode(StoredColumn column, ParquetSettings settings) {
    if (column.encoding() == Integers.DELTA) {
      return Mode.DELTA;
    }
    return settings.dictionaries().of(column.field().name()) ? Mode.DICTIONARY : Mode.PLAIN;
  }

  private ValuesWriter deltaWriter(ParquetSettings settings) {
    HeapByteBufferAllocator allocator = HeapByteBufferAllocator.getInstance();
    int capacity = Math.max(FIRST_SLAB_BYTES, settings.pageBytes());
    return storage.width() == Integer.BYTES
        ? new DeltaBinaryPackingValuesWriterForInteger(FIRST_SLAB_BYTES, capacity, allocator)
        : new DeltaBinaryPackingValuesWriterForLong(FIRST_SLAB_BYTES, capacity, allocator);
  }

  @Override
  void encode(RowBatch batch) {
    int count = gather(batch);
    BloomFilter filter = bloomFilter();
    if (filter != null) {
      addTo(filter, count);
    }
    switch (mode) {
      case DICTIONARY -> encodeIds(count);
      case PLAIN -> encodePlain(count);
      case DELTA -> encodeDeltas(count);
    }
  }

  private int gather(RowBatch batch) {
    int rows = batch.size();
    if (column.source() == Source.SEQUENCE_NUMBER) {
      for (int i = 0; i < rows; i++) {
        values[i] = batch.sequenceNumber(i);
      }
      appendRequired(rows);
      return rows;
    }
    if (column.source() == Source.CHANGE_KIND) {
      for (int i = 0; i < rows; i++) {
        values[i] = batch.kind(i);
      }
      appendRequired(rows);
      return rows;
    }
    int valid = appendValidity(batch, column.ordinal());
    if (valid == rows) {
      gatherAll(batch);
    } else if (valid > 0) {
      gatherValid(batch);
    }
    return valid;
  }

  private void gatherAll(RowBatch batch) {
    byte[] bytes = batch.bytes();
    int rows = batch.size();
    long address = Platform.BYTE_ARRAY_OFFSET + fieldOffset;
    if (storage == NumberStorage.LONG || storage == NumberStorage.DOUBLE) {
      for (int i = 0; i < rows; i++) {
        values[i] = Platform.getLong(bytes, address + batch.start(i));
      }
    } else if (storage == NumberStorage.INT || storage == NumberStorage.FLOAT) {
      for (int i = 0; i < rows; i++) {
        values[i] = Platform.getInt(bytes, address + batch.start(i));
      }
    } else {
      for (int i = 0; i < rows; i++) {
        values[i] = storage.read(bytes, address + batch.start(i));
      }
    }
  }

  private void gatherValid(RowBatch batch) {
    byte[] bytes = batch.bytes();
    int nullByte = column.ordinal() >> 3;
    int nullMask = 1 << (column.ordinal() & 7);
    long address = Platform.BYTE_ARRAY_OFFSET + fieldOffset;
    int count = 0;
    for (int i = 0; i < batch.size(); i++) {
      int start = batch.start(i);
      if ((bytes[start + nullByte] & nullMask) == 0) {
        values[count++] = storage.read(bytes, address + start);
      }
    }
  }

  private void encodeIds(int count) {
    ids.reserve(count);
    int page = pages() + 1;
    for (int i = 0; i < count; i++) {
      int id = dictionary.id(values[i]);
      if (dictionary.isNewIn(page, id)) {
        pageRange.add(values[i]);
      }
      ids.add(id);
    }
    pageHasIds = true;
    giveUpIfUseless(DictionaryChoice.MIN_VALUES);
  }

  /** Turns the first page into a plain one when nearly all its values are distinct. */
  private void giveUpIfUseless(int minValues) {
    if (pages() == 0 && DictionaryChoice.isUseless(dictionary.size(), ids.size(), minValues)) {
      int count = ids.size();
      ensurePlain(count);
      for (int i = 0; i < count; i++) {
        putPlain(dictionary.value(ids.id(i)));
      }
      leaveDictionary();
      dictionary.clear();
    }
  }

  private void leaveDictionary() {
    ids.clear();
    pageHasIds = false;
    mode = Mode.PLAIN;
  }

  private void encodePlain(int count) {
    pageRange.add(values, count);
    ensurePlain(count);
    if (storage.width() == Long.BYTES) {
      int at = plainSize;
      for (int i = 0; i < count; i++, at += Long.BYTES) {
        LittleEndian.putLong(plain, at, values[i]);
      }
      plainSize = at;
    } else {
      for (int i = 0; i < count; i++) {
        putPlain(values[i]);
      }
    }
  }

  private void putPlain(long value) {
    if (storage.width() == Long.BYTES) {
      LittleEndian.putLong(plain, plainSize, value);
      plainSize += Long.BYTES;
    } else {
      LittleEndian.putInt(plain, plainSize, (int) value);
      plainSize += Integer.BYTES;
    }
  }

  private void ensurePlain(int count) {
    int needed = plainSize + count * storage.width();
    if (needed > plain.length) {
      plain = Arrays.copyOf(plain, Math.max(needed, plain.length * 2));
    }
  }

  private void encodeDeltas(int count) {
    pageRange.add(values, count);
    ValuesWriter writer = deltas();
    if (storage.width() == Long.BYTES) {
      for (int i = 0; i < count; i++) {
        writer.writeLong(values[i]);
      }
    } else {
      for (int i = 0; i < count; i++) {
        writer.writeInteger((int) values[i]);
      }
    }
  }

  private void addTo(BloomFilter filter, int count) {
    for (int i = 0; i < count; i++) {
      filter.insertHash(storage.hash(filter, values[i]));
      if (storage.isZero(values[i])) {
        filter.insertHash(storage.hash(filter, storage.negated(values[i])));
      }
    }
  }

  @Override
  long pageValueBytes() {
    return switch (mode) {
      case DICTIONARY -> DictionaryChoice.idBytes(dictionary.size(), ids.size());
      case PLAIN -> plainSize;
      case DELTA -> deltas().getBufferedSize();
    };
  }

  @Override
  boolean pageMustEnd() {
    return mode == Mode.DICTIONARY && dictionary.size() > maxDictionarySize;
  }

  @Override
  BytesInput pageValues() throws IOException {
    if (mode == Mode.DICTIONARY) {
      giveUpIfUseless(DictionaryChoice.MIN_VALUES_AT_END);
    }
    if (pageHasIds && ids.size() > 0) {
      return ids.encode(dictionary.size());
    }
    return mode == Mode.DELTA ? deltas().getBytes() : BytesInput.from(plain, 0, plainSize);
  }

  @Override
  Encoding pageEncoding() {
    if (pageHasIds && ids.size() > 0) {
      return Encoding.PLAIN_DICTIONARY;
    }
    return mode == Mode.DELTA ? Encoding.DELTA_BINARY_PACKED : Encoding.PLAIN;
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
      mode = Mode.PLAIN;
    }
    plainSize = 0;
    pageRange.clear();
    if (deltas != null) {
      deltas.reset();
    }
  }

  @Override
  @Nullable DictionaryPage dictionaryPage() {
    if (dictionaryPages == 0) {
      return null;
    }
    plainSize = 0;
    addOtherZero();
    ensurePlain(dictionary.size());
    for (int id = 0; id < dictionary.size(); id++) {
      putPlain(dictionary.value(id));
    }
    int size = plainSize;
    plainSize = 0;
    return new DictionaryPage(
        BytesInput.from(Arrays.copyOf(plain, size)), dictionary.size(), Encoding.PLAIN_DICTIONARY);
  }

  /**
   * Gives a dictionary with one floating-point zero the other one, too: readers look a literal up
   * by its bits, but to SQL the zeroes are equal.
   */
  private void addOtherZero() {
    int size = dictionary.size();
    for (int id = 0; id < size; id++) {
      if (storage.isZero(dictionary.value(id))) {
        dictionary.id(storage.negated(dictionary.value(id)));
      }
    }
  }

  @Override
  void clearRowGroup() {
    dictionary.clear();
    dictionaryPages = 0;
    mode = firstMode;
  }

  @Override
  ColumnRange takeRange(long nullCount) {
    ColumnRange range = new ColumnRange(null, null, nullCount);
    if (fileRange.isBounded()) {
      if (type.root() == TypeRoot.DOUBLE) {
        range = new ColumnRange(fileRange.lowest(), fileRange.highest(), nullCount);
      } else if (type.root() == TypeRoot.FLOAT) {
        range = new ColumnRange((float) fileRange.lowest(), (float) fileRange.highest(), nullCount);
      } else {
        range =
            new ColumnRange(
                NumberStorage.toValue(type, fileRange.min()),
                NumberStorage.toValue(type, fileRange.max()),
                nullCount);
      }
    }
    fileRange.clear();
    return range;
  }

  @Override
  void release() {
    if (deltas != null) {
      deltas.close();
    }
  }

  private ValuesWriter deltas() {
    if (deltas == null) {
      throw new IllegalStateException("Column " + column.field().name() + " has no deltas");
    }
    return deltas;
  }
}
