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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.row.ChangeKind;
import io.keylake.format.row.Timestamp;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.ColumnRange;
import io.keylake.spark.file.encode.FileColumns;
import io.keylake.spark.file.encode.FileColumns.KeyColumns;
import io.keylake.spark.file.encode.FileEncoder;
import io.keylake.spark.file.encode.LittleEndian;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.StoredColumn.Integers;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.SharedSpark;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spark's own Parquet readers read what the encoder writes. */
class ParquetFileEncoderSparkTest {
  private static final List<DataField> FIELDS =
      List.of(
          DataField.of(0, "k", DataTypes.BIGINT.asNotNull()),
          DataField.of(1, "flag", DataTypes.BOOLEAN),
          DataField.of(2, "tiny", DataTypes.TINYINT),
          DataField.of(3, "small", DataTypes.SMALLINT),
          DataField.of(4, "i", DataTypes.INT),
          DataField.of(5, "f", DataTypes.FLOAT),
          DataField.of(6, "d", DataTypes.DOUBLE),
          DataField.of(7, "d9", DataTypes.decimal(9, 1)),
          DataField.of(8, "d18", DataTypes.decimal(18, 2)),
          DataField.of(9, "d38", DataTypes.decimal(38, 4)),
          DataField.of(10, "name", DataTypes.STRING),
          DataField.of(11, "city", DataTypes.STRING),
          DataField.of(12, "bytes", DataTypes.BYTES),
          DataField.of(13, "day", DataTypes.DATE),
          DataField.of(14, "ts", DataTypes.timestampLtz(6)),
          DataField.of(15, "ntz", DataTypes.timestamp(6)),
          DataField.of(16, "nothing", DataTypes.STRING),
          DataField.of(
              17,
              "list",
              new ArrayType(
                  RowType.of(
                          List.of(
                              DataField.of(18, "a", DataTypes.INT),
                              DataField.of(19, "b", new ArrayType(DataTypes.STRING, true))))
                      .asNullable(),
                  true)),
          DataField.of(20, "m", new MapType(DataTypes.STRING.asNotNull(), DataTypes.DOUBLE, true)),
          DataField.of(
              21,
              "s",
              RowType.of(
                      List.of(
                          DataField.of(22, "x", DataTypes.decimal(25, 3)),
                          DataField.of(23, "y", DataTypes.timestamp(6).asNullable())))
                  .asNullable()));

  private static SparkSession spark;

  @TempDir Path folder;

  @BeforeAll
  static void startSpark() {
    spark = SharedSpark.newSession();
  }

