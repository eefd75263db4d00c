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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ListColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.MapColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.StructColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.TimestampColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcConf;
import org.apache.orc.OrcFile;
import org.apache.orc.StripeInformation;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;

/**
 * Writes an ORC data file. Local timestamps are stored as if in UTC, so that every reader sees the
 * same date and time.
 */
public final class OrcFileWriter implements RowFileWriter {
  private static final int BATCH_ROWS = 1024;

  private final FileSystem fileSystem;
  private final Path path;
  private final Writer writer;
  private final VectorizedRowBatch batch;
  private final List<OrcValueWriter> columns;
  private boolean finished;

  /**
   * Starts a file.
   *
   * @param columns the physical columns
   * @param compression value of {@code file.compression}
   * @param zstdLevel value of {@code file.compression.zstd-level}
   * @param configuration Hadoop settings; {@code orc.} keys tune the writer
   * @param path where the file goes; must not exist
   */
  public OrcFileWriter(
      RowType columns, String compression, int zstdLevel, Configuration configuration, Path path)
      throws IOException {
    this.path = path;
    fileSystem = path.getFileSystem(configuration);
    Configuration settings = new Configuration(configuration);
    OrcConf.COMPRESSION_ZSTD_LEVEL.setInt(settings, zstdLevel);
    TypeDescription schema = OrcTypes.of(columns);
    writer =
        OrcFile.createWriter(
            path,
            OrcFile.writerOptions(settings)
                .fileSystem(fileSystem)
                .setSchema(schema)
                .compress(codec(compression))
                .useUTCTimestamp(true));
    batch = schema.createRowBatch(BATCH_ROWS);
    markUtc(batch.cols);
    this.columns = columns.fields().stream().map(DataField::type).map(OrcValueWriter::of).toList();
  }

  private static CompressionKind codec(String compression) {
    return switch (compression.toLowerCase(Locale.ROOT)) {
      case "none", "uncompressed" -> CompressionKind.NONE;
      case "zstd", "zstandard" -> CompressionKind.ZSTD;
      case "snappy" -> CompressionKind.SNAPPY;
      case "zlib", "deflate", "gzip" -> CompressionKind.ZLIB;
      case "lz4" -> CompressionKind.LZ4;
      case "lzo" -> CompressionKind.LZO;
      case "brotli" -> CompressionKind.BROTLI;
      default ->
          throw new InvalidRequestException(
              Condition.KEYLAKE_INVALID_OPTION,
              "Option file.compression = "
                  + compression
                  + " is no codec of ORC files. Use one of zstd, snappy, zlib, lz4, none.");
    };
  }

  private static void markUtc(ColumnVector... vectors) {
    for (ColumnVector vector : vectors) {
      if (vector instanceof TimestampColumnVector timestamps) {
        timestamps.setIsUTC(true);
      } else if (vector instanceof StructColumnVector struct) {
        markUtc(struct.fields);
      } else if (vector instanceof ListColumnVector list) {
        markUtc(list.child);
      } else if (vector instanceof MapColumnVector map) {
        markUtc(map.keys, map.values);
      }
    }
  }

  @Override
  public void write(Columns row) throws IOException {
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).write(row.getters(i), row.ordinal(i), batch.cols[i], batch.size);
    }
    batch.size++;
    if (batch.size == BATCH_ROWS) {
      flush();
    }
  }

  private void flush() throws IOException {
    writer.addRowBatch(batch);
    batch.reset();
  }

  @Override
  public long bytesSoFar() {
    long bytes = writer.estimateMemory();
    try {
      for (StripeInformation stripe : writer.getStripes()) {
        bytes += stripe.getLength();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot ask the stripes of " + path, e);
    }
    return bytes;
  }

  @Override
  public long finish() throws IOException {
    if (batch.size > 0) {
      flush();
    }
    writer.close();
    finished = true;
    return fileSystem.getFileStatus(path).getLen();
  }

  @Override
  public void close() throws IOException {
    if (!finished) {
      finished = true;
      writer.close();
    }
  }
}
