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

package io.keylake.spark.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.VectorVersion;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.compaction.changes.ChangelogSpec;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.file.parquet.ParquetSettings;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.HadoopOutputs;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.options.TableOptions;
import io.keylake.table.split.StoredVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** A primary-key table on disk, of files that a test writes one by one. */
final class MergedTable {
  /** A row as it is stored. */
  record Stored(BinaryRow key, long sequence, byte kind, String text) {}

  /** A file of the table with its rows as they lie in it, and the deleted positions. */
  record Written(DataFile file, int rank, List<Stored> rows, TreeSet<Long> deleted) {}

  final Path folder;
  final TableSchema schema;
  final Map<Long, TableSchema> fileSchemas = new HashMap<>();
  final Map<Integer, Object> addedDefaults = new HashMap<>();
  final AtomicInteger ids = new AtomicInteger();
  final HadoopFileIO io = HadoopFileIO.of(new Configuration(false));
  final Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  final KeyComparator keyOrder;
  private final scala.Function1<Object, Object> converter;
  private final UnsafeProjection projection;
  private final BinaryRow partition;
  private final UnaryOperatorOnSpec settings;

  /** Changes how files are written. */
  @FunctionalInterface
  interface UnaryOperatorOnSpec {
    DataFileSpec apply(DataFileSpec spec);
  }

  MergedTable(Path folder, TableSchema schema, BinaryRow partition, UnaryOperatorOnSpec settings) {
    this.folder = folder;
    this.schema = schema;
    this.partition = partition;
    this.settings = settings;
    this.keyOrder = KeyComparator.of(schema.keyType());
    this.converter = CatalystTypeConverters.createToCatalystConverter(type());
    this.projection = UnsafeProjection.create(type());
    fileSchemas.put(schema.id(), schema);
  }

  /** Small pages and row groups, so that little data has many. */
  static DataFileSpec small(DataFileSpec spec, int pageRows, long targetBytes) {
    ParquetSettings old = spec.settings();
    ParquetSettings pages =
        new ParquetSettings(
            old.codec(),
            old.codecLevel(),
            20_000,
            old.pageBytes(),
            pageRows,
            old.dictionaryBytes(),
            old.dictionaries(),
            old.bloomFilters(),
            old.checksums());
    return new DataFileSpec(
        spec.schema(),
        spec.columns(),
        pages,
        spec.stats(),
        spec.level(),
        spec.source(),
        targetBytes,
        spec.files(),
        spec.indexes());
  }

  CompactionSpec spec() {
    TableOptions options = TableOptions.of(schema);
    return new CompactionSpec(
        "t",
        options.merge(),
        settings.apply(DataFileSpec.ofWrite(schema, options)),
        options.fileLayout(),
        fileSchemas,
        addedDefaults,
        null,
        ChangelogSpec.of(schema, options).orElse(null));
  }

  StepEnvironment environment(StopCheck stop) {
    return new StepEnvironment(
        new Location("file:" + folder),
        "main",
        io,
        () -> "id" + ids.getAndIncrement(),
        clock,
        1,
        stop);
  }

  CompactionPlan plan(int outputLevel, List<CompactionStep> steps) {
    return new CompactionPlan(partition, 0, 1, outputLevel, steps, List.of());
  }

  BinaryRow key(UnsafeRow row) {
    RowType keyType = schema.keyType();
    List<Object> values = new ArrayList<>();
    for (DataField field : keyType.fields()) {
      int ordinal = schema.rowType().indexOfId(field.id());
      Object value = row.get(ordinal, SparkTypes.toSpark(field.name(), field.type()));
      values.add(PartitionRows.toFormat(value, field.type()));
    }
    return BinaryRowCodec.of(keyType).encode(values);
  }

  StructType type() {
    return SparkTypes.toSpark(schema.rowType());
  }

  /** A row of the current schema as it will be stored. */
  Stored stored(Row row, long sequence, byte kind) {
    UnsafeRow unsafe = projection.apply((InternalRow) converter.apply(row));
    return new Stored(key(unsafe), sequence, kind, CanonicalText.of(unsafe, type()));
  }

