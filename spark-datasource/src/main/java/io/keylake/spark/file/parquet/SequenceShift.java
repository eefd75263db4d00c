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

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.schema.SystemColumns;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.StoredColumn;
import io.keylake.spark.file.encode.StoredColumn.Integers;
import io.keylake.spark.file.encode.StoredColumn.Source;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.example.DummyRecordConverter;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;

/**
 * Copies a Parquet data file with all sequence numbers raised. Only that column is decoded and
 * encoded; all other column chunks are copied as they are, with their indexes and bloom filters.
 */
public final class SequenceShift {
  private static final int COLUMN_INDEX_TRUNCATION = 64;
  private static final String COLUMN = SystemColumns.SEQUENCE_NUMBER.name();
  private static final byte[] NO_ROW = new byte[0];

  private final ParquetSettings settings;
  private final Configuration configuration;

  /** Writes the column as {@code settings} say; {@code configuration} is Hadoop's, for codecs. */
  public SequenceShift(ParquetSettings settings, Configuration configuration) {
    this.settings = settings;
    this.configuration = configuration;
  }

  /**
   * Writes {@code source} again as {@code target} with {@code distance} added to every sequence
   * number.
   *
   * @return the size of the new file
   * @throws CorruptTableException when the file has no sequence numbers
   */
  public long copy(InputFile source, OutputFile target, long distance) throws IOException {
    CodecFactory codecs = new CodecFactory(configuration, settings.pageBytes());
    try (ParquetFileReader reader = ParquetFileReader.open(source);
        SeekableInputStream bytes = source.newStream();
        ParquetFileWriter writer = writer(reader, source, target)) {
      MessageType message = reader.getFooter().getFileMetaData().getSchema();
      writer.start();
      MessageType sequence = new MessageType(message.getName(), message.getType(COLUMN));
      reader.setRequestedSchema(sequence);
      for (BlockMetaData block : reader.getFooter().getBlocks()) {
        writer.startBlock(block.getRowCount());
        PageReadStore pages = reader.readNextRowGroup();
        for (ColumnChunkMetaData chunk : block.getColumns()) {
          if (chunk.getPath().toDotString().equals(COLUMN)) {
            shift(read(reader, pages, sequence), sequence, distance, writer, codecs);
          } else {
            copy(reader, bytes, message, chunk, writer);
          }
        }
        writer.endBlock();
      }
      writer.end(reader.getFooter().getFileMetaData().getKeyValueMetaData());
      return writer.getPos();
    } finally {
      codecs.release();
    }
  }

  private ParquetFileWriter writer(ParquetFileReader reader, InputFile source, OutputFile target)
      throws IOException {
    MessageType message = reader.getFooter().getFileMetaData().getSchema();
    if (!message.containsField(COLUMN)) {
      throw new CorruptTableException(
          String.valueOf(source),
          "A data file of a primary-key table lacks the column " + COLUMN + ".",
          null);
    }
    return new ParquetFileWriter(
        target,
        message,
        ParquetFileWriter.Mode.CREATE,
        settings.rowGroupBytes(),
        0,
        COLUMN_INDEX_TRUNCATION,
        Integer.MAX_VALUE,
        settings.checksums());
  }

  private static void copy(
      ParquetFileReader reader,
      SeekableInputStream bytes,
      MessageType message,
      ColumnChunkMetaData chunk,
      ParquetFileWriter writer)
      throws IOException {
    writer.appendColumnChunk(
        message.getColumnDescription(chunk.getPath().toArray()),
        bytes,
        chunk,
        reader.readBloomFilter(chunk),
        reader.readColumnIndex(chunk),
        reader.readOffsetIndex(chunk));
  }

  private static ColumnReader read(
      ParquetFileReader reader, PageReadStore pages, MessageType sequence) {
    String createdBy = reader.getFooter().getFileMetaData().getCreatedBy();
    return new ColumnReadStoreImpl(
            pages, new DummyRecordConverter(sequence).getRootConverter(), sequence, createdBy)
        .getColumnReader(sequence.getColumns().get(0));
  }

  @SuppressWarnings("deprecation") // the reader of a column has no other count of its values
  private void shift(
      ColumnReader values,
      MessageType sequence,
      long distance,
      ParquetFileWriter writer,
      CodecFactory codecs)
      throws IOException {
    ColumnDescriptor descriptor = sequence.getColumns().get(0);
    StoredColumn column =
        new StoredColumn(SystemColumns.SEQUENCE_NUMBER, Source.SEQUENCE_NUMBER, -1, Integers.DELTA);
    NumberEncoder encoder = new NumberEncoder(column, 0, descriptor, settings);
    BytesInputCompressor compressor = codecs.getCompressor(settings.codec());
    ColumnChunkPageWriteStore store =
        new ColumnChunkPageWriteStore(
            compressor,
            sequence,
            HeapByteBufferAllocator.getInstance(),
            COLUMN_INDEX_TRUNCATION,
            settings.checksums());
    try {
      PageWriter pageWriter = store.getPageWriter(descriptor);
      RowBatch batch = new RowBatch();
      for (long i = 0; i < values.getTotalValueCount(); i++) {
        batch.add(NO_ROW, 0, 0, values.getLong() + distance, (byte) 0);
        values.consume();
        if (batch.isFull()) {
          encoder.encode(batch);
          encoder.endFullPage(pageWriter, settings);
          batch.clear();
        }
      }
      encoder.encode(batch);
      encoder.endRowGroup(store);
      store.flushToFileWriter(writer);
    } finally {
      store.close();
      encoder.release();
    }
  }
}
