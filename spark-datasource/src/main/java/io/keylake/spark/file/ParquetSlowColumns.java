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

package io.keylake.spark.file;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.spark.vector.ValueAppender;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Reads those top-level columns of a Parquet file value by value, with Parquet's own decoders, that
 * Spark 4.2's vectorized reader gets wrong.
 *
 * <ol>
 *   <li>Texts and binaries in the encodings DELTA_BYTE_ARRAY and DELTA_LENGTH_BYTE_ARRAY: Spark
 *       returns other bytes. Inside nested columns they are refused.
 *   <li>INT96 timestamps: Spark rounds fractions of a microsecond before 1970 up. The stored nanos
 *       of the day may be negative; day and nanos are added as they are, then floored.
 * </ol>
 *
 * Rule source: table format, Parquet type mapping (INT96) and encodings. Pinned by {@code
 * ParquetSlowColumnsTest}.
 */
final class ParquetSlowColumns implements Closeable {
  private static final Set<Encoding> MISREAD =
      Set.of(Encoding.DELTA_BYTE_ARRAY, Encoding.DELTA_LENGTH_BYTE_ARRAY);
  private static final long EPOCH_JULIAN_DAY = 2_440_588L;
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final long NANOS_PER_MICRO = 1000L;

  private final String path;
  private final ParquetFileReader reader;
  private final MessageType schema;
  private final String createdBy;
  private final Map<Integer, WritableColumnVector> vectors;
  private final List<Column> columns;
  private long rowsLeftInGroup;

  /** A column with the reader of its current row group. */
  private static final class Column {
    private final ColumnDescriptor descriptor;
    private final WritableColumnVector target;
    private final DataType type;
    private @Nullable ColumnReader values;

    Column(ColumnDescriptor descriptor, WritableColumnVector target, DataType type) {
      this.descriptor = descriptor;
      this.target = target;
      this.type = type;
    }
  }

  private ParquetSlowColumns(
      String path,
      ParquetFileReader reader,
      MessageType schema,
      String createdBy,
      Map<Integer, WritableColumnVector> vectors,
      List<Column> columns) {
    this.path = path;
    this.reader = reader;
    this.schema = schema;
    this.createdBy = createdBy;
    this.vectors = vectors;
    this.columns = columns;
  }

  /** The slow columns of a request; null when there are none. */
  static @Nullable ParquetSlowColumns of(
      FileScan scan,
      FileProjection projection,
      ParquetMetadata chosen,
      ParquetFiles files,
      VectorAllocation allocation)
      throws IOException {
    MessageType fileSchema = chosen.getFileMetaData().getSchema();
    List<Integer> places = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (int i = 0; i < projection.request().size(); i++) {
      String name = projection.request().get(i).name();
      if (isSlow(scan.path(), fileSchema, name, chosen.getBlocks())) {
        places.add(i);
        types.add(fileSchema.getType(name));
      }
    }
    if (places.isEmpty()) {
      return null;
    }
    MessageType schema = new MessageType(fileSchema.getName(), types);
    ParquetFileReader reader =
        files.reader(files.inputFile(scan.path(), scan.file().size()), scan.path(), chosen);
    reader.setRequestedSchema(schema);
    Map<Integer, WritableColumnVector> vectors = new HashMap<>();
    List<Column> columns = new ArrayList<>();
    for (int place : places) {
      RequestedColumn column = projection.request().get(place);
      WritableColumnVector vector = allocation.allocate(column.type());
      vectors.put(place, vector);
      columns.add(
          new Column(
              schema.getColumnDescription(new String[] {column.name()}), vector, column.type()));
    }
    String createdBy = chosen.getFileMetaData().getCreatedBy();
    return new ParquetSlowColumns(
        scan.path(), reader, schema, createdBy == null ? "" : createdBy, vectors, columns);
  }

