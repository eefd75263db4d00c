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

import io.keylake.format.types.TypeRoot;
import io.keylake.spark.file.encode.ColumnRange;
import io.keylake.spark.file.encode.FileColumns;
import io.keylake.spark.file.encode.FileEncoder;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.StoredColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.codec.ZstandardCodec;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * Writes Parquet files, one after the other, reusing its buffers. Flat columns are encoded column
 * by column from the rows' memory; nested ones by Parquet's column writers. Both hand their pages
 * to one page store per row group, whose content stays in memory until the row group ends. For one
 * thread; the owner closes it.
 *
 * <p>{@link ColumnChunkPageWriteStore} is public but meant to be private in Parquet; this is the
 * only class that makes one, and {@code ParquetFileEncoderSparkTest} would fail if it changed.
 */
public final class ParquetFileEncoder implements FileEncoder {
  private static final int COLUMN_INDEX_TRUNCATION = 64;
  private static final int NO_PADDING = 0;

  private final MessageType message;
  private final ParquetSettings settings;
  private final List<StoredColumn> columns;
  private final @Nullable ColumnEncoder[] encoders;
  private final @Nullable PageWriter[] pageWriters;
  private final @Nullable NestedEncoder nested;
  private final CodecFactory codecs;
  private final BytesInputCompressor compressor;
  private final CopiedRanges copied;
  private @Nullable ParquetFileWriter file;
  private @Nullable ColumnChunkPageWriteStore pages;
  private long rowGroupRows;
  private long encodedRows;

  /**
   * An encoder of files with these columns.
   *
   * @param rowArity the number of fields of the rows in the batches
   * @param configuration Hadoop's, for codecs
   */
  public ParquetFileEncoder(
      FileColumns file, int rowArity, ParquetSettings settings, Configuration configuration) {
    this.message = ParquetMessage.of(file.fields());
    this.settings = settings;
    this.columns = file.columns();
    this.copied = new CopiedRanges(columns);
    this.encoders = new ColumnEncoder[columns.size()];
    this.pageWriters = new PageWriter[columns.size()];
    List<StoredColumn> nestedColumns = new ArrayList<>();
    for (int i = 0; i < encoders.length; i++) {
      StoredColumn column = columns.get(i);
      if (isNested(column)) {
        nestedColumns.add(column);
      } else {
        encoders[i] = encoder(column, rowArity);
      }
    }
    this.nested =
        nestedColumns.isEmpty()
            ? null
            : new NestedEncoder(message, nestedColumns, rowArity, settings);
    Configuration codecConfiguration = new Configuration(configuration);
    codecConfiguration.setInt(ZstandardCodec.PARQUET_COMPRESS_ZSTD_LEVEL, settings.codecLevel());
    this.codecs = new CodecFactory(codecConfiguration, settings.pageBytes());
    this.compressor = codecs.getCompressor(settings.codec());
  }

  private static boolean isNested(StoredColumn column) {
    TypeRoot root = column.field().type().root();
    return root.isNested() || root == TypeRoot.VARIANT;
  }

  private ColumnEncoder encoder(StoredColumn column, int rowArity) {
    var descriptor = message.getColumnDescription(new String[] {column.field().name()});
    return switch (descriptor.getPrimitiveType().getPrimitiveTypeName()) {
      case BOOLEAN -> new BooleanEncoder(column, rowArity, descriptor, settings);
      case INT32, INT64, FLOAT, DOUBLE -> new NumberEncoder(column, rowArity, descriptor, settings);
      case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 ->
          new BytesEncoder(column, rowArity, descriptor, settings);
    };
  }

  @Override
  public void open(OutputFile target) throws IOException {
    if (file != null) {
      throw new IllegalStateException("A file is open already");
    }
    file =
        new ParquetFileWriter(
            target,
            message,
            ParquetFileWriter.Mode.CREATE,
            settings.rowGroupBytes(),
            NO_PADDING,
            COLUMN_INDEX_TRUNCATION,
            Integer.MAX_VALUE,
            settings.checksums());
    file.start();
    copied.clear();
    encodedRows = 0;
  }

