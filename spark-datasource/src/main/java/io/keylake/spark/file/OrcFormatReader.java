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
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.io.sarg.SearchArgument;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.TypeDescription;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Reads an ORC file batch by batch with ORC's own reader and copies its columns into Spark's
 * writable vectors. (Spark's ORC reader only wraps ORC's vectors: such a batch cannot be compacted
 * in place, and has another class than Parquet's, which slows generated code down.) Stripes that
 * start in the range are read; ORC skips stripes and groups of rows by the search argument.
 */
final class OrcFormatReader implements FormatReader {
  private final String path;
  private final Reader file;
  private final RecordReader records;
  private final VectorizedRowBatch batch;
  private final WritableColumnVector[] columns;
  private final OrcAppender[] appenders;
  private final int[] sources;
  private long firstPosition;

  private OrcFormatReader(
      FileScan scan,
      FileProjection projection,
      Reader file,
      RecordReader records,
      TypeDescription schema,
      VectorAllocation vectors) {
    this.path = scan.path();
    this.file = file;
    this.records = records;
    this.batch = schema.createRowBatch(vectors.batchRows());
    List<RequestedColumn> request = projection.request();
    columns = new WritableColumnVector[request.size()];
    appenders = new OrcAppender[columns.length];
    sources = new int[columns.length];
    for (int i = 0; i < columns.length; i++) {
      RequestedColumn column = request.get(i);
      columns[i] = vectors.allocate(column.type());
      sources[i] = schema.getFieldNames().indexOf(column.name());
      appenders[i] =
          sources[i] < 0
              ? OrcAppender.NULLS
              : OrcAppenders.of(schema.getChildren().get(sources[i]), column.type());
    }
  }

  static OrcFormatReader open(
      FileScan scan, FileProjection projection, Configuration conf, VectorAllocation vectors)
      throws IOException {
    Path path = new Path(scan.path());
    Reader file;
    try {
      file =
          OrcFile.createReader(
              path,
              OrcFile.readerOptions(conf)
                  .filesystem(path.getFileSystem(conf))
                  .maxLength(scan.file().size())
                  .useUTCTimestamp(true));
    } catch (FileNotFoundException e) {
      throw DataFiles.missing(scan.path(), e);
    } catch (IOException e) {
      throw DataFiles.failed(scan.path(), e);
    }
    TypeDescription schema = wanted(file.getSchema(), projection.requestType());
    Reader.Options options =
        file.options()
            .schema(schema)
            .isSchemaEvolutionCaseAware(true)
            .forcePositionalEvolution(false);
    if (!scan.coversFile()) {
      options = options.range(scan.start(), scan.length());
    }
    SearchArgument argument =
        scan.predicate() == null ? null : OrcPredicates.searchArgument(scan.predicate());
    if (argument != null) {
      options = options.searchArgument(argument, schema.getFieldNames().toArray(String[]::new));
    }
    return new OrcFormatReader(scan, projection, file, file.rows(options), schema, vectors);
  }

  /** The part of the stored type that the request names, in the order of the request. */
  private static TypeDescription wanted(TypeDescription stored, DataType request) {
    if (request instanceof StructType struct
        && stored.getCategory() == TypeDescription.Category.STRUCT) {
      TypeDescription result = TypeDescription.createStruct();
      for (StructField field : struct.fields()) {
        int child = stored.getFieldNames().indexOf(field.name());
        if (child >= 0) {
          result.addField(field.name(), wanted(stored.getChildren().get(child), field.dataType()));
        }
      }
      return result;
    } else if (request instanceof ArrayType array
        && stored.getCategory() == TypeDescription.Category.LIST) {
      return TypeDescription.createList(wanted(stored.getChildren().get(0), array.elementType()));
    } else if (request instanceof MapType map
        && stored.getCategory() == TypeDescription.Category.MAP) {
      return TypeDescription.createMap(
          wanted(stored.getChildren().get(0), map.keyType()),
          wanted(stored.getChildren().get(1), map.valueType()));
    }
    return stored.clone();
  }

  @Override
  public boolean next() throws IOException {
    firstPosition = records.getRowNumber();
    batch.reset();
    try {
      if (!records.nextBatch(batch)) {
        return false;
      }
    } catch (IOException e) {
      throw DataFiles.failed(path, e);
    }
    for (int i = 0; i < columns.length; i++) {
      columns[i].reset();
      try {
        appenders[i].append(
            sources[i] < 0 ? null : batch.cols[sources[i]], 0, batch.size, columns[i]);
      } catch (ArithmeticException e) {
        throw DataFiles.damaged(path, e);
      }
    }
    return true;
  }

  @Override
  public int rows() {
    return batch.size;
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
    try {
      records.close();
    } finally {
      file.close();
    }
  }
}