  private static List<Row> rows(int count) {
    Random random = new Random(7);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Object[] values = {
        (long) i,
        random.nextBoolean(),
        (byte) random.nextInt(256),
        (short) random.nextInt(10),
        random.nextInt(),
        i % 50 == 0 ? Float.NaN : random.nextFloat(),
        i % 3 == 0 ? -0.0 : random.nextGaussian(),
        BigDecimal.valueOf(random.nextInt(1_999_999_999) - 999_999_999L, 1),
        BigDecimal.valueOf(random.nextLong() / 10, 2),
        new BigDecimal("-1234567890123456789012.3456").multiply(BigDecimal.valueOf(i % 7)),
        "x".repeat(random.nextInt(40)) + i,
        "city-" + random.nextInt(20),
        new byte[] {(byte) i, 0, (byte) 0xff},
        LocalDate.ofEpochDay(random.nextInt(40_000) - 20_000),
        Instant.ofEpochSecond(random.nextInt(), 123_456_000),
        LocalDateTime.of(1950 + i % 100, 2, 3, 4, 5, 6, 789_000),
        null,
        nestedList(i),
        i % 4 == 0 ? Map.of() : Map.of("a" + i, 1.5 * i, "b", -1.0),
        i % 6 == 0 ? null : RowFactory.create(new BigDecimal("-1234567890123456789.125"), null)
      };
      if (i % 10 == 3) {
        for (int c = 1; c < values.length; c++) {
          values[c] = null;
        }
      }
      rows.add(RowFactory.create(values));
    }
    return rows;
  }

  private static List<Row> nestedList(int i) {
    if (i % 3 == 0) {
      return List.of();
    }
    List<Row> list = new ArrayList<>();
    list.add(RowFactory.create(i, List.of("p", "q" + i)));
    list.add(null);
    list.add(RowFactory.create(null, i % 2 == 0 ? null : List.of()));
    return list;
  }

  private FileEncoder.Ended write(
      FileColumns columns, ParquetSettings settings, List<UnsafeRow> rows, String name)
      throws IOException {
    Configuration configuration = new Configuration();
    try (ParquetFileEncoder encoder =
        new ParquetFileEncoder(columns, FIELDS.size(), settings, configuration)) {
      encoder.open(HadoopOutputFile.fromPath(path(name), configuration));
      for (int from = 0; from < rows.size(); from += 1000) {
        List<UnsafeRow> some = rows.subList(from, Math.min(rows.size(), from + 1000));
        encoder.write(TestRows.batch(some, from, ChangeKind.INSERT.code()));
      }
      return encoder.finish();
    }
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
  }

  private ParquetMetadata footer(String name) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(path(name), new Configuration()))) {
      return reader.getFooter();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void sparkReadsEveryTypeBack(String vectorized) throws IOException {
    TableSchema schema = TestRows.schema(FIELDS, List.of(), List.of("k"), Map.of());
    FileColumns columns = FileColumns.primaryKey(schema, KeyColumns.STORED, Integers.DELTA);
    List<Row> rows = rows(12_345);
    ParquetSettings settings = ParquetSettings.DEFAULT.withRowGroupBytes(900_000);
    String name = "all-" + vectorized + ".parquet";
    FileEncoder.Ended file = write(columns, settings, TestRows.unsafe(FIELDS, rows), name);
    assertThat(footer(name).getBlocks()).hasSizeGreaterThan(1);
    assertThat(file.bytes()).isEqualTo(folder.resolve(name).toFile().length());
    StructType type = SparkTypes.toSpark(RowType.of(FIELDS));
    spark.conf().set("spark.sql.parquet.enableVectorizedReader", vectorized);
    try {
      Dataset<Row> written = spark.read().schema(type).parquet(path(name).toString());
      Dataset<Row> expected = spark.createDataFrame(rows, type);
      List<String> text = List.of("to_json(struct(*))");
      assertThat(written.selectExpr(text.toArray(new String[0])).collectAsList())
          .containsExactlyInAnyOrderElementsOf(
              expected.selectExpr(text.toArray(new String[0])).collectAsList());
    } finally {
      spark.conf().unset("spark.sql.parquet.enableVectorizedReader");
    }
  }

  @Test
  void systemColumnsComeFirstAndAreDeltaEncoded() throws IOException {
    TableSchema schema = TestRows.schema(FIELDS, List.of(), List.of("k"), Map.of());
    FileColumns columns = FileColumns.primaryKey(schema, KeyColumns.STORED, Integers.DELTA);
    write(columns, ParquetSettings.DEFAULT, TestRows.unsafe(FIELDS, rows(3000)), "pk.parquet");
    List<ColumnChunkMetaData> chunks = footer("pk.parquet").getBlocks().get(0).getColumns();
    assertThat(chunks.subList(0, 4))
        .extracting(chunk -> chunk.getPath().toDotString())
        .containsExactly("_KEY_k", "_SEQUENCE_NUMBER", "_VALUE_KIND", "k");
    for (int i : List.of(0, 1, 3)) {
      assertThat(chunks.get(i).getEncodings())
          .isEqualTo(Set.of(Encoding.DELTA_BINARY_PACKED, Encoding.BIT_PACKED));
    }
    assertThat(chunks).noneMatch(c -> c.getEncodings().contains(Encoding.DELTA_BYTE_ARRAY));
    Row first =
        spark
            .read()
            .parquet(path("pk.parquet").toString())
            .selectExpr("min(_SEQUENCE_NUMBER)", "max(_SEQUENCE_NUMBER)", "max(_VALUE_KIND)")
            .first();
    assertThat(first).isEqualTo(RowFactory.create(0L, 2999L, (byte) 0));
  }

  @Test
  void columnsOfFewValuesUseDictionariesAndOthersDoNot() throws IOException {
    TableSchema schema = TestRows.schema(FIELDS, List.of(), List.of(), Map.of());
    write(
        FileColumns.append(schema),
        ParquetSettings.DEFAULT,
        TestRows.unsafe(FIELDS, rows(30_000)),
        "append.parquet");
    List<ColumnChunkMetaData> chunks = footer("append.parquet").getBlocks().get(0).getColumns();
    assertThat(chunks.get(11).getEncodings()).contains(Encoding.PLAIN_DICTIONARY);
    assertThat(chunks.get(10).getEncodings()).doesNotContain(Encoding.PLAIN_DICTIONARY);
    assertThat(chunks.get(4).getEncodings()).doesNotContain(Encoding.PLAIN_DICTIONARY);
  }

  @Test
  void filtersPushedIntoTheFileLoseNoNan() throws IOException {
    TableSchema schema = TestRows.schema(FIELDS, List.of(), List.of(), Map.of());
    write(
        FileColumns.append(schema),
        ParquetSettings.DEFAULT,
        TestRows.unsafe(FIELDS, rows(30_000)),
        "nan.parquet");
    Dataset<Row> file = spark.read().parquet(path("nan.parquet").toString());
    assertThat(file.filter("f > 1e30").count()).isEqualTo(600);
    assertThat(file.filter("d = 0.0").count()).isPositive();
    assertThat(file.filter("k = 29999").count()).isEqualTo(1);
  }

  @Test
  void boundsAreThoseOfTheValues() throws IOException {
    TableSchema schema = TestRows.schema(FIELDS, List.of(), List.of(), Map.of());
    List<ColumnRange> ranges =
        write(
                FileColumns.append(schema),
                ParquetSettings.DEFAULT,
                TestRows.unsafe(FIELDS, rows(5000)),
                "bounds.parquet")
            .ranges();
    assertThat(ranges.get(0)).isEqualTo(new ColumnRange(0L, 4999L, 0));
    assertThat(ranges.get(1)).isEqualTo(new ColumnRange(false, true, 500));
    assertThat(ranges.get(5)).isEqualTo(new ColumnRange(null, null, 500));
    assertThat(ranges.get(11)).isEqualTo(new ColumnRange("city-0", "city-9", 500));
    assertThat(ranges.get(9).max()).isEqualTo(new BigDecimal("0.0000"));
    assertThat(ranges.get(9).min()).isEqualTo(new BigDecimal("-7407407340740740734074.0736"));
    assertThat(ranges.get(12)).isEqualTo(new ColumnRange(null, null, 500));
    assertThat(ranges.get(15).min())
        .isEqualTo(Timestamp.ofMicros(micros(LocalDateTime.of(1950, 2, 3, 4, 5, 6, 789_000))));
    assertThat(ranges.get(16)).isEqualTo(new ColumnRange(null, null, 5000));
    assertThat(ranges.get(17)).isNull();
  }

  @Test
  void zeroesWidenTheBoundsOfFloatingPointNumbers() throws IOException {
    List<DataField> fields = List.of(DataField.of(0, "d", DataTypes.DOUBLE));
    TableSchema schema = TestRows.schema(fields, List.of(), List.of(), Map.of());
    Configuration configuration = new Configuration();
    try (ParquetFileEncoder encoder =
        new ParquetFileEncoder(
            FileColumns.append(schema), 1, ParquetSettings.DEFAULT, configuration)) {
      encoder.open(HadoopOutputFile.fromPath(path("zero.parquet"), configuration));
      encoder.write(
          TestRows.batch(TestRows.unsafe(fields, List.of(RowFactory.create(0.0))), 0, (byte) 0));
      assertThat(encoder.finish().ranges()).containsExactly(new ColumnRange(-0.0, 0.0, 0));
    }
  }

  @Test
  void timestampsOfNanosecondsAreInt96WithNegativeNanosBefore1970() {
    byte[] target = new byte[12];
    BytesGather.putInt96(-1, target, 0);
    assertThat(LittleEndian.getLong(target, 0)).isEqualTo(-1000);
    assertThat(target[8]).isEqualTo((byte) 2440588);
    assertThat(DataTypes.sized(TypeRoot.TIMESTAMP, 9).precision()).isEqualTo(9);
  }

  @Test
  void hugeTextsEndAPageEarly() throws IOException {
    List<DataField> fields = List.of(DataField.of(0, "t", DataTypes.STRING));
    TableSchema schema = TestRows.schema(fields, List.of(), List.of(), Map.of());
    Configuration configuration = new Configuration();
    List<UnsafeRow> huge =
        TestRows.unsafe(
            fields,
            List.of(
                RowFactory.create("a".repeat(3 << 20)), RowFactory.create("b".repeat(3 << 20))));
    try (ParquetFileEncoder encoder =
        new ParquetFileEncoder(
            FileColumns.append(schema), 1, ParquetSettings.DEFAULT, configuration)) {
      encoder.open(HadoopOutputFile.fromPath(path("huge.parquet"), configuration));
      for (UnsafeRow row : huge) {
        RowBatch batch = TestRows.batch(List.of(row), 0, (byte) 0);
        assertThat(batch.isFull()).isTrue();
        encoder.write(batch);
      }
      assertThat(encoder.finish().ranges().get(0))
          .isEqualTo(new ColumnRange("a".repeat(3 << 20), "b".repeat(3 << 20), 0));
    }
    assertThat(
            spark
                .read()
                .parquet(path("huge.parquet").toString())
                .selectExpr("sum(length(t))")
                .first())
        .isEqualTo(RowFactory.create(6L << 20));
  }

  private static long micros(LocalDateTime time) {
    return time.toEpochSecond(java.time.ZoneOffset.UTC) * 1_000_000L + time.getNano() / 1000;
  }
}
