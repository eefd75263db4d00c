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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.file.encode.ColumnRange;
import io.keylake.spark.file.encode.FileColumns;
import io.keylake.spark.file.encode.StoredColumn;
import io.keylake.spark.file.encode.StoredColumn.Source;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.DummyRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * A Parquet data file whose row groups may be copied into new files without being decoded. For one
 * thread; the caller closes it.
 *
 * <p>A row group may be copied when a new file would hold the same:
 *
 * <ol>
 *   <li>the file has the columns of the new one: names, ids, types and order;
 *   <li>Parquet's own library wrote it, whose statistics are exact when they are there, with the
 *       codec of the new file, bloom filters on the same columns, without encryption, and without
 *       the encoding of texts that the reference implementation misreads;
 *   <li>it is not small: at least {@value #SMALLEST_BYTES} bytes or a quarter of a new row group,
 *       whichever is less;
 *   <li>it holds no delete: the file has none, or its kinds are all the same one;
 *   <li>the ranges of all flat columns are known ({@link ChunkRange}), those of key columns with
 *       their bounds.
 * </ol>
 *
 * Pinned by {@code RowGroupCopyTest}.
 */
public final class RowGroupSource implements Closeable {
  private static final long SMALLEST_BYTES = 16L << 20;
  private static final String PARQUET_LIBRARY = "parquet-mr";

  private final DataFile file;
  private final FileColumns columns;
  private final ParquetSettings settings;
  private final ParquetFileReader reader;
  private final SeekableInputStream bytes;
  private final MessageType message;

  private RowGroupSource(
      DataFile file,
      FileColumns columns,
      ParquetSettings settings,
      ParquetFileReader reader,
      SeekableInputStream bytes) {
    this.file = file;
    this.columns = columns;
    this.settings = settings;
    this.reader = reader;
    this.bytes = bytes;
    this.message = reader.getFooter().getFileMetaData().getSchema();
  }

  /**
   * Opens a file.
   *
   * @param file what the manifest says of it
   * @param columns the columns of new files
   * @param settings how new files are written
   * @throws CorruptTableException when it does not exist or is no Parquet file
   */
  public static RowGroupSource open(
      InputFile input, DataFile file, FileColumns columns, ParquetSettings settings)
      throws IOException {
    ParquetFileReader reader;
    try {
      reader = ParquetFileReader.open(input);
    } catch (FileNotFoundException | RuntimeException e) {
      throw new CorruptTableException(
          String.valueOf(input),
          "Cannot read a data file of the table: "
              + e.getMessage()
              + ". Restore the file or roll back to a snapshot that does not use it.",
          e);
    }
    SeekableInputStream bytes;
    try {
      bytes = input.newStream();
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
    return new RowGroupSource(file, columns, settings, reader, bytes);
  }

  /**
   * Whether rows that were written with {@code stored} mean the same in {@code wanted}: columns
   * with the same ids, names and types in the same order. A type may change without a change of the
   * file's schema, such as the length of a text.
   */
  public static boolean haveSameColumns(TableSchema stored, TableSchema wanted) {
    return stored.id() == wanted.id() || columns(stored).equals(columns(wanted));
  }

  private static List<DataField> columns(TableSchema schema) {
    return schema.fields().stream()
        .map(field -> DataField.of(field.id(), field.name(), field.type()))
        .toList();
  }

  /** The size from which a row group is worth copying. */
  public static long smallestBytes(ParquetSettings settings) {
    return Math.min(SMALLEST_BYTES, settings.rowGroupBytes() / 4);
  }

  /** All row groups, in the order of the file. */
  public List<RowGroup> rowGroups() throws IOException {
    boolean sameFile = isLikeNewFiles();
    List<RowGroup> groups = new ArrayList<>();
    for (BlockMetaData block : reader.getFooter().getBlocks()) {
      List<@Nullable ColumnRange> ranges =
          sameFile && isLikeNewRowGroups(block) ? ranges(block) : List.of();
      groups.add(new RowGroup(this, block, groups.size(), ranges));
    }
    return groups;
  }

  private boolean isLikeNewFiles() {
    FileMetaData meta = reader.getFooter().getFileMetaData();
    String createdBy = meta.getCreatedBy();
    return createdBy != null
        && createdBy.startsWith(PARQUET_LIBRARY)
        && meta.getEncryptionType() == FileMetaData.EncryptionType.UNENCRYPTED
        && message.equals(ParquetMessage.of(columns.fields()));
  }

  private boolean isLikeNewRowGroups(BlockMetaData block) {
    if (block.getRowCount() == 0 || block.getCompressedSize() < smallestBytes(settings)) {
      return false;
    }
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      boolean wantsFilter =
          settings.bloomFilters().of(chunk.getPath().toDotString()).maxBytes() > 0;
      if (chunk.getCodec() != settings.codec()
          || chunk.getEncodings().contains(Encoding.DELTA_BYTE_ARRAY)
          || wantsFilter != (chunk.getBloomFilterOffset() >= 0)) {
        return false;
      }
    }
    return true;
  }

  /** The ranges of a row group's columns; empty when one is not known or a row may be a delete. */
  private List<@Nullable ColumnRange> ranges(BlockMetaData block) throws IOException {
    Map<ColumnPath, ColumnChunkMetaData> chunks = new HashMap<>();
    block.getColumns().forEach(chunk -> chunks.put(chunk.getPath(), chunk));
    List<@Nullable ColumnRange> ranges = new ArrayList<>();
    for (StoredColumn column : columns.columns()) {
      DataField field = column.field();
      if (field.type().root().isNested() || field.type().root() == TypeRoot.VARIANT) {
        ranges.add(null);
        continue;
      }
      ColumnChunkMetaData chunk = chunks.get(ColumnPath.get(field.name()));
      Optional<ColumnRange> range =
          chunk == null ? Optional.empty() : ChunkRange.of(field.type(), chunk, reader);
      if (range.isEmpty()
          || (column.source() == Source.CHANGE_KIND && mayHoldDeletes(range.get()))
          || (columns.keyOrdinals().contains(column.ordinal()) && range.get().min() == null)) {
        return List.of();
      }
      ranges.add(range.get());
    }
    return ranges;
  }

  private boolean mayHoldDeletes(ColumnRange kinds) {
    Long deletes = file.deleteRowCount();
    if (deletes != null && deletes == 0) {
      return false;
    }
    Object kind = kinds.min();
    return !(kind instanceof Byte code
        && kind.equals(kinds.max())
        && (code == ChangeKind.INSERT.code() || code == ChangeKind.UPDATE_AFTER.code()));
  }

  /**
   * The keys of the first and last row of a row group. Rows are sorted by key, so that the bounds
   * of a key of one column are these keys, but for floating-point zeros, which Parquet widens.
   */
  RowGroup.Keys keys(RowGroup group, int index) throws IOException {
    if (columns.keyOrdinals().size() == 1) {
      int ordinal = columns.keyOrdinals().get(0);
      DataField field = columns.valueColumns().get(ordinal).field();
      ColumnRange range = group.range(columns.valueStart() + ordinal);
      boolean isFloating =
          field.type().root() == TypeRoot.FLOAT || field.type().root() == TypeRoot.DOUBLE;
      if (range != null && range.min() != null && range.max() != null && !isFloating) {
        BinaryRowCodec codec = BinaryRowCodec.of(RowType.of(List.of(field)));
        BinaryRow first = codec.encode(List.of(range.min()));
        return new RowGroup.Keys(first, codec.encode(List.of(range.max())));
      }
    }
    return readKeys(index);
  }

  private RowGroup.Keys readKeys(int index) throws IOException {
    List<DataField> fields = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (int ordinal : columns.keyOrdinals()) {
      DataField field = columns.valueColumns().get(ordinal).field();
      fields.add(field);
      types.add(message.getType(field.name()));
    }
    MessageType request = new MessageType(message.getName(), types);
    reader.setRequestedSchema(request);
    List<Object> first = new ArrayList<>();
    List<Object> last = new ArrayList<>();
    try (PageReadStore pages = reader.readRowGroup(index)) {
      ColumnReadStoreImpl store =
          new ColumnReadStoreImpl(
              pages,
              new DummyRecordConverter(request).getRootConverter(),
              request,
              reader.getFooter().getFileMetaData().getCreatedBy());
      for (DataField field : fields) {
        ColumnDescriptor descriptor = request.getColumnDescription(new String[] {field.name()});
        readEnds(store.getColumnReader(descriptor), (AtomicType) field.type(), first, last);
      }
    }
    BinaryRowCodec codec = BinaryRowCodec.of(RowType.of(fields));
    BinaryRow firstKey = codec.encode(first);
    return new RowGroup.Keys(firstKey, codec.encode(last));
  }

  @SuppressWarnings("deprecation") // the reader of a column has no other count of its values
  private void readEnds(
      ColumnReader values, AtomicType type, List<Object> first, List<Object> last) {
    long count = values.getTotalValueCount();
    first.add(value(values, type));
    for (long i = 1; i < count; i++) {
      values.skip();
      values.consume();
    }
    last.add(value(values, type));
  }

  private Object value(ColumnReader values, AtomicType type) {
    Object stored =
        switch (values.getDescriptor().getPrimitiveType().getPrimitiveTypeName()) {
          case BOOLEAN -> values.getBoolean();
          case INT32 -> values.getInteger();
          case INT64 -> values.getLong();
          case FLOAT -> values.getFloat();
          case DOUBLE -> values.getDouble();
          case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 -> values.getBinary();
        };
    Object value = ChunkRange.value(type, stored);
    if (value == null) {
      throw new CorruptTableException(
          reader.getFile(), "A key column holds bytes that are no " + type + ".", null);
    }
    return value;
  }

  /** Copies a row group to the end of an open file. */
  void copy(BlockMetaData block, ParquetFileWriter writer) throws IOException {
    writer.startBlock(block.getRowCount());
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      writer.appendColumnChunk(
          message.getColumnDescription(chunk.getPath().toArray()),
          bytes,
          chunk,
          reader.readBloomFilter(chunk),
          reader.readColumnIndex(chunk),
          reader.readOffsetIndex(chunk));
    }
    writer.endBlock();
  }

  @Override
  public void close() throws IOException {
    try {
      bytes.close();
    } finally {
      reader.close();
    }
  }
}
