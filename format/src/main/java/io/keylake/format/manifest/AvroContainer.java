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

package io.keylake.format.manifest;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.errors.UnsupportedTableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * Avro object container files in memory. Reading accepts every codec Avro knows and any order of
 * fields; writing compresses with Zstandard.
 */
final class AvroContainer {
  private static final int SYNC_BYTES = 16;

  private AvroContainer() {}

  /** Reads one record laid out as the writer's schema says; null = not wanted. */
  @FunctionalInterface
  interface RecordReader<T> {
    @Nullable T read(Schema schema, AvroValues values) throws IOException;
  }

  /** Writes one record. */
  @FunctionalInterface
  interface RecordWriter<T> {
    void write(T record, Encoder out) throws IOException;
  }

  /** The wanted records of a file. */
  static <T> List<T> read(byte[] content, String path, RecordReader<T> records) {
    List<T> read = new ArrayList<>();
    try (SeekableByteArrayInput input = new SeekableByteArrayInput(content);
        DataFileReader<@Nullable T> reader =
            new DataFileReader<>(input, new ReadingDatum<>(records))) {
      checkEnd(content, Math.toIntExact(reader.previousSync()));
      while (reader.hasNext()) {
        T record = reader.next();
        if (record != null) {
          read.add(record);
        }
      }
    } catch (IOException
        | AvroRuntimeException
        | IllegalArgumentException
        | ArithmeticException e) {
      throw new CorruptTableException(
          path,
          "Cannot read a metadata file of "
              + content.length
              + " bytes: "
              + e.getMessage()
              + ". Restore the file or roll back to a snapshot that does not use it.",
          e);
    }
    return read;
  }

  /** Avro takes a block cut short for the end of the file, so the marker after it is looked for. */
  private static void checkEnd(byte[] content, int headerEnd) throws IOException {
    int end = content.length;
    if (!Arrays.equals(
        content, end - SYNC_BYTES, end, content, headerEnd - SYNC_BYTES, headerEnd)) {
      throw new IOException("it is cut short");
    }
  }

  /** A record's version must be the one we know. */
  static void checkVersion(int found, int known, String path) {
    if (found != known) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_FEATURE,
          "Cannot read %s: its records have version %d, this reader knows version %d. Use a release that knows it."
              .formatted(path, found, known));
    }
  }

  /** A container in the making: records go in, {@link #size} grows block by block. */
  static final class Writer<T> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataFileWriter<T> writer;
    private long count;

    Writer(Schema schema, int zstdLevel, RecordWriter<T> records) {
      writer = new DataFileWriter<>(new WritingDatum<>(records));
      writer.setCodec(CodecFactory.zstandardCodec(zstdLevel));
      try {
        writer.create(schema, bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void add(T record) {
      try {
        writer.append(record);
        count++;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Bytes so far, the block in the making not counted. */
    long size() {
      return bytes.size();
    }

    long count() {
      return count;
    }

    /** Ends the file. */
    byte[] finish() {
      try {
        writer.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }
  }

  private static final class ReadingDatum<T> implements DatumReader<@Nullable T> {
    private final RecordReader<T> records;
    private @Nullable Schema schema;
    private @Nullable AvroValues values;

    ReadingDatum(RecordReader<T> records) {
      this.records = records;
    }

    @Override
    public void setSchema(Schema writerSchema) {
      schema = writerSchema;
    }

    @Override
    public @Nullable T read(@Nullable T reuse, Decoder in) throws IOException {
      if (schema == null || schema.getType() != Schema.Type.RECORD) {
        throw new IOException("The file does not hold records");
      }
      if (values == null || values.decoder() != in) {
        values = new AvroValues(in);
      }
      return records.read(schema, values);
    }
  }

  private record WritingDatum<T>(RecordWriter<T> records) implements DatumWriter<T> {
    @Override
    public void setSchema(Schema schema) {
      // the schema is the one the record writer was made for
    }

    @Override
    public void write(T record, Encoder out) throws IOException {
      records.write(record, out);
    }
  }
}
