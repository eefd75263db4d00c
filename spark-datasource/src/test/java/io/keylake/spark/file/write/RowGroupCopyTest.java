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

package io.keylake.spark.file.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file into which row groups were copied, between rows that were encoded, has the rows and the
 * metadata of a file that was encoded as a whole.
 */
class RowGroupCopyTest {
  private static final Configuration CONFIGURATION = new Configuration();
  private static final int ROWS = 12_000;
  private static final int BATCH_ROWS = 1000;
  private static final Map<String, String> SMALL_ROW_GROUPS =
      Map.of("bucket", "1", "parquet.block.size", "100000", "parquet.page.size", "5000");

  @TempDir Path folder;

  private final Clock clock = Clock.fixed(Instant.ofEpochSecond(1_800_000_000L), ZoneOffset.UTC);
  private int files;

  /** The name of a column, and the path of a nested one. */
  private static final String LIKE_A_PATH = "c23.x";

  private static List<DataField> everyType() {
    List<DataType> types =
        List.of(
            DataTypes.INT.asNotNull(),
            DataTypes.STRING.asNotNull(),
            DataTypes.BOOLEAN,
            DataTypes.TINYINT,
            DataTypes.SMALLINT,
            DataTypes.BIGINT,
            DataTypes.FLOAT,
            DataTypes.DOUBLE,
            DataTypes.DOUBLE,
            DataTypes.decimal(9, 3),
            DataTypes.decimal(18, 2),
            DataTypes.decimal(38, 10),
            DataTypes.STRING,
            DataTypes.sized(TypeRoot.VARCHAR, 40).asNotNull(),
            DataTypes.BYTES,
            DataTypes.DATE,
            DataTypes.timestamp(3),
            DataTypes.timestamp(6),
            DataTypes.timestamp(9),
            DataTypes.timestampLtz(6),
            DataTypes.STRING,
            new ArrayType(DataTypes.STRING, true),
            new MapType(DataTypes.STRING.asNotNull(), new ArrayType(DataTypes.INT, true), true),
            RowType.of(
                    List.of(
                        DataField.of(100, "x", DataTypes.decimal(25, 3)),
                        DataField.of(101, "y", new ArrayType(DataTypes.DATE, true))))
                .asNullable());
    return IntStream.range(0, types.size())
        .mapToObj(i -> DataField.of(i, i == 20 ? LIKE_A_PATH : "c" + i, types.get(i)))
        .toList();
  }

  private static Row row(Random random, int i) {
    LocalDateTime time =
        LocalDateTime.of(1960, 1, 1, 0, 0).plusSeconds(random.nextInt()).plusNanos(123_000L);
    Object[] values = {
      i / 10,
      "key " + (char) ('a' + i % 10),
      random.nextBoolean(),
      (byte) random.nextInt(),
      (short) random.nextInt(),
      random.nextLong(),
      random.nextFloat() - 0.5f,
      random.nextInt(20) == 0 ? -0.0 : random.nextDouble(),
      i == ROWS / 2 ? Double.NaN : random.nextDouble(),
      BigDecimal.valueOf(random.nextInt(1_000_000_000), 3),
      BigDecimal.valueOf(random.nextLong() / 100, 2),
      new BigDecimal(new BigInteger(120, random).subtract(BigInteger.ONE.shiftLeft(119)), 10),
      "a text of more than sixteen characters, é 中 " + random.nextInt(),
      "v" + random.nextInt(3),
      new byte[] {(byte) random.nextInt(), 0},
      LocalDate.ofEpochDay(random.nextInt(40_000) - 20_000),
      time.withNano(7_000_000),
      time,
      time,
      time.toInstant(ZoneOffset.UTC),
      i < ROWS / 2 ? null : "in the second half only",
      random.nextInt(3) == 0 ? null : Arrays.asList("é", null, ""),
      Map.of("k" + random.nextInt(9), List.of(1, 2)),
      RowFactory.create(new BigDecimal("-1.250"), List.of(LocalDate.ofEpochDay(i)))
    };
    for (int column = 2; column < values.length; column++) {
      if (column != 13 && random.nextInt(10) == 0) {
        values[column] = null;
      }
    }
    return RowFactory.create(values);
  }

