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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.schema.SchemaCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.BranchStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Statistics;
import io.keylake.format.snapshot.Tag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The metadata tables of versions and of what names them: their columns in order.
 *
 * <p>Rule source: table format, system tables. Pinned by {@code MetadataTablesOracleTest}.
 */
final class HistoryTables {
  private static final ObjectMapper JSON = new ObjectMapper();

  private HistoryTables() {}

  static List<MetadataField<Snapshot>> snapshots() {
    return List.of(
        MetadataField.number("snapshot_id", Snapshot::id),
        MetadataField.number("schema_id", Snapshot::schemaId),
        MetadataField.text("commit_user", Snapshot::commitUser),
        MetadataField.number("commit_identifier", Snapshot::commitIdentifier),
        MetadataField.text("commit_kind", snapshot -> snapshot.commitKind().name()),
        MetadataField.instant("commit_time", Snapshot::timeMillis),
        MetadataField.text("base_manifest_list", Snapshot::baseManifestList),
        MetadataField.text("delta_manifest_list", Snapshot::deltaManifestList),
        MetadataField.optionalText("changelog_manifest_list", Snapshot::changelogManifestList),
        MetadataField.optionalNumber("total_record_count", Snapshot::totalRecordCount),
        MetadataField.optionalNumber("delta_record_count", Snapshot::deltaRecordCount),
        MetadataField.optionalNumber("changelog_record_count", Snapshot::changelogRecordCount),
        MetadataField.optionalNumber("watermark", Snapshot::watermark),
        MetadataField.optionalNumber("next_row_id", Snapshot::nextRowId));
  }

  static List<MetadataField<TableSchema>> schemas() {
    return List.of(
        MetadataField.number("schema_id", TableSchema::id),
        MetadataField.text("fields", HistoryTables::fieldsJson),
        MetadataField.text("partition_keys", schema -> array(schema.partitionKeys())),
        MetadataField.text("primary_keys", schema -> array(schema.primaryKeys())),
        MetadataField.text("options", schema -> object(schema.options())),
        MetadataField.optionalText("comment", TableSchema::comment),
        MetadataField.instant("update_time", TableSchema::timeMillis));
  }

  /** The columns as the schema file has them, without blanks. */
  private static String fieldsJson(TableSchema schema) {
    try {
      JsonNode file = JSON.readTree(SchemaCodec.write(schema));
      return file.get("fields").toString();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot print schema " + schema.id(), e);
    }
  }

  private static String array(List<String> values) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    values.forEach(array::add);
    return array.toString();
  }

  private static String object(Map<String, String> values) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    new TreeMap<>(values).forEach(object::put);
    return object.toString();
  }

  static List<MetadataField<Map.Entry<String, String>>> options() {
    return List.of(
        MetadataField.text("key", Map.Entry::getKey),
        MetadataField.text("value", Map.Entry::getValue));
  }

  static List<MetadataField<Tag>> tags() {
    return List.of(
        MetadataField.text("tag_name", Tag::name),
        MetadataField.number("snapshot_id", tag -> tag.snapshot().id()),
        MetadataField.number("schema_id", tag -> tag.snapshot().schemaId()),
        MetadataField.instant("commit_time", tag -> tag.snapshot().timeMillis()),
        MetadataField.optionalNumber("record_count", tag -> tag.snapshot().totalRecordCount()),
        MetadataField.localTime("create_time", tag -> millisAsUtc(tag.createTime())),
        MetadataField.optionalText(
            "time_retained",
            tag -> tag.timeRetained() == null ? null : tag.timeRetained().toString()));
  }

  private static @Nullable Long millisAsUtc(@Nullable LocalDateTime time) {
    return time == null ? null : time.toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  static List<MetadataField<BranchStore.Branch>> branches() {
    return List.of(
        MetadataField.text("branch_name", BranchStore.Branch::name),
        MetadataField.instant("create_time", BranchStore.Branch::changedMillis));
  }

  static List<MetadataField<Map.Entry<String, Long>>> consumers() {
    return List.of(
        MetadataField.text("consumer_id", Map.Entry::getKey),
        MetadataField.number("next_snapshot_id", Map.Entry::getValue));
  }

  static List<MetadataField<Statistics>> statistics() {
    return List.of(
        MetadataField.number("snapshot_id", Statistics::snapshotId),
        MetadataField.number("schema_id", Statistics::schemaId),
        MetadataField.optionalNumber("mergedRecordCount", Statistics::mergedRecordCount),
        MetadataField.optionalNumber("mergedRecordSize", Statistics::mergedRecordSize),
        MetadataField.optionalText("colstat", HistoryTables::columnStatistics));
  }

  private static @Nullable String columnStatistics(Statistics statistics) {
    if (statistics.columns().isEmpty()) {
      return null;
    }
    ObjectNode columns = JsonNodeFactory.instance.objectNode();
    new TreeMap<>(statistics.columns())
        .forEach(
            (name, values) -> {
              ObjectNode column = columns.putObject(name);
              column.put("colId", values.columnId());
              put(column, "distinctCount", values.distinctCount());
              put(column, "min", values.min());
              put(column, "max", values.max());
              put(column, "nullCount", values.nullCount());
              put(column, "avgLen", values.averageLength());
              put(column, "maxLen", values.maxLength());
            });
    return columns.toString();
  }

  private static void put(ObjectNode object, String key, @Nullable Long value) {
    if (value != null) {
      object.put(key, value);
    }
  }

  private static void put(ObjectNode object, String key, @Nullable String value) {
    if (value != null) {
      object.put(key, value);
    }
  }
}
