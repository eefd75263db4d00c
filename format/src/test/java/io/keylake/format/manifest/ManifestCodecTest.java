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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Bytes;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

final class ManifestCodecTest {
  private static final BinaryRow ROW =
      BinaryRowCodec.of(RowType.of(List.of(DataField.of(0, "a", DataTypes.INT))))
          .encode(List.of(7));

  private static ManifestEntry full() {
    ColumnStats stats = new ColumnStats(ROW, ROW, Arrays.asList(null, 5L));
    DataFile file =
        new DataFile(
            "data-1.parquet",
            1L << 40,
            9,
            ROW,
            ROW,
            stats,
            stats,
            -1,
            Long.MAX_VALUE,
            3,
            5,
            List.of("x.index", "y"),
            1_700_000_000_000L,
            null,
            Bytes.copyOf(new byte[] {1, -2}),
            FileSource.COMPACT,
            List.of("a", "b"),
            "s3://b/data-1.parquet",
            17L,
            List.of());
    return new ManifestEntry(EntryKind.DELETE, ROW, -2, -1, file);
  }

  @Test
  void everyFieldSurvives() {
    byte[] written = ManifestCodec.write(List.of(full()), 1);

    assertThat(ManifestCodec.read(written, "manifest-1")).containsExactly(full());
  }

  @Test
  void fieldsAreFoundByNameInAnyOrderAndCodec() throws IOException {
    Schema file =
        SchemaBuilder.record("other_file")
            .fields()
            .name("_LEVEL")
            .type()
            .longType()
            .noDefault()
            .requiredString("_FILE_NAME")
            .requiredString("_NEW_FIELD")
            .requiredInt("_ROW_COUNT")
            .endRecord();
    Schema schema =
        SchemaBuilder.record("other")
            .fields()
            .name("_FILE")
            .type(file)
            .noDefault()
            .requiredInt("_TOTAL_BUCKETS")
            .requiredInt("_BUCKET")
            .requiredBytes("_PARTITION")
            .optionalInt("_KIND")
            .requiredInt("_VERSION")
            .endRecord();
    GenericRecord stored = new GenericData.Record(schema);
    GenericRecord storedFile = new GenericData.Record(file);
    storedFile.put("_LEVEL", 4L);
    storedFile.put("_FILE_NAME", "data-1.orc");
    storedFile.put("_NEW_FIELD", "skipped");
    storedFile.put("_ROW_COUNT", 12);
    stored.put("_FILE", storedFile);
    stored.put("_TOTAL_BUCKETS", 8);
    stored.put("_BUCKET", 6);
    stored.put("_PARTITION", ByteBuffer.wrap(BinaryRowCodec.serialize(ROW)));
    stored.put("_KIND", 0);
    stored.put("_VERSION", 2);
    byte[] content = container(schema, stored, CodecFactory.deflateCodec(6));

    List<ManifestEntry> read = ManifestCodec.read(content, "manifest-1");

    assertThat(read).hasSize(1);
    ManifestEntry entry = read.get(0);
    assertThat(entry.kind()).isEqualTo(EntryKind.ADD);
    assertThat(entry.partition()).isEqualTo(ROW);
    assertThat(entry.bucket()).isEqualTo(6);
    assertThat(entry.totalBuckets()).isEqualTo(8);
    assertThat(entry.file().name()).isEqualTo("data-1.orc");
    assertThat(entry.file().level()).isEqualTo(4);
    assertThat(entry.file().rowCount()).isEqualTo(12);
    assertThat(entry.file().deleteRowCount()).isNull();
    assertThat(entry.file().keyStats()).isEqualTo(ColumnStats.EMPTY);
  }

  @Test
  void otherRecordVersionsAreRefused() throws IOException {
    Schema schema = SchemaBuilder.record("record").fields().requiredInt("_VERSION").endRecord();
    GenericRecord stored = new GenericData.Record(schema);
    stored.put("_VERSION", 3);
    byte[] content = container(schema, stored, CodecFactory.nullCodec());

    for (Runnable read :
        List.<Runnable>of(
            () -> ManifestCodec.read(content, "/t/m-1"),
            () -> ManifestListCodec.read(content, "/t/m-1"),
            () -> IndexManifestCodec.read(content, "/t/m-1"))) {
      assertThatThrownBy(read::run)
          .isInstanceOf(UnsupportedTableException.class)
          .hasMessageContaining("/t/m-1")
          .hasMessageContaining("version 3");
    }
  }

  @Test
  void damageNamesTheFile() {
    byte[] written = ManifestCodec.write(List.of(full(), full()), 1);
    byte[] noAvro = {1, 2, 3};
    byte[] cut = Arrays.copyOf(written, written.length - 20);

    for (byte[] content : List.of(noAvro, cut)) {
      assertThatThrownBy(() -> ManifestCodec.read(content, "/t/manifest/manifest-1"))
          .isInstanceOf(CorruptTableException.class)
          .hasMessageContaining("/t/manifest/manifest-1");
    }
  }

  @Test
  void globalIndexesAreCarriedAlong() {
    IndexEntry old = index(null);
    IndexEntry newer = index(Bytes.copyOf(new byte[] {3}));

    assertThat(IndexManifestCodec.read(IndexManifestCodec.write(List.of(old), 1), "i"))
        .containsExactly(old);
    assertThat(IndexManifestCodec.read(IndexManifestCodec.write(List.of(newer, old), 1), "i"))
        .containsExactly(newer, old);
  }

  private static IndexEntry index(Bytes sourceMeta) {
    IndexFile.GlobalIndex global =
        new IndexFile.GlobalIndex(1, 9, 4, List.of(5, 6), Bytes.copyOf(new byte[] {8}), sourceMeta);
    return new IndexEntry(
        ROW, 0, new IndexFile("btree", "index-1", 10, 20, null, "s3://b/index-1", global));
  }

  private static byte[] container(Schema schema, GenericRecord record, CodecFactory codec)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<GenericRecord>(schema))) {
      writer.setCodec(codec).create(schema, out);
      writer.append(record);
    }
    return out.toByteArray();
  }
}
