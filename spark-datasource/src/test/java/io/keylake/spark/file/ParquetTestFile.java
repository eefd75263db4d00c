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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.SparkTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** A Parquet data file for tests, written by Parquet's own writer. */
final class ParquetTestFile {
  private final Path path;
  private final TableSchema schema;
  private final MessageType message;
  private final UnaryOperator<ExampleParquetWriter.Builder> settings;
  private long rows;

  /**
   * @param fields the columns of the file's schema
   * @param message the same columns as a Parquet schema
   */
  ParquetTestFile(
      Path folder,
      List<DataField> fields,
      String message,
      UnaryOperator<ExampleParquetWriter.Builder> settings) {
    this.path = folder.resolve("data-0.parquet");
    this.message = MessageTypeParser.parseMessageType(message);
    this.settings = settings;
    this.schema =
        new TableSchema(
            TableSchema.CURRENT_VERSION,
            0,
            fields,
            100,
            List.of(),
            List.of(),
            Map.of(),
            null,
            0,
            UnknownKeys.NONE);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  final ParquetTestFile write(Consumer<Group>... newRows) throws IOException {
    return write(Arrays.stream(newRows).toList());
  }

  ParquetTestFile write(List<Consumer<Group>> newRows) throws IOException {
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(path.toUri()))
            .withConf(new Configuration(false))
            .withType(message);
    try (ParquetWriter<Group> writer = settings.apply(builder).build()) {
      for (Consumer<Group> row : newRows) {
        Group group = new SimpleGroup(message);
        row.accept(group);
        writer.write(group);
      }
    }
    rows = newRows.size();
    return this;
  }

  FileScan scan(List<DataField> wanted) throws IOException {
    DataFile file =
        new DataFile(
            path.getFileName().toString(),
            Files.size(path),
            rows,
            BinaryRow.EMPTY,
            BinaryRow.EMPTY,
            ColumnStats.EMPTY,
            ColumnStats.EMPTY,
            0,
            0,
            0,
            0,
            List.of(),
            null,
            0L,
            null,
            null,
            List.of(),
            null,
            null,
            null);
    return FileScan.whole("file:" + path, file, schema, RowType.of(wanted));
  }

  /** The wanted columns of all rows that {@code predicate} does not skip, as canonical text. */
  List<String> read(List<DataField> wanted, Predicate predicate, Map<Integer, Object> addedDefaults)
      throws IOException {
    DataFiles files =
        new DataFiles(
            new Configuration(false), new VectorAllocation(7, VectorMemory.ON_HEAP), addedDefaults);
    StructType type = SparkTypes.toSpark(RowType.of(wanted));
    List<String> seen = new ArrayList<>();
    try (DataFileReader reader = files.open(scan(wanted).withPredicate(predicate))) {
      while (reader.next()) {
        ColumnVector[] columns = new ColumnVector[wanted.size()];
        for (int i = 0; i < columns.length; i++) {
          columns[i] = reader.column(i);
        }
        ColumnarBatch batch = new ColumnarBatch(columns, reader.rows());
        for (int row = 0; row < reader.rows(); row++) {
          seen.add(CanonicalText.of(batch.getRow(row), type));
        }
      }
    }
    return seen;
  }
}
