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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.exec.vector.DecimalColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ListColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.TimestampColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowFileWritersTest {
  private static final RowType COLUMNS =
      RowType.of(
          List.of(
              DataField.of(0, "k", DataTypes.INT.asNotNull()),
              DataField.of(8, "c_dec5", DataTypes.decimal(5, 2)),
              DataField.of(18, "c_ts3", DataTypes.timestamp(3)),
              DataField.of(21, "c_ltz6", DataTypes.timestampLtz(6)),
              DataField.of(22, "c_arr", new ArrayType(DataTypes.INT, true)),
              DataField.of(24, "c_map", new MapType(DataTypes.STRING, DataTypes.BIGINT, true)),
              DataField.of(
                  25,
                  "c_mapn",
                  new MapType(
                      DataTypes.INT,
                      new ArrayType(
                          RowType.of(List.of(DataField.of(26, "x", DataTypes.INT))).asNullable(),
                          true),
                      true))));

  /**
   * The columns' part of the schema in golden table types_avro, which the reference implementation
   * 1.4.2 wrote.
   */
  private static final String AVRO_SCHEMA =
      "{\"type\":\"record\",\"name\":\"record\",\"namespace\":\"org.apache.paimon.avro.generated\",\"fields\":["
          + "{\"name\":\"k\",\"type\":\"int\"},"
          + "{\"name\":\"c_dec5\",\"type\":[\"null\",{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":5,\"scale\":2}],\"default\":null},"
          + "{\"name\":\"c_ts3\",\"type\":[\"null\",{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}],\"default\":null},"
          + "{\"name\":\"c_ltz6\",\"type\":[\"null\",{\"type\":\"long\",\"logicalType\":\"local-timestamp-micros\"}],\"default\":null},"
          + "{\"name\":\"c_arr\",\"type\":[\"null\",{\"type\":\"array\",\"items\":[\"null\",\"int\"]}],\"default\":null},"
          + "{\"name\":\"c_map\",\"type\":[\"null\",{\"type\":\"map\",\"values\":[\"null\",\"long\"]}],\"default\":null},"
          + "{\"name\":\"c_mapn\",\"type\":[\"null\",{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"record_c_mapn\",\"fields\":["
          + "{\"name\":\"key\",\"type\":[\"null\",\"int\"]},"
          + "{\"name\":\"value\",\"type\":[\"null\",{\"type\":\"array\",\"items\":[\"null\",{\"type\":\"record\",\"name\":\"record_c_mapn_value\",\"fields\":["
          + "{\"name\":\"x\",\"type\":[\"null\",\"int\"],\"default\":null}]}]}],\"default\":null}]},\"logicalType\":\"map\"}],\"default\":null}]}";

  private static final long BEFORE_EPOCH = -1_234_567L;

  private static List<InternalRow> rows() {
    return List.of(
        new GenericInternalRow(
            new Object[] {
              1,
              Decimal.apply(new BigDecimal("123.45"), 5, 2),
              BEFORE_EPOCH * 1000,
              BEFORE_EPOCH,
              new GenericArrayData(new Object[] {7, null}),
              new ArrayBasedMapData(
                  new GenericArrayData(new Object[] {UTF8String.fromString("a")}),
                  new GenericArrayData(new Object[] {5L})),
              new ArrayBasedMapData(
                  new GenericArrayData(new Object[] {3}),
                  new GenericArrayData(
                      new Object[] {
                        new GenericArrayData(
                            new Object[] {new GenericInternalRow(new Object[] {9}), null})
                      }))
            }),
        new GenericInternalRow(new Object[] {2, null, null, null, null, null, null}));
  }

  private static RowFileWriter.Columns columns(InternalRow row) {
    return new RowFileWriter.Columns() {
      @Override
      public SpecializedGetters getters(int index) {
        return row;
      }

      @Override
      public int ordinal(int index) {
        return index;
      }
    };
  }

  @Test
  void avroFileHasTheSchemaAndTheValuesOfTheFormat() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long length;
    try (AvroFileWriter writer = new AvroFileWriter(COLUMNS, "zstd", 1, bytes)) {
      for (InternalRow row : rows()) {
        writer.write(columns(row));
      }
      length = writer.finish();
    }
    assertThat(length).isEqualTo(bytes.size());
    List<GenericRecord> read = new ArrayList<>();
    try (DataFileStream<GenericRecord> stream =
        new DataFileStream<>(
            new ByteArrayInputStream(bytes.toByteArray()), new GenericDatumReader<>())) {
      assertThat(stream.getSchema().toString()).isEqualTo(AVRO_SCHEMA);
      assertThat(stream.getMetaString("avro.codec")).isEqualTo("zstandard");
      stream.forEach(read::add);
    }
    assertThat(read.get(0).get("c_ts3")).isEqualTo(BEFORE_EPOCH);
    assertThat(read.get(0).get("c_ltz6")).isEqualTo(BEFORE_EPOCH);
    assertThat(read.get(0).toString())
        .contains(
            "\"c_arr\": [7, null]",
            "\"c_map\": {\"a\": 5}",
            "{\"key\": 3, \"value\": [{\"x\": 9}, null]}");
    assertThat(read.get(1).get("c_mapn")).isNull();
  }

  @Test
  void orcFileHasTheIdsAndTheValuesOfTheFormat(@TempDir Path folder) throws IOException {
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(folder.resolve("f.orc").toString());
    Configuration configuration = new Configuration();
    try (OrcFileWriter writer = new OrcFileWriter(COLUMNS, "zstd", 1, configuration, file)) {
      for (InternalRow row : rows()) {
        writer.write(columns(row));
      }
      assertThat(writer.finish()).isPositive();
    }
    try (Reader reader =
        OrcFile.createReader(file, OrcFile.readerOptions(configuration).useUTCTimestamp(true))) {
      assertThat(reader.getSchema().toString())
          .isEqualTo(
              "struct<k:int,c_dec5:decimal(5,2),c_ts3:timestamp,c_ltz6:timestamp with local time"
                  + " zone,"
                  + "c_arr:array<int>,c_map:map<string,bigint>,c_mapn:map<int,array<struct<x:int>>>>");
      assertThat(reader.getSchema().findSubtype("c_mapn").getAttributeValue("paimon.id"))
          .isEqualTo("25");
      assertThat(reader.getSchema().findSubtype("c_mapn._key").getAttributeValue("paimon.id"))
          .isEqualTo(Integer.toString(536870911 - 1024 * 25 - 1));
      assertThat(
              reader.getSchema().findSubtype("c_mapn._value._elem").getAttributeValue("paimon.id"))
          .isEqualTo(Integer.toString(536870911 + 1024 * 25 + 2));
      assertThat(
              reader
                  .getSchema()
                  .findSubtype("c_mapn._value._elem.x")
                  .getAttributeValue("paimon.id"))
          .isEqualTo("26");
      VectorizedRowBatch batch = reader.getSchema().createRowBatch();
      try (RecordReader records = reader.rows()) {
        assertThat(records.nextBatch(batch)).isTrue();
      }
      assertThat(batch.size).isEqualTo(2);
      assertThat(((DecimalColumnVector) batch.cols[1]).vector[0].toString()).isEqualTo("123.45");
      assertThat(((TimestampColumnVector) batch.cols[2]).time[0]).isEqualTo(BEFORE_EPOCH);
      TimestampColumnVector instants = (TimestampColumnVector) batch.cols[3];
      assertThat(instants.time[0]).isEqualTo(-1235);
      assertThat(instants.nanos[0]).isEqualTo(765_433_000);
      ListColumnVector array = (ListColumnVector) batch.cols[4];
      assertThat(array.lengths[0]).isEqualTo(2);
      assertThat(((LongColumnVector) array.child).vector[0]).isEqualTo(7);
      assertThat(array.child.isNull[1]).isTrue();
      assertThat(batch.cols[6].isNull[1]).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1_000_001, -1_000_000, -999_001, 0, 1})
  void orcKeepsTimesAround1970(long micros, @TempDir Path folder) throws IOException {
    org.apache.hadoop.fs.Path file = writeTime(micros, folder);
    try (Reader reader =
            OrcFile.createReader(
                file, OrcFile.readerOptions(new Configuration()).useUTCTimestamp(true));
        RecordReader records = reader.rows()) {
      VectorizedRowBatch batch = reader.getSchema().createRowBatch();
      assertThat(records.nextBatch(batch)).isTrue();
      TimestampColumnVector times = (TimestampColumnVector) batch.cols[0];
      long seconds = Math.floorDiv(times.time[0], 1000L);
      assertThat(seconds * 1_000_000 + times.nanos[0] / 1000).isEqualTo(micros);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-999_000, -1})
  void orcRefusesTimesThatItWouldShift(long micros, @TempDir Path folder) {
    assertThatThrownBy(() -> writeTime(micros, folder))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("1969-12-31T23:59:59.")
        .hasMessageContaining("'file.format' = 'parquet'");
  }

  private static org.apache.hadoop.fs.Path writeTime(long micros, Path folder) throws IOException {
    RowType times = RowType.of(List.of(DataField.of(0, "t", DataTypes.timestamp(6))));
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(folder.resolve("t.orc").toString());
    try (OrcFileWriter writer = new OrcFileWriter(times, "zstd", 1, new Configuration(), file)) {
      writer.write(columns(new GenericInternalRow(new Object[] {micros})));
      writer.finish();
    }
    return file;
  }

  @Test
  void typesAndCodecsAFormatLacksAreRefusedByName(@TempDir Path folder) {
    RowType nanos =
        RowType.of(List.of(DataField.of(0, "precise", DataTypes.sized(TypeRoot.TIMESTAMP, 9))));
    assertThatThrownBy(() -> new AvroFileWriter(nanos, "zstd", 1, new ByteArrayOutputStream()))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("precise");
    RowType variant = RowType.of(List.of(DataField.of(0, "v", DataTypes.VARIANT)));
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(folder.resolve("v.orc").toString());
    assertThatThrownBy(() -> new OrcFileWriter(variant, "zstd", 1, new Configuration(), file))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("Column v");
    assertThatThrownBy(() -> new AvroFileWriter(COLUMNS, "lz9", 1, new ByteArrayOutputStream()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("lz9");
  }
}
