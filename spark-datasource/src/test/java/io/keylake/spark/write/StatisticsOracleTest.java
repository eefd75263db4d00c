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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.SoundTable;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same rows, written by us and by the reference implementation, give the same rows, keys and
 * statistics for every type and mode.
 */
class StatisticsOracleTest {
  private static final List<DataField> FIELDS = fields();

  @TempDir Path folder;

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(folder);
  }

  private static List<DataField> fields() {
    List<io.keylake.format.types.DataType> types =
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
            DataTypes.decimal(1, 0),
            DataTypes.decimal(9, 3),
            DataTypes.decimal(18, 2),
            DataTypes.decimal(20, 5),
            DataTypes.decimal(38, 10),
            DataTypes.STRING,
            DataTypes.sized(TypeRoot.VARCHAR, 40),
            DataTypes.BYTES,
            DataTypes.DATE,
            DataTypes.timestamp(3),
            DataTypes.timestamp(6),
            DataTypes.timestamp(9),
            DataTypes.timestampLtz(3),
            DataTypes.timestampLtz(6),
            DataTypes.STRING,
            new ArrayType(DataTypes.STRING, true),
            new MapType(DataTypes.STRING.asNotNull(), new ArrayType(DataTypes.INT, true), true),
            RowType.of(
                    List.of(
                        DataField.of(100, "x", DataTypes.decimal(25, 3)),
                        DataField.of(101, "y", DataTypes.timestamp(6)),
                        DataField.of(102, "z", new ArrayType(DataTypes.DATE, true))))
                .asNullable());
    return IntStream.range(0, types.size())
        .mapToObj(i -> DataField.of(i, "c" + i, types.get(i)))
        .toList();
  }

  private static final LocalDateTime OLD = LocalDateTime.of(1951, 7, 8, 9, 10, 11, 123_456_000);

  private static LocalDateTime time(int i) {
    return OLD.plusDays(37L * i).plusNanos(1000L * i);
  }

  private static LocalDateTime millis(int i) {
    return time(i).withNano(i * 1_000_000);
  }

  private static String name(int i) {
    return i == 0 ? "" : "name with more than sixteen é characters 中 " + i;
  }

  private static Object[] spark(int i) {
    return new Object[] {
      i / 2,
      "key-" + "k".repeat(i % 5) + i,
      i % 3 == 0,
      (byte) (i - 50),
      (short) (i * 300 - 9000),
      (long) i * 1_000_000_007L * (i % 2 == 0 ? 1 : -1),
      i * 0.5f - 3,
      i == 7 ? 0.0 : i * 1.25,
      i == 7 ? Double.NaN : i * 1.25,
      BigDecimal.valueOf(i % 10),
      BigDecimal.valueOf(i * 12_345L - 400_000, 3),
      BigDecimal.valueOf(i * 98_765_432_109L - 4_000_000_000_000L, 2),
      new BigDecimal("-123456789012345.54321").add(BigDecimal.valueOf(i)),
      new BigDecimal("12345678901234567890123456.0123456789")
          .multiply(BigDecimal.valueOf(i - 20))
          .setScale(10),
      name(i),
      "v" + i % 4,
      new byte[] {(byte) i, (byte) 0xff, 0},
      LocalDate.ofEpochDay(i * 331L - 5000),
      millis(i),
      time(i),
      time(i),
      millis(i).toInstant(java.time.ZoneOffset.UTC),
      time(i).toInstant(java.time.ZoneOffset.UTC),
      null,
      i % 4 == 0 ? List.of() : java.util.Arrays.asList("a" + i, null),
      Map.of("m" + i, List.of(i, -i)),
      RowFactory.create(
          new BigDecimal("-98765432109876.125"), time(i), List.of(LocalDate.ofEpochDay(-i)))
    };
  }

  private static Object[] reference(int i) {
    return new Object[] {
      i / 2,
      BinaryString.fromString("key-" + "k".repeat(i % 5) + i),
      i % 3 == 0,
      (byte) (i - 50),
      (short) (i * 300 - 9000),
      (long) i * 1_000_000_007L * (i % 2 == 0 ? 1 : -1),
      i * 0.5f - 3,
      i == 7 ? 0.0 : i * 1.25,
      i == 7 ? Double.NaN : i * 1.25,
      decimal(i, 9, 1, 0),
      decimal(i, 10, 9, 3),
      decimal(i, 11, 18, 2),
      decimal(i, 12, 20, 5),
      decimal(i, 13, 38, 10),
      BinaryString.fromString(name(i)),
      BinaryString.fromString("v" + i % 4),
      new byte[] {(byte) i, (byte) 0xff, 0},
      i * 331 - 5000,
      Timestamp.fromLocalDateTime(millis(i)),
      Timestamp.fromLocalDateTime(time(i)),
      Timestamp.fromLocalDateTime(time(i)),
      Timestamp.fromLocalDateTime(millis(i)),
      Timestamp.fromLocalDateTime(time(i)),
      null,
      new GenericArray(
          i % 4 == 0 ? new Object[0] : new Object[] {BinaryString.fromString("a" + i), null}),
      new GenericMap(
          Map.of(BinaryString.fromString("m" + i), new GenericArray(new Object[] {i, -i}))),
      GenericRow.of(
          Decimal.fromBigDecimal(new BigDecimal("-98765432109876.125"), 25, 3),
          Timestamp.fromLocalDateTime(time(i)),
          new GenericArray(new Object[] {-i}))
    };
  }

  private static Decimal decimal(int i, int column, int precision, int scale) {
    return Decimal.fromBigDecimal((BigDecimal) spark(i)[column], precision, scale);
  }

  /** Every tenth row is NULL wherever that is allowed. */
  private static Object[] withNulls(int i, Object[] values) {
    if (i % 10 == 3) {
      for (int c = 2; c < values.length; c++) {
        values[c] = null;
      }
    }
    return values;
  }

  private static List<Row> sparkRows() {
    return IntStream.range(0, 60).mapToObj(i -> RowFactory.create(withNulls(i, spark(i)))).toList();
  }

  private static List<InternalRow> referenceRows() {
    return IntStream.range(0, 60)
        .<InternalRow>mapToObj(i -> GenericRow.of(withNulls(i, reference(i))))
        .toList();
  }

  static Stream<Map<String, String>> modes() {
    return Stream.of(
        Map.of(),
        Map.of("metadata.stats-mode", "full"),
        Map.of("metadata.stats-mode", "counts"),
        Map.of("metadata.stats-mode", "none"),
        Map.of("metadata.stats-mode", "truncate(3)", "fields.c14.stats-mode", "none"),
        Map.of("metadata.stats-keep-first-n-columns", "5"),
        Map.of("metadata.stats-dense-store", "false", "fields.c5.stats-mode", "none"),
        Map.of("file.compression", "snappy", "file.parquet.delta-encoded-keys", "false"));
  }

  @ParameterizedTest
  @MethodSource("modes")
  void keyedTablesAgree(Map<String, String> options) throws Exception {
    assertAgreement(options, List.of("c1", "c0"), "1");
  }

  @Test
  void appendTablesAgree() throws Exception {
    assertAgreement(Map.of(), List.of(), "-1");
  }

  @Test
  void thinModeAgrees() throws Exception {
    assertAgreement(
        Map.of("data-file.thin-mode", "true", "metadata.stats-mode", "full"),
        List.of("c0", "c1"),
        "1");
  }

  private void assertAgreement(Map<String, String> options, List<String> keys, String bucket)
      throws Exception {
    Map<String, String> all =
        Stream.concat(options.entrySet().stream(), Map.of("bucket", bucket).entrySet().stream())
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    TableSchema schema = TestRows.schema(FIELDS, List.of(), keys, all);
    WriteTarget ours = WriteFixture.create(Files.createDirectories(folder.resolve("ours")), schema);
    WriteTarget theirs =
        WriteFixture.create(Files.createDirectories(folder.resolve("theirs")), schema);
    WriteFixture.append(ours, sparkRows(), 1);
    ReferenceTable.open(folder.resolve("theirs")).write(referenceRows());
    assertThat(ReferenceTable.open(folder.resolve("ours")).rows())
        .isEqualTo(ReferenceTable.open(folder.resolve("theirs")).rows());
    assertThat(comparable(ours)).isEqualTo(comparable(theirs));
  }

  /**
   * The value statistics column by column. Where ours are deliberately wider they are not compared:
   * a NaN among the values (c8) gives no bounds, zeroes (c7) become -0.0 and 0.0.
   */
  private static List<String> bounds(DataFile file) {
    List<String> names = file.valueStatsColumns();
    RowType type = RowType.of(FIELDS);
    RowType covered =
        RowType.of(
            (names == null ? type : type.project(names))
                .fields().stream().map(f -> f.withType(f.type().asNullable())).toList());
    BinaryRowCodec codec = BinaryRowCodec.of(covered);
    List<String> bounds = new ArrayList<>();
    for (int i = 0; i < covered.size(); i++) {
      if (covered.field(i).name().equals("c8")) {
        continue;
      }
      Object min = codec.value(file.valueStats().minValues(), i);
      bounds.add(
          covered.field(i).name()
              + " "
              + (Objects.equals(min, -0.0) ? Double.valueOf(0.0) : min)
              + " .. "
              + codec.value(file.valueStats().maxValues(), i)
              + ", NULLs "
              + file.valueStats().nullCounts().get(i));
    }
    return bounds;
  }

  private static List<List<Object>> comparable(WriteTarget target) {
    List<List<Object>> files = new ArrayList<>();
    for (ManifestEntry entry : WriteFixture.files(target)) {
      DataFile file = entry.file();
      List<Object> values = new ArrayList<>();
      values.add(entry.bucket());
      values.add(entry.totalBuckets());
      values.add(file.rowCount());
      values.add(file.minKey());
      values.add(file.maxKey());
      values.add(file.keyStats());
      values.add(file.valueStatsColumns());
      values.addAll(bounds(file));
      values.add(file.minSequenceNumber());
      values.add(file.maxSequenceNumber());
      values.add(file.level());
      values.add(file.deleteRowCount());
      values.add(file.source());
      values.add(file.schemaId());
      files.add(values);
    }
    return files;
  }
}
