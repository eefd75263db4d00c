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

import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.index.IndexFile.GlobalIndex;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an index manifest: an Avro container with one record of version 1 per live index
 * file. Fields are found by name, unknown ones are skipped.
 *
 * <p>Rule source: table format, index manifest; pinned by {@code GoldenManifestTest}.
 */
public final class IndexManifestCodec {
  /** The version of the records. */
  static final int VERSION = 1;

  private IndexManifestCodec() {}

  /** The index files of a snapshot, in order. */
  public static List<IndexEntry> read(byte[] content, String path) {
    return AvroContainer.read(
        content, path, (schema, in) -> new IndexRecord().read(schema, in, path));
  }

  /** A manifest of these index files. */
  public static byte[] write(List<IndexEntry> entries, int zstdLevel) {
    boolean sourceMeta =
        entries.stream()
            .map(entry -> entry.file().globalIndex())
            .anyMatch(global -> global != null && global.sourceMeta() != null);
    AvroContainer.Writer<IndexEntry> writer =
        sourceMeta
            ? new AvroContainer.Writer<>(
                ManifestFields.INDEX_WITH_SOURCE_META,
                zstdLevel,
                IndexManifestCodec::writeWithSourceMeta)
            : new AvroContainer.Writer<>(
                ManifestFields.INDEX, zstdLevel, IndexManifestCodec::write);
    entries.forEach(writer::add);
    return writer.finish();
  }

  private static void writeWithSourceMeta(IndexEntry entry, Encoder out) throws IOException {
    write(entry, out);
    GlobalIndex global = entry.file().globalIndex();
    if (global != null) {
      AvroFields.nullable(global.sourceMeta(), out);
    }
  }

  private static void write(IndexEntry entry, Encoder out) throws IOException {
    IndexFile file = entry.file();
    out.writeInt(VERSION);
    out.writeInt(EntryKind.ADD.code());
    AvroFields.row(entry.partition(), out);
    out.writeInt(entry.bucket());
    out.writeString(file.type());
    out.writeString(file.name());
    out.writeLong(file.size());
    out.writeLong(file.rowCount());
    writeVectors(file.deletionVectors(), out);
    AvroFields.nullable(file.externalPath(), out);
    GlobalIndex global = file.globalIndex();
    out.writeIndex(global == null ? 0 : 1);
    if (global != null) {
      out.writeLong(global.rowRangeStart());
      out.writeLong(global.rowRangeEnd());
      out.writeInt(global.indexFieldId());
      AvroFields.nullableInts(global.extraFieldIds(), out);
      AvroFields.nullable(global.indexMeta(), out);
    }
  }

  private static void writeVectors(@Nullable List<DeletionVectorRef> vectors, Encoder out)
      throws IOException {
    out.writeIndex(vectors == null ? 0 : 1);
    if (vectors == null) {
      return;
    }
    out.writeArrayStart();
    out.setItemCount(vectors.size());
    for (DeletionVectorRef vector : vectors) {
      out.startItem();
      out.writeIndex(1);
      out.writeString(vector.dataFile());
      out.writeInt(vector.offset());
      out.writeInt(vector.length());
      AvroFields.nullable(vector.cardinality(), out);
    }
    out.writeArrayEnd();
  }

  private static final class IndexRecord {
    private BinaryRow partition = BinaryRow.EMPTY;
    private int bucket;
    private String type = "";
    private String name = "";
    private long size;
    private long rowCount;
    private @Nullable List<DeletionVectorRef> vectors;
    private @Nullable String externalPath;
    private @Nullable GlobalIndex globalIndex;

    IndexEntry read(Schema schema, AvroValues in, String path) throws IOException {
      for (Schema.Field field : schema.getFields()) {
        Schema fieldType = field.schema();
        switch (field.name()) {
          case ManifestFields.VERSION ->
              AvroContainer.checkVersion(in.intValue(fieldType), VERSION, path);
          case ManifestFields.KIND -> checkKind(in.intValue(fieldType));
          case ManifestFields.PARTITION -> partition = in.row(fieldType);
          case ManifestFields.BUCKET -> bucket = in.intValue(fieldType);
          case "_INDEX_TYPE" -> type = in.string(fieldType);
          case ManifestFields.FILE_NAME -> name = in.string(fieldType);
          case ManifestFields.FILE_SIZE -> size = in.longValue(fieldType);
          case ManifestFields.ROW_COUNT -> rowCount = in.longValue(fieldType);
          case "_DELETIONS_VECTORS_RANGES" -> vectors = vectors(fieldType, in);
          case ManifestFields.EXTERNAL_PATH -> externalPath = in.nullableString(fieldType);
          case "_GLOBAL_INDEX" -> globalIndex = globalIndex(fieldType, in);
          default -> in.skip(fieldType);
        }
      }
      if (name.isEmpty() || type.isEmpty()) {
        throw new IOException("A record has no file name or index type");
      }
      return new IndexEntry(
          partition,
          bucket,
          new IndexFile(type, name, size, rowCount, vectors, externalPath, globalIndex));
    }

    private static void checkKind(int kind) throws IOException {
      if (EntryKind.ofCode(kind) != EntryKind.ADD) {
        throw new IOException("An index manifest holds a record that removes a file");
      }
    }

    private static @Nullable List<DeletionVectorRef> vectors(Schema schema, AvroValues in)
        throws IOException {
      Schema array = in.present(schema);
      if (array == null) {
        return null;
      }
      List<DeletionVectorRef> read = new ArrayList<>();
      Decoder decoder = in.decoder();
      for (long n = decoder.readArrayStart(); n != 0; n = decoder.arrayNext()) {
        for (long i = 0; i < n; i++) {
          Schema element = in.present(array.getElementType());
          if (element != null) {
            read.add(vector(element, in));
          }
        }
      }
      return read;
    }

    private static DeletionVectorRef vector(Schema schema, AvroValues in) throws IOException {
      String dataFile = "";
      int offset = 0;
      int length = 0;
      Long cardinality = null;
      for (Schema.Field field : schema.getFields()) {
        switch (field.name()) {
          case "f0" -> dataFile = in.string(field.schema());
          case "f1" -> offset = in.intValue(field.schema());
          case "f2" -> length = in.intValue(field.schema());
          case "_CARDINALITY" -> cardinality = in.nullableLong(field.schema());
          default -> in.skip(field.schema());
        }
      }
      return new DeletionVectorRef(dataFile, offset, length, cardinality);
    }

    private static @Nullable GlobalIndex globalIndex(Schema schema, AvroValues in)
        throws IOException {
      Schema record = in.present(schema);
      if (record == null) {
        return null;
      }
      long start = 0;
      long end = 0;
      int fieldId = 0;
      List<Integer> extraFieldIds = null;
      Bytes indexMeta = null;
      Bytes sourceMeta = null;
      for (Schema.Field field : record.getFields()) {
        switch (field.name()) {
          case "_ROW_RANGE_START" -> start = in.longValue(field.schema());
          case "_ROW_RANGE_END" -> end = in.longValue(field.schema());
          case "_INDEX_FIELD_ID" -> fieldId = in.intValue(field.schema());
          case "_EXTRA_FIELD_IDS" -> extraFieldIds = in.nullableInts(field.schema());
          case "_INDEX_META" -> indexMeta = in.nullableBytes(field.schema());
          case "_SOURCE_META" -> sourceMeta = in.nullableBytes(field.schema());
          default -> in.skip(field.schema());
        }
      }
      return new GlobalIndex(start, end, fieldId, extraFieldIds, indexMeta, sourceMeta);
    }
  }
}