  /** Adds the rows of a copyable row group of another file, as they are. */
  public void append(RowGroup group) throws IOException {
    endRowGroup();
    group.copyTo(open());
    copied.add(group);
  }

  @Override
  public void write(RowBatch batch) throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    if (pages == null) {
      startRowGroup();
    }
    for (int i = 0; i < encoders.length; i++) {
      ColumnEncoder encoder = encoders[i];
      PageWriter pageWriter = pageWriters[i];
      if (encoder != null && pageWriter != null) {
        encoder.encode(batch);
        encoder.endFullPage(pageWriter, settings);
      }
    }
    if (nested != null) {
      nested.encode(batch);
    }
    rowGroupRows += batch.size();
    encodedRows += batch.size();
    if (bufferedBytes() >= settings.rowGroupBytes()) {
      endRowGroup();
    }
  }

  @Override
  public long estimatedBytes() throws IOException {
    return open().getPos() + bufferedBytes();
  }

  @Override
  public Ended finish() throws IOException {
    ParquetFileWriter writer = open();
    if (rowGroupRows > 0) {
      endRowGroup();
    }
    writer.end(Map.of());
    long bytes = writer.getPos();
    writer.close();
    file = null;
    @Nullable ColumnRange[] ranges = new ColumnRange[encoders.length];
    for (int i = 0; i < encoders.length; i++) {
      ColumnEncoder encoder = encoders[i];
      if (encoder != null) {
        ranges[i] = encoder.takeFileRange();
      }
    }
    return new Ended(bytes, copied.with(Arrays.asList(ranges), encodedRows));
  }

  /** Gives up the open file, if there is one; what has been written of it is left to the caller. */
  public void abandon() throws IOException {
    for (ColumnEncoder encoder : encoders) {
      if (encoder != null) {
        encoder.discard();
      }
    }
    if (nested != null) {
      nested.discard();
    }
    closePages();
    ParquetFileWriter writer = file;
    file = null;
    if (writer != null) {
      writer.abort();
      writer.close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      abandon();
    } finally {
      for (ColumnEncoder encoder : encoders) {
        if (encoder != null) {
          encoder.release();
        }
      }
      codecs.release();
    }
  }

  private void startRowGroup() {
    ColumnChunkPageWriteStore store =
        new ColumnChunkPageWriteStore(
            compressor,
            message,
            HeapByteBufferAllocator.getInstance(),
            COLUMN_INDEX_TRUNCATION,
            settings.checksums());
    for (int i = 0; i < encoders.length; i++) {
      ColumnEncoder encoder = encoders[i];
      pageWriters[i] = encoder == null ? null : store.getPageWriter(encoder.descriptor());
    }
    if (nested != null) {
      nested.startRowGroup(store);
    }
    pages = store;
  }

  private void endRowGroup() throws IOException {
    ColumnChunkPageWriteStore store = pages;
    if (store == null) {
      return;
    }
    for (ColumnEncoder encoder : encoders) {
      if (encoder != null) {
        encoder.endRowGroup(store);
      }
    }
    if (nested != null) {
      nested.endRowGroup();
    }
    ParquetFileWriter writer = open();
    writer.startBlock(rowGroupRows);
    store.flushToFileWriter(writer);
    writer.endBlock();
    closePages();
  }

  private void closePages() {
    if (pages != null) {
      pages.close();
      pages = null;
    }
    Arrays.fill(pageWriters, null);
    rowGroupRows = 0;
  }

  private long bufferedBytes() {
    long bytes = nested == null ? 0 : nested.bufferedBytes();
    for (int i = 0; i < encoders.length; i++) {
      ColumnEncoder encoder = encoders[i];
      PageWriter pageWriter = pageWriters[i];
      if (encoder != null && pageWriter != null) {
        bytes += encoder.pageValueBytes() + pageWriter.getMemSize();
      }
    }
    return bytes;
  }

  private ParquetFileWriter open() {
    if (file == null) {
      throw new IllegalStateException("No file is open");
    }
    return file;
  }
}
