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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.SeekableInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Reads an Avro file row by row into Spark's vectors. Only the requested columns are decoded. A
 * block belongs to the range that holds the sync marker before it; a predicate skips nothing.
 */
final class AvroFormatReader implements FormatReader {
  /** Beyond every file, and far enough from overflow for Avro's arithmetic. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 2;

  private final String path;
  private final org.apache.avro.file.DataFileReader<GenericRecord> file;
  private final long end;
  private final int batchRows;
  private final WritableColumnVector[] columns;
  private final AvroAppender[] appenders;
  private final int[] sources;
  private @Nullable GenericRecord record;
  private long firstPosition;
  private int rows;

  private AvroFormatReader(
      FileScan scan,
      FileProjection projection,
      org.apache.avro.file.DataFileReader<GenericRecord> file,
      Schema wanted,
      VectorAllocation vectors) {
    this.path = scan.path();
    this.file = file;
    this.end = scan.coversFile() ? UNBOUNDED : scan.start() + scan.length();
    this.batchRows = vectors.batchRows();
    List<RequestedColumn> request = projection.request();
    columns = new WritableColumnVector[request.size()];
    appenders = new AvroAppender[columns.length];
    sources = new int[columns.length];
    for (int i = 0; i < columns.length; i++) {
      RequestedColumn column = request.get(i);
      columns[i] = vectors.allocate(column.type());
      Schema.Field field = wanted.getField(column.name());
      sources[i] = field == null ? -1 : field.pos();
      appenders[i] =
          field == null ? AvroAppender.NULL : AvroAppenders.of(field.schema(), column.type());
    }
  }

  static AvroFormatReader open(
      FileScan scan, FileProjection projection, Configuration conf, VectorAllocation vectors)
      throws IOException {
    Path path = new Path(scan.path());
    FSDataInputStream stream;
    try {
      stream = path.getFileSystem(conf).open(path);
    } catch (FileNotFoundException e) {
      throw DataFiles.missing(scan.path(), e);
    }
    boolean opened = false;
    try {
      GenericDatumReader<GenericRecord> datums =
          new GenericDatumReader<>(null, null, new GenericData());
      org.apache.avro.file.DataFileReader<GenericRecord> file =
          new org.apache.avro.file.DataFileReader<>(
              new HadoopInput(stream, scan.file().size()), datums);
      Schema wanted = wanted(file.getSchema(), projection.request());
      datums.setExpected(wanted);
      AvroFormatReader reader = new AvroFormatReader(scan, projection, file, wanted, vectors);
      reader.seek(scan);
      opened = true;
      return reader;
    } catch (AvroRuntimeException e) {
      throw DataFiles.damaged(scan.path(), e);
    } catch (IOException e) {
      throw DataFiles.failed(scan.path(), e);
    } finally {
      if (!opened) {
        stream.close();
      }
    }
  }

  /** The stored record, reduced to the requested columns that the file has. */
  private static Schema wanted(Schema stored, List<RequestedColumn> request) {
    Set<String> names = new HashSet<>();
    request.forEach(column -> names.add(column.name()));
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : stored.getFields()) {
      if (names.contains(field.name())) {
        fields.add(new Schema.Field(field.name(), field.schema(), field.doc()));
      }
    }
    return Schema.createRecord(
        stored.getName(), stored.getDoc(), stored.getNamespace(), false, fields);
  }

  /** Moves to the first block of the range, counting the rows before it when asked to. */
  private void seek(FileScan scan) throws IOException {
    if (scan.coversFile() || scan.start() == 0) {
      return;
    }
    if (scan.positions() == FileScan.Positions.NOT_NEEDED) {
      file.sync(scan.start());
      return;
    }
    while (file.hasNext() && !file.pastSync(scan.start())) {
      firstPosition += file.getBlockCount();
      file.nextBlock();
    }
  }

  @Override
  public boolean next() throws IOException {
    firstPosition += rows;
    rows = 0;
    for (WritableColumnVector column : columns) {
      column.reset();
    }
    try {
      while (rows < batchRows && file.hasNext() && !file.pastSync(end)) {
        GenericRecord next = file.next(record);
        record = next;
        for (int i = 0; i < columns.length; i++) {
          appenders[i].append(sources[i] < 0 ? null : next.get(sources[i]), columns[i]);
        }
        rows++;
      }
    } catch (AvroRuntimeException e) {
      throw DataFiles.damaged(path, e);
    } catch (IOException e) {
      throw DataFiles.failed(path, e);
    }
    return rows > 0;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public WritableColumnVector[] columns() {
    return columns;
  }

  @Override
  public long position(int row) {
    return firstPosition + row;
  }

  @Override
  public @Nullable ValueRange range(int column) {
    return null;
  }

  @Override
  public long skippedRowGroups() {
    return 0;
  }

  @Override
  public void close() throws IOException {
    for (WritableColumnVector column : columns) {
      column.close();
    }
    file.close();
  }

  /** A Hadoop stream as Avro's library wants it. */
  private static final class HadoopInput implements SeekableInput {
    private final FSDataInputStream stream;
    private final long length;

    HadoopInput(FSDataInputStream stream, long length) {
      this.stream = stream;
      this.length = length;
    }

    @Override
    public void seek(long position) throws IOException {
      stream.seek(position);
    }

    @Override
    public long tell() throws IOException {
      return stream.getPos();
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public int read(byte[] buffer, int offset, int count) throws IOException {
      return stream.read(buffer, offset, count);
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