  private record Stored(Path path, DataFile file) {}

  /** Rows of one table and how its files are written. */
  private record Content(DataFileSpec spec, List<UnsafeRow> rows, Kinds kinds) {
    RowBatch batch(long from, long to) {
      RowBatch batch = new RowBatch();
      for (long i = from; i < to; i++) {
        UnsafeRow row = rows.get((int) i);
        batch.add(
            row.getBaseObject(),
            row.getBaseOffset(),
            row.getSizeInBytes(),
            100 + i * 7919 % ROWS,
            kinds.of((int) i));
      }
      return batch;
    }
  }

  @FunctionalInterface
  private interface Kinds {
    byte of(int row);
  }

  private static final Kinds INSERTS = row -> ChangeKind.INSERT.code();

  private static Content content(long seed, Map<String, String> options, Kinds kinds) {
    Random random = new Random(seed);
    List<DataField> fields = everyType();
    TableSchema schema = TestRows.schema(fields, List.of(), List.of("c0", "c1"), options);
    List<Row> rows = IntStream.range(0, ROWS).mapToObj(i -> row(random, i)).toList();
    return new Content(
        DataFileSpec.ofWrite(schema, TableOptions.of(schema)).ofCompaction(5),
        TestRows.unsafe(fields, rows),
        kinds);
  }

  private Path next() {
    return folder.resolve("data-" + files++ + ".parquet");
  }

  private NewDataFiles names(List<Path> used) {
    return () -> {
      Path path = next();
      used.add(path);
      return new NewDataFiles.Place(
          path.getFileName().toString(), new Location(path.toString()), null);
    };
  }

  private DataFileWriter writer(DataFileSpec spec) {
    return new DataFileWriter(spec, new HadoopOutputs(CONFIGURATION), CONFIGURATION, clock);
  }

  private Stored encode(Content content) throws IOException {
    List<Path> used = new ArrayList<>();
    NewDataFiles names = names(used);
    try (DataFileWriter writer = writer(content.spec())) {
      encode(content, 0, content.rows().size(), writer, names);
      List<DataFile> ended = writer.endBucket();
      assertThat(ended).hasSize(1);
      return new Stored(used.get(0), ended.get(0));
    }
  }

  private static void encode(
      Content content, long from, long to, DataFileWriter writer, NewDataFiles names)
      throws IOException {
    for (long i = from; i < to; i += BATCH_ROWS) {
      writer.write(content.batch(i, Math.min(to, i + BATCH_ROWS)), names);
    }
  }

  private RowGroupSource source(Stored stored, DataFileSpec spec) throws IOException {
    try (DataFileWriter writer = writer(spec)) {
      return writer.rowGroups(stored.path().toString(), stored.file(), spec.schema()).orElseThrow();
    }
  }

  /** Writes the file again, copying the chosen row groups and encoding the others. */
  private List<Stored> copy(Content content, Stored stored, DataFileSpec spec, IntPredicate chosen)
      throws IOException {
    List<Path> used = new ArrayList<>();
    NewDataFiles names = names(used);
    try (DataFileWriter writer = writer(spec);
        RowGroupSource source = source(stored, spec)) {
      int index = 0;
      for (RowGroup group : source.rowGroups()) {
        if (chosen.test(index++)) {
          assertThat(group.isCopyable()).isTrue();
          writer.append(group, names);
        } else {
          encode(content, group.firstRow(), group.firstRow() + group.rows(), writer, names);
        }
      }
      List<DataFile> ended = writer.endBucket();
      return IntStream.range(0, ended.size())
          .mapToObj(i -> new Stored(used.get(i), ended.get(i)))
          .toList();
    }
  }

