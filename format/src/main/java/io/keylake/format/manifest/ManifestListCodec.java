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

import io.keylake.format.stats.ColumnStats;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a manifest list: an Avro container with one record of version 2 per manifest, maybe
 * none. Fields are found by name, unknown ones are skipped.
 *
 * <p>Rule source: table format, manifest list record; pinned by {@code GoldenManifestTest}.
 */
public final class ManifestListCodec {
  /** The version of the records. */
  static final int VERSION = 2;

  private ManifestListCodec() {}

  /** The manifests of a list, in order. */
  public static List<ManifestFile> read(byte[] content, String path) {
    return AvroContainer.read(
        content, path, (schema, in) -> new ListRecord().read(schema, in, path));
  }

  /** A list of these manifests. */
  public static byte[] write(List<ManifestFile> manifests, int zstdLevel) {
    AvroContainer.Writer<ManifestFile> writer =
        new AvroContainer.Writer<>(ManifestFields.MANIFEST, zstdLevel, ManifestListCodec::write);
    manifests.forEach(writer::add);
    return writer.finish();
  }

  private static void write(ManifestFile manifest, Encoder out) throws IOException {
    out.writeInt(VERSION);
    out.writeString(manifest.name());
    out.writeLong(manifest.size());
    out.writeLong(manifest.addedFiles());
    out.writeLong(manifest.deletedFiles());
    AvroFields.stats(manifest.partitionStats(), out);
    out.writeLong(manifest.schemaId());
    AvroFields.nullable(manifest.minBucket(), out);
    AvroFields.nullable(manifest.maxBucket(), out);
    AvroFields.nullable(manifest.minLevel(), out);
    AvroFields.nullable(manifest.maxLevel(), out);
    AvroFields.nullable(manifest.minRowId(), out);
    AvroFields.nullable(manifest.maxRowId(), out);
  }

  private static final class ListRecord {
    private String name = "";
    private long size;
    private long added;
    private long deleted;
    private ColumnStats partitionStats = ColumnStats.EMPTY;
    private long schemaId;
    private @Nullable Integer minBucket;
    private @Nullable Integer maxBucket;
    private @Nullable Integer minLevel;
    private @Nullable Integer maxLevel;
    private @Nullable Long minRowId;
    private @Nullable Long maxRowId;

    ManifestFile read(Schema schema, AvroValues in, String path) throws IOException {
      for (Schema.Field field : schema.getFields()) {
        Schema type = field.schema();
        if (readBounds(field, in)) {
          continue;
        }
        switch (field.name()) {
          case ManifestFields.VERSION ->
              AvroContainer.checkVersion(in.intValue(type), VERSION, path);
          case ManifestFields.FILE_NAME -> name = in.string(type);
          case ManifestFields.FILE_SIZE -> size = in.longValue(type);
          case "_NUM_ADDED_FILES" -> added = in.longValue(type);
          case "_NUM_DELETED_FILES" -> deleted = in.longValue(type);
          case "_PARTITION_STATS" -> partitionStats = in.stats(type);
          case ManifestFields.SCHEMA_ID -> schemaId = in.longValue(type);
          default -> in.skip(type);
        }
      }
      if (name.isEmpty()) {
        throw new IOException("A record has no " + ManifestFields.FILE_NAME);
      }
      return new ManifestFile(
          name,
          size,
          added,
          deleted,
          partitionStats,
          schemaId,
          minBucket,
          maxBucket,
          minLevel,
          maxLevel,
          minRowId,
          maxRowId);
    }

    private boolean readBounds(Schema.Field field, AvroValues in) throws IOException {
      Schema type = field.schema();
      switch (field.name()) {
        case "_MIN_BUCKET" -> minBucket = in.nullableInt(type);
        case "_MAX_BUCKET" -> maxBucket = in.nullableInt(type);
        case "_MIN_LEVEL" -> minLevel = in.nullableInt(type);
        case "_MAX_LEVEL" -> maxLevel = in.nullableInt(type);
        case "_MIN_ROW_ID" -> minRowId = in.nullableLong(type);
        case "_MAX_ROW_ID" -> maxRowId = in.nullableLong(type);
        default -> {
          return false;
        }
      }
      return true;
    }
  }
}
