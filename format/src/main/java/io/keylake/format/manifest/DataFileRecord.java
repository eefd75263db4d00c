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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.Bytes;
import io.keylake.format.stats.ColumnStats;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * The record {@code _FILE} of a manifest entry, field by field. One instance is filled anew for
 * each record of a file; not for use by several threads.
 *
 * <p>Rule source: table format, manifest file record; pinned by {@code GoldenManifestTest}.
 */
final class DataFileRecord {
  private String name = "";
  private long size;
  private long rowCount;
  private BinaryRow minKey = BinaryRow.EMPTY;
  private BinaryRow maxKey = BinaryRow.EMPTY;
  private ColumnStats keyStats = ColumnStats.EMPTY;
  private ColumnStats valueStats = ColumnStats.EMPTY;
  private long minSequenceNumber;
  private long maxSequenceNumber;
  private long schemaId;
  private int level;
  private List<String> extraFiles = List.of();
  private @Nullable Long creationTimeMillis;
  private @Nullable Long deleteRowCount;
  private @Nullable Bytes embeddedIndex;
  private @Nullable Integer source;
  private @Nullable List<String> valueStatsColumns;
  private @Nullable String externalPath;
  private @Nullable Long firstRowId;
  private @Nullable List<String> writeColumns;

  /** Reads the fields in the writer's order; absent nullable ones are null. */
  void read(Schema schema, AvroValues in, StatsProjection stats) throws IOException {
    clearNullable();
    for (Schema.Field field : schema.getFields()) {
      if (!readIdentity(field, in) && !readContent(field, in, stats)) {
        in.skip(field.schema());
      }
    }
    if (stats == StatsProjection.SKIP) {
      valueStatsColumns = List.of();
    }
  }

  private void clearNullable() {
    name = "";
    extraFiles = List.of();
    creationTimeMillis = null;
    deleteRowCount = null;
    embeddedIndex = null;
    source = null;
    valueStatsColumns = null;
    externalPath = null;
    firstRowId = null;
    writeColumns = null;
    keyStats = ColumnStats.EMPTY;
    valueStats = ColumnStats.EMPTY;
  }

  private boolean readIdentity(Schema.Field field, AvroValues in) throws IOException {
    Schema type = field.schema();
    switch (field.name()) {
      case ManifestFields.FILE_NAME -> name = in.string(type);
      case ManifestFields.FILE_SIZE -> size = in.longValue(type);
      case ManifestFields.ROW_COUNT -> rowCount = in.longValue(type);
      case ManifestFields.SCHEMA_ID -> schemaId = in.longValue(type);
      case "_LEVEL" -> level = in.intValue(type);
      case "_EXTRA_FILES" -> extraFiles = in.strings(type);
      case "_CREATION_TIME" -> creationTimeMillis = in.nullableLong(type);
      case "_FILE_SOURCE" -> source = in.nullableInt(type);
      case ManifestFields.EXTERNAL_PATH -> externalPath = in.nullableString(type);
      case "_FIRST_ROW_ID" -> firstRowId = in.nullableLong(type);
      case "_WRITE_COLS" -> writeColumns = in.nullableStrings(type);
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean readContent(Schema.Field field, AvroValues in, StatsProjection stats)
      throws IOException {
    Schema type = field.schema();
    boolean keep = stats == StatsProjection.KEEP;
    switch (field.name()) {
      case "_MIN_KEY" -> minKey = in.row(type);
      case "_MAX_KEY" -> maxKey = in.row(type);
      case "_MIN_SEQUENCE_NUMBER" -> minSequenceNumber = in.longValue(type);
      case "_MAX_SEQUENCE_NUMBER" -> maxSequenceNumber = in.longValue(type);
      case "_DELETE_ROW_COUNT" -> deleteRowCount = in.nullableLong(type);
      case "_EMBEDDED_FILE_INDEX" -> embeddedIndex = in.nullableBytes(type);
      case "_KEY_STATS" -> {
        if (keep) {
          keyStats = in.stats(type);
        } else {
          in.skip(type);
        }
      }
      case "_VALUE_STATS" -> {
        if (keep) {
          valueStats = in.stats(type);
        } else {
          in.skip(type);
        }
      }
      case "_VALUE_STATS_COLS" -> valueStatsColumns = in.nullableStrings(type);
      default -> {
        return false;
      }
    }
    return true;
  }

  int level() {
    return level;
  }

  DataFile toDataFile() throws IOException {
    if (name.isEmpty()) {
      throw new IOException("A record has no " + ManifestFields.FILE_NAME);
    }
    return new DataFile(
        name,
        size,
        rowCount,
        minKey,
        maxKey,
        keyStats,
        valueStats,
        minSequenceNumber,
        maxSequenceNumber,
        schemaId,
        level,
        extraFiles,
        creationTimeMillis,
        deleteRowCount,
        embeddedIndex,
        source == null ? null : FileSource.ofCode(source),
        valueStatsColumns,
        externalPath,
        firstRowId,
        writeColumns);
  }

  /** Writes the fields in the format's order. */
  static void write(DataFile file, Encoder out) throws IOException {
    out.writeString(file.name());
    out.writeLong(file.size());
    out.writeLong(file.rowCount());
    AvroFields.row(file.minKey(), out);
    AvroFields.row(file.maxKey(), out);
    AvroFields.stats(file.keyStats(), out);
    AvroFields.stats(file.valueStats(), out);
    out.writeLong(file.minSequenceNumber());
    out.writeLong(file.maxSequenceNumber());
    out.writeLong(file.schemaId());
    out.writeInt(file.level());
    AvroFields.strings(file.extraFiles(), out);
    AvroFields.nullable(file.creationTimeMillis(), out);
    AvroFields.nullable(file.deleteRowCount(), out);
    AvroFields.nullable(file.embeddedIndex(), out);
    FileSource source = file.source();
    AvroFields.nullable(source == null ? null : Integer.valueOf(source.code()), out);
    AvroFields.nullableStrings(file.valueStatsColumns(), out);
    AvroFields.nullable(file.externalPath(), out);
    AvroFields.nullable(file.firstRowId(), out);
    AvroFields.nullableStrings(file.writeColumns(), out);
  }
}
