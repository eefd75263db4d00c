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

package io.keylake.spark.metadata;

import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The metadata tables of files and of what lists them: their columns in order.
 *
 * <p>Rule source: table format, system tables; observed of the reference implementation 1.4.2: keys
 * and statistics in raw form, statistics by the columns of the pinned schema. Pinned by {@code
 * MetadataTablesOracleTest}.
 */
final class FileTables {
  private static final DataType VECTOR_RANGES =
      DataTypes.createArrayType(
          StructType.fromDDL(
              "f0 STRING NOT NULL, f1 INT NOT NULL, f2 INT NOT NULL, _CARDINALITY" + " BIGINT"));

  private FileTables() {}

  static List<MetadataField<LiveFile>> files(MetadataSource source) {
    StatsText stats = new StatsText(source);
    List<MetadataField<LiveFile>> fields = new ArrayList<>(places(source));
    fields.add(MetadataField.text("null_value_counts", live -> stats.nullCounts(live.file())));
    fields.add(MetadataField.text("min_value_stats", live -> stats.minimums(live.file())));
    fields.add(MetadataField.text("max_value_stats", live -> stats.maximums(live.file())));
    fields.add(
        MetadataField.optionalNumber(
            "min_sequence_number", live -> live.file().minSequenceNumber()));
    fields.add(
        MetadataField.optionalNumber(
            "max_sequence_number", live -> live.file().maxSequenceNumber()));
    fields.add(MetadataField.localTime("creation_time", live -> live.file().creationTimeMillis()));
    fields.add(
        MetadataField.optionalNumber("deleteRowCount", live -> live.file().deleteRowCount()));
    fields.add(
        MetadataField.optionalText(
            "file_source",
            live -> live.file().source() == null ? null : live.file().source().name()));
    fields.add(MetadataField.optionalNumber("first_row_id", live -> live.file().firstRowId()));
    fields.add(
        MetadataField.other(
            "write_cols",
            DataTypes.createArrayType(DataTypes.StringType),
            live -> texts(live.file().writeColumns())));
    return fields;
  }

  static List<MetadataField<LiveFile>> keyRanges(MetadataSource source) {
    List<MetadataField<LiveFile>> fields = new ArrayList<>(places(source));
    fields.add(MetadataField.optionalNumber("first_row_id", live -> live.file().firstRowId()));
    return fields;
  }

  /** The columns that both tables of files begin with. */
  private static List<MetadataField<LiveFile>> places(MetadataSource source) {
    RowType partition = source.schema().partitionType();
    RowType key = source.schema().keyType();
    boolean keyed = source.schema().hasPrimaryKey();
    return List.of(
        MetadataField.optionalText(
            "partition", live -> MetadataText.partition(live.partition(), partition)),
        MetadataField.integer("bucket", LiveFile::bucket),
        MetadataField.text("file_path", LiveFile::path),
        MetadataField.text("file_format", live -> live.file().formatIdentifier()),
        MetadataField.number("schema_id", live -> live.file().schemaId()),
        MetadataField.integer("level", live -> live.file().level()),
        MetadataField.number("record_count", live -> live.file().rowCount()),
        MetadataField.number("file_size_in_bytes", live -> live.file().size()),
        MetadataField.optionalText(
            "min_key", live -> keyed ? MetadataText.key(live.file().minKey(), key) : null),
        MetadataField.optionalText(
            "max_key", live -> keyed ? MetadataText.key(live.file().maxKey(), key) : null));
  }

  private static @Nullable GenericArrayData texts(@Nullable List<String> values) {
    return values == null
        ? null
        : new GenericArrayData(values.stream().map(UTF8String::fromString).toArray());
  }

  static List<MetadataField<ManifestFile>> manifests(RowType partition) {
    Function<io.keylake.format.row.BinaryRow, @Nullable String> bounds =
        row -> row.arity() == partition.size() ? MetadataText.partition(row, partition) : null;
    return List.of(
        MetadataField.text("file_name", ManifestFile::name),
        MetadataField.number("file_size", ManifestFile::size),
        MetadataField.number("num_added_files", ManifestFile::addedFiles),
        MetadataField.number("num_deleted_files", ManifestFile::deletedFiles),
        MetadataField.number("schema_id", ManifestFile::schemaId),
        MetadataField.optionalText(
            "min_partition_stats", file -> bounds.apply(file.partitionStats().minValues())),
        MetadataField.optionalText(
            "max_partition_stats", file -> bounds.apply(file.partitionStats().maxValues())),
        MetadataField.optionalNumber("min_row_id", ManifestFile::minRowId),
        MetadataField.optionalNumber("max_row_id", ManifestFile::maxRowId));
  }

  static List<MetadataField<FileGroup>> partitions(RowType partition, String defaultName) {
    return List.of(
        MetadataField.optionalText(
            "partition", group -> MetadataText.path(group.partition(), partition, defaultName)),
        MetadataField.number("record_count", FileGroup::rows),
        MetadataField.number("file_size_in_bytes", FileGroup::bytes),
        MetadataField.number("file_count", FileGroup::files),
        MetadataField.localTime("last_update_time", FileGroup::lastCreation),
        MetadataField.localTime("created_at", group -> null),
        MetadataField.optionalText("created_by", group -> null),
        MetadataField.optionalText("updated_by", group -> null),
        MetadataField.optionalText("options", group -> null));
  }

  static List<MetadataField<FileGroup>> buckets(RowType partition) {
    return List.of(
        MetadataField.optionalText(
            "partition", group -> MetadataText.partition(group.partition(), partition)),
        MetadataField.integer("bucket", FileGroup::bucket),
        MetadataField.number("record_count", FileGroup::rows),
        MetadataField.number("file_size_in_bytes", FileGroup::bytes),
        MetadataField.number("file_count", FileGroup::files),
        MetadataField.localTime("last_update_time", FileGroup::lastCreation));
  }

  static List<MetadataField<IndexEntry>> indexes(RowType partition) {
    return List.of(
        MetadataField.optionalText(
            "partition", index -> MetadataText.partition(index.partition(), partition)),
        MetadataField.integer("bucket", IndexEntry::bucket),
        MetadataField.text("index_type", index -> index.file().type()),
        MetadataField.text("file_name", index -> index.file().name()),
        MetadataField.number("file_size", index -> index.file().size()),
        MetadataField.number("row_count", index -> index.file().rowCount()),
        MetadataField.other(
            "dv_ranges", VECTOR_RANGES, index -> ranges(index.file().deletionVectors())));
  }

  private static @Nullable GenericArrayData ranges(@Nullable List<DeletionVectorRef> vectors) {
    if (vectors == null) {
      return null;
    }
    return new GenericArrayData(
        vectors.stream()
            .map(
                vector ->
                    new GenericInternalRow(
                        new Object[] {
                          UTF8String.fromString(vector.dataFile()),
                          vector.offset(),
                          vector.length(),
                          vector.cardinality()
                        }))
            .toArray());
  }
}