  /**
   * Writes a file.
   *
   * @param fileSchema the schema it is written with
   * @param rows its rows by that schema, in any order
   * @param shown the same rows by the current schema
   */
  Written write(int level, int rank, TableSchema fileSchema, List<Row> rows, List<Stored> shown)
      throws IOException {
    List<UnsafeRow> unsafe = TestRows.unsafe(fileSchema.fields(), rows);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparing(i -> shown.get(i).key(), keyOrder));
    DataFileSpec spec =
        settings.apply(DataFileSpec.ofWrite(fileSchema, TableOptions.of(fileSchema)));
    List<Stored> sorted = new ArrayList<>();
    String name = "data-" + ids.getAndIncrement() + "-0.parquet";
    Location place = new Location("file:" + folder.resolve("in").resolve(name));
    try (DataFileWriter writer =
        new DataFileWriter(
            whole(spec), new HadoopOutputs(io.configuration()), io.configuration(), clock)) {
      RowBatch batch = new RowBatch();
      for (int i : order) {
        UnsafeRow row = unsafe.get(i);
        Stored stored = shown.get(i);
        sorted.add(stored);
        batch.add(
            row.getBaseObject(),
            row.getBaseOffset(),
            row.getSizeInBytes(),
            stored.sequence(),
            stored.kind());
        if (batch.size() == 50) {
          writer.write(batch, () -> new NewDataFiles.Place(name, place, place.path()));
          batch.clear();
        }
      }
      writer.write(batch, () -> new NewDataFiles.Place(name, place, place.path()));
      DataFile file = writer.endBucket().get(0).withLevel(level);
      return new Written(file, rank, sorted, new TreeSet<>());
    }
  }

  private static DataFileSpec whole(DataFileSpec spec) {
    return new DataFileSpec(
        spec.schema(),
        spec.columns(),
        spec.settings(),
        spec.stats(),
        spec.level(),
        spec.source(),
        Long.MAX_VALUE,
        spec.files(),
        spec.indexes());
  }

  /** A file as a step takes it, after its deleted positions have been stored. */
  CompactionInput input(Written written) throws IOException {
    StoredVector vector = null;
    if (!written.deleted().isEmpty()) {
      DeletionVector positions = new DeletionVector();
      written.deleted().forEach(positions::add);
      DeletionVectorFile stored =
          DeletionVectorFile.encode(Map.of(written.file().name(), positions), VectorVersion.V1);
      Path path = folder.resolve("vector-" + ids.getAndIncrement());
      Files.write(path, stored.content());
      vector = new StoredVector("file:" + path, stored.vectors().get(0));
    }
    String path = written.file().externalPath();
    return new CompactionInput(
        path == null ? "" : path, written.file().withoutStats(), written.rank(), vector);
  }

  /** The rows of a new file of the bucket. */
  List<Stored> read(DataFile file) throws IOException {
    StepStorage storage = new StepStorage(spec(), environment(StopCheck.NEVER));
    Location place = storage.addresses().dataFile(partition, 0, file);
    List<DataField> wanted = new ArrayList<>(schema.fields());
    wanted.add(SystemColumns.SEQUENCE_NUMBER);
    wanted.add(SystemColumns.VALUE_KIND);
    DataFiles files =
        new DataFiles(
            io.configuration(), new VectorAllocation(100, VectorMemory.ON_HEAP), addedDefaults);
    List<Stored> rows = new ArrayList<>();
    try (DataFileReader reader =
        files.open(FileScan.whole(place.path(), file, schema, RowType.of(wanted)))) {
      while (reader.next()) {
        ColumnVector[] columns = new ColumnVector[schema.fields().size()];
        for (int i = 0; i < columns.length; i++) {
          columns[i] = reader.column(i);
        }
        ColumnarBatch batch = new ColumnarBatch(columns, reader.rows());
        for (int row = 0; row < reader.rows(); row++) {
          rows.add(
              new Stored(
                  BinaryRow.EMPTY,
                  reader.column(columns.length).getLong(row),
                  reader.column(columns.length + 1).getByte(row),
                  CanonicalText.of(batch.getRow(row), type())));
        }
      }
    }
    return rows;
  }
}