  private static List<UnsafeRow> read(Stored stored, DataFileSpec spec) throws IOException {
    RowType wanted = RowType.of(spec.columns().fields());
    UnsafeProjection projection = UnsafeProjection.create(SparkTypes.toSpark(wanted));
    DataFiles opener =
        new DataFiles(CONFIGURATION, new VectorAllocation(4096, VectorMemory.ON_HEAP), Map.of());
    List<UnsafeRow> rows = new ArrayList<>();
    try (DataFileReader reader =
        opener.open(
            FileScan.whole(stored.path().toString(), stored.file(), spec.schema(), wanted))) {
      while (reader.next()) {
        ColumnVector[] vectors =
            IntStream.range(0, wanted.size()).mapToObj(reader::column).toArray(ColumnVector[]::new);
        ColumnarBatch batch = new ColumnarBatch(vectors, reader.rows());
        for (int i = 0; i < reader.rows(); i++) {
          rows.add(projection.apply(batch.getRow(i)).copy());
        }
      }
    }
    return rows;
  }

  private static int rowGroups(Stored stored) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            HadoopInputFile.fromPath(
                new org.apache.hadoop.fs.Path(stored.path().toString()), CONFIGURATION))) {
      return reader.getRowGroups().size();
    }
  }

  /** The file's metadata without name and size. */
  private static DataFile comparable(DataFile file) {
    return new DataFile(
        "name",
        0,
        file.rowCount(),
        file.minKey(),
        file.maxKey(),
        file.keyStats(),
        file.valueStats(),
        file.minSequenceNumber(),
        file.maxSequenceNumber(),
        file.schemaId(),
        file.level(),
        file.extraFiles(),
        file.creationTimeMillis(),
        file.deleteRowCount(),
        file.embeddedIndex(),
        file.source(),
        file.valueStatsColumns(),
        file.externalPath(),
        file.firstRowId(),
        file.writeColumns());
  }

  private static Map<String, String> with(String... options) {
    Map<String, String> all = new HashMap<>(SMALL_ROW_GROUPS);
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void copiedAndEncodedRowGroupsTogetherEqualAnEncodedFile(long seed) throws IOException {
    Random random = new Random(seed);
    String mode = List.of("truncate(16)", "full", "counts").get(random.nextInt(3));
    boolean thin = random.nextBoolean();
    Content content =
        content(
            seed,
            with("metadata.stats-mode", mode, "data-file.thin-mode", String.valueOf(thin)),
            INSERTS);
    Stored whole = encode(content);
    int groups = rowGroups(whole);
    assertThat(groups).as("seed %d", seed).isGreaterThan(4);

    boolean[] chosen = new boolean[groups];
    for (int i = 0; i < groups - 1; i++) {
      chosen[i] = random.nextInt(3) > 0;
    }
    List<Stored> copies = copy(content, whole, content.spec(), index -> chosen[index]);

    assertThat(copies).hasSize(1);
    assertThat(comparable(copies.get(0).file()))
        .as("seed %d", seed)
        .isEqualTo(comparable(whole.file()));
    assertThat(read(copies.get(0), content.spec()))
        .as("seed %d", seed)
        .isEqualTo(read(whole, content.spec()));
  }

  @Test
  void aFileOfCopiedRowGroupsOnlyHasTheirMetadata() throws IOException {
    Content content = content(11, SMALL_ROW_GROUPS, INSERTS);
    Stored whole = encode(content);
    try (RowGroupSource source = source(whole, content.spec());
        DataFileWriter writer = writer(content.spec())) {
      List<Path> used = new ArrayList<>();
      RowGroup group = source.rowGroups().get(1);
      writer.append(group, names(used));
      DataFile copied = writer.endBucket().get(0);

      Content part =
          new Content(
              content.spec(),
              content
                  .rows()
                  .subList((int) group.firstRow(), (int) (group.firstRow() + group.rows())),
              INSERTS);
      assertThat(comparable(copied).valueStats()).isEqualTo(encode(part).file().valueStats());
      assertThat(copied.rowCount()).isEqualTo(group.rows());
      assertThat(copied.minKey()).isEqualTo(encode(part).file().minKey());
      assertThat(copied.maxKey()).isEqualTo(encode(part).file().maxKey());
    }
  }

  @Test
  void aFileThatGrowsTooLargeEndsBeforeTheCopy() throws IOException {
    Content content = content(12, SMALL_ROW_GROUPS, INSERTS);
    Stored whole = encode(content);
    DataFileSpec small =
        new DataFileSpec(
            content.spec().schema(),
            content.spec().columns(),
            content.spec().settings(),
            content.spec().stats(),
            5,
            content.spec().source(),
            whole.file().size() / 4,
            content.spec().files(),
            content.spec().indexes());
    int groups = rowGroups(whole);
    List<Stored> copies = copy(content, whole, small, index -> index < groups - 1);

    assertThat(copies).hasSizeBetween(3, 5);
    List<UnsafeRow> rows = new ArrayList<>();
    for (Stored copy : copies) {
      rows.addAll(read(copy, small));
    }
    assertThat(rows).isEqualTo(read(whole, small));
  }

  @Test
  void rowGroupsWithDeletesAreNotCopied() throws IOException {
    Content content =
        content(
            13, SMALL_ROW_GROUPS, row -> row < ROWS / 2 ? ChangeKind.INSERT.code() : kind(row % 3));
    Stored whole = encode(content);
    try (RowGroupSource source = source(whole, content.spec())) {
      for (RowGroup group : source.rowGroups()) {
        if (group.firstRow() + group.rows() <= ROWS / 2) {
          assertThat(group.isCopyable()).isTrue();
        } else {
          assertThat(group.isCopyable()).isFalse();
        }
      }
    }
  }

  private static byte kind(int choice) {
    return choice == 0 ? ChangeKind.DELETE.code() : ChangeKind.UPDATE_AFTER.code();
  }

  @Test
  void nothingIsCopiedIntoFilesOfAnotherKind() throws IOException {
    Content content = content(14, SMALL_ROW_GROUPS, INSERTS);
    Stored whole = encode(content);
    assertThat(copyable(whole, content(14, SMALL_ROW_GROUPS, INSERTS).spec())).isPositive();
    for (Map<String, String> other :
        List.of(
            with("file.compression", "snappy"),
            with("data-file.thin-mode", "true"),
            with("parquet.bloom.filter.enabled#c5", "true"),
            with("parquet.block.size", String.valueOf(64 << 20)))) {
      assertThat(copyable(whole, content(14, other, INSERTS).spec())).as("%s", other).isZero();
    }
  }

  @Test
  void longTextsAndUnboundedKeysAreEncodedAgain() throws IOException {
    List<DataField> fields =
        List.of(
            DataField.of(0, "k", DataTypes.BIGINT.asNotNull()),
            DataField.of(1, "v", DataTypes.STRING),
            DataField.of(2, "b", DataTypes.BYTES));
    TableSchema schema = TestRows.schema(fields, List.of(), List.of("k"), SMALL_ROW_GROUPS);
    DataFileSpec spec = DataFileSpec.ofWrite(schema, TableOptions.of(schema)).ofCompaction(5);
    Random random = new Random(15);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      byte[] bytes = new byte[3000];
      random.nextBytes(bytes);
      String text = i < 2000 ? "short" : "long ".repeat(600) + random.nextInt();
      rows.add(RowFactory.create((long) i, text, i % 2 == 0 ? bytes : null));
    }
    Content content = new Content(spec, TestRows.unsafe(fields, rows), INSERTS);
    Stored whole = encode(content);
    try (RowGroupSource source = source(whole, spec)) {
      for (RowGroup group : source.rowGroups()) {
        boolean isShort = group.firstRow() + group.rows() <= 2000;
        assertThat(group.isCopyable()).as("row group at %d", group.firstRow()).isEqualTo(isShort);
        if (isShort) {
          assertThat(group.range(spec.columns().valueStart() + 2).nullCount())
              .isEqualTo(group.rows() / 2);
        }
      }
    }
  }

  private long copyable(Stored stored, DataFileSpec spec) throws IOException {
    try (DataFileWriter writer = writer(spec)) {
      Optional<RowGroupSource> source =
          writer.rowGroups(stored.path().toString(), stored.file(), spec.schema());
      if (source.isEmpty()) {
        return 0;
      }
      try (RowGroupSource open = source.get()) {
        return open.rowGroups().stream().filter(RowGroup::isCopyable).count();
      }
    }
  }
}
