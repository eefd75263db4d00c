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

package io.keylake.spark.file.rowwise;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Encoder;

/** Writes an Avro data file. */
public final class AvroFileWriter implements RowFileWriter {
  private final CountingStream stream;
  private final DataFileWriter<Columns> writer;
  private boolean finished;

  /**
   * Starts a file.
   *
   * @param columns the physical columns
   * @param compression value of {@code file.compression}
   * @param zstdLevel value of {@code file.compression.zstd-level}
   * @param out where the file goes; owned by the writer from now on
   */
  public AvroFileWriter(RowType columns, String compression, int zstdLevel, OutputStream out)
      throws IOException {
    stream = new CountingStream(out);
    writer = new DataFileWriter<>(new RowDatumWriter(columns));
    writer.setCodec(codec(compression, zstdLevel));
    writer.create(AvroSchemas.of(columns), stream);
  }

  private static CodecFactory codec(String compression, int zstdLevel) {
    return switch (compression.toLowerCase(Locale.ROOT)) {
      case "none", "null", "uncompressed" -> CodecFactory.nullCodec();
      case "zstd", "zstandard" -> CodecFactory.zstandardCodec(zstdLevel);
      case "snappy" -> CodecFactory.snappyCodec();
      case "deflate", "zlib", "gzip" ->
          CodecFactory.deflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL);
      case "bzip2" -> CodecFactory.bzip2Codec();
      case "xz" -> CodecFactory.xzCodec(CodecFactory.DEFAULT_XZ_LEVEL);
      default ->
          throw new InvalidRequestException(
              Condition.KEYLAKE_INVALID_OPTION,
              "Option file.compression = "
                  + compression
                  + " is no codec of Avro files. Use one of zstd, snappy, deflate, bzip2, xz,"
                  + " none.");
    };
  }

  @Override
  public void write(Columns row) throws IOException {
    writer.append(row);
  }

  @Override
  public long bytesSoFar() {
    return stream.count;
  }

  @Override
  public long finish() throws IOException {
    writer.close();
    finished = true;
    return stream.count;
  }

  @Override
  public void close() throws IOException {
    if (!finished) {
      finished = true;
      stream.close();
    }
  }

  private static final class RowDatumWriter implements DatumWriter<Columns> {
    private final List<AvroValueWriter> columns;

    RowDatumWriter(RowType type) {
      columns = type.fields().stream().map(DataField::type).map(AvroValueWriter::of).toList();
    }

    @Override
    public void setSchema(Schema schema) {
      // The columns say it all.
    }

    @Override
    public void write(Columns row, Encoder out) throws IOException {
      for (int i = 0; i < columns.size(); i++) {
        columns.get(i).write(row.getters(i), row.ordinal(i), out);
      }
    }
  }

  private static final class CountingStream extends FilterOutputStream {
    private long count;

    CountingStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      count++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      count += length;
    }
  }
}