  private static boolean isSlow(
      String path, MessageType schema, String name, List<BlockMetaData> rowGroups) {
    if (!schema.containsField(name)) {
      return false;
    }
    Type type = schema.getType(name);
    if (type.isPrimitive()
        && type.asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT96) {
      return true;
    }
    for (BlockMetaData rowGroup : rowGroups) {
      for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
        if (chunk.getPath().toArray()[0].equals(name)
            && chunk.getEncodings().stream().anyMatch(MISREAD::contains)) {
          if (!type.isPrimitive()) {
            throw new UnsupportedTableException(
                Condition.KEYLAKE_UNSUPPORTED_FEATURE,
                "Nested column "
                    + name
                    + " of file "
                    + path
                    + " holds texts in the Parquet encoding DELTA_BYTE_ARRAY, which cannot be read"
                    + " reliably there. Rewrite the file with 'parquet.writer.version' ="
                    + " 'PARQUET_1_0'.");
          }
          return true;
        }
      }
    }
    return false;
  }

  /** The vector of a requested column; null when the column is not slow. */
  @Nullable WritableColumnVector vector(int column) {
    return vectors.get(column);
  }

  /** Reads the next {@code rows} rows, which lie in one row group. */
  void read(int rows) throws IOException {
    if (rowsLeftInGroup == 0) {
      PageReadStore rowGroup = nextRowGroup();
      if (rowGroup == null) {
        throw DataFiles.damaged(path, new IOException("it has fewer row groups than its footer"));
      }
      rowsLeftInGroup = rowGroup.getRowCount();
      ColumnReadStoreImpl store =
          new ColumnReadStoreImpl(rowGroup, new NoConverter(), schema, createdBy);
      for (Column column : columns) {
        column.values = store.getColumnReader(column.descriptor);
      }
    }
    rowsLeftInGroup -= rows;
    try {
      for (Column column : columns) {
        column.target.reset();
        fill(column, rows);
      }
    } catch (ParquetDecodingException e) {
      throw DataFiles.damaged(path, e);
    }
  }

  private @Nullable PageReadStore nextRowGroup() throws IOException {
    try {
      return reader.readNextRowGroup();
    } catch (EOFException e) {
      throw DataFiles.damaged(path, e);
    }
  }

  private static void fill(Column column, int rows) {
    ColumnReader values = column.values;
    if (values == null) {
      throw new IllegalStateException("No row group");
    }
    int defined = column.descriptor.getMaxDefinitionLevel();
    for (int row = 0; row < rows; row++) {
      if (values.getCurrentDefinitionLevel() < defined) {
        ValueAppender.appendNull(column.target);
      } else {
        append(values.getBinary(), column.type, column.target);
      }
      values.consume();
    }
  }

  private static void append(Binary value, DataType type, WritableColumnVector target) {
    if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      ByteBuffer stored = value.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      long nanos = stored.getLong(stored.position());
      long days = stored.getInt(stored.position() + Long.BYTES) - EPOCH_JULIAN_DAY;
      target.appendLong(days * MICROS_PER_DAY + Math.floorDiv(nanos, NANOS_PER_MICRO));
      return;
    }
    byte[] bytes = value.getBytesUnsafe();
    if (type instanceof DecimalType decimal && decimal.precision() <= Decimal.MAX_INT_DIGITS()) {
      target.appendInt(new BigInteger(bytes).intValueExact());
    } else if (type instanceof DecimalType decimal
        && decimal.precision() <= Decimal.MAX_LONG_DIGITS()) {
      target.appendLong(new BigInteger(bytes).longValueExact());
    } else {
      target.appendByteArray(bytes, 0, bytes.length);
    }
  }

  @Override
  public void close() throws IOException {
    vectors.values().forEach(WritableColumnVector::close);
    reader.close();
  }

  /** Parquet's readers want converters even where values are taken one by one. */
  private static final class NoConverter extends GroupConverter {
    @Override
    public Converter getConverter(int field) {
      return new PrimitiveConverter() {};
    }

    @Override
    public void start() {}

    @Override
    public void end() {}
  }
}
