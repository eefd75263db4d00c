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

package io.keylake.format.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.schema.JsonFile;
import io.keylake.format.snapshot.Statistics.ColumnValues;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a statistics file, one JSON object: {@code snapshotId}, {@code schemaId}, {@code
 * mergedRecordCount}, {@code mergedRecordSize}, {@code colStats} (by column name: {@code colId},
 * {@code distinctCount}, {@code min}, {@code max}, {@code nullCount}, {@code avgLen}, {@code
 * maxLen}).
 *
 * <p>Rule source: table format, statistics; pinned by {@code SnapshotStoreTest}.
 */
public final class StatisticsCodec {
  private static final String SNAPSHOT_ID = "snapshotId";
  private static final String SCHEMA_ID = "schemaId";
  private static final String RECORD_COUNT = "mergedRecordCount";
  private static final String RECORD_SIZE = "mergedRecordSize";
  private static final String COLUMNS = "colStats";
  private static final String COLUMN_ID = "colId";
  private static final String DISTINCT_COUNT = "distinctCount";
  private static final String MIN = "min";
  private static final String MAX = "max";
  private static final String NULL_COUNT = "nullCount";
  private static final String AVERAGE_LENGTH = "avgLen";
  private static final String MAX_LENGTH = "maxLen";

  private StatisticsCodec() {}

  /** The statistics in a file. */
  public static Statistics read(byte[] content, String path) {
    JsonFile json = JsonFile.parse(content, path);
    Map<String, ColumnValues> columns = new HashMap<>();
    JsonNode stored = json.node(COLUMNS);
    if (stored != null) {
      stored
          .properties()
          .forEach(entry -> columns.put(entry.getKey(), column(entry.getValue(), path)));
    }
    return new Statistics(
        json.requiredLong(SNAPSHOT_ID),
        json.requiredLong(SCHEMA_ID),
        json.optionalLong(RECORD_COUNT),
        json.optionalLong(RECORD_SIZE),
        columns);
  }

  private static ColumnValues column(JsonNode node, String path) {
    JsonFile json = JsonFile.of(node, path);
    return new ColumnValues(
        json.requiredInt(COLUMN_ID),
        json.optionalLong(DISTINCT_COUNT),
        json.optionalText(MIN),
        json.optionalText(MAX),
        json.optionalLong(NULL_COUNT),
        json.optionalLong(AVERAGE_LENGTH),
        json.optionalLong(MAX_LENGTH));
  }

  /** The file of statistics. */
  public static byte[] write(Statistics statistics) {
    ObjectNode json = JsonFile.newObject();
    json.put(SNAPSHOT_ID, statistics.snapshotId());
    json.put(SCHEMA_ID, statistics.schemaId());
    put(json, RECORD_COUNT, statistics.mergedRecordCount());
    put(json, RECORD_SIZE, statistics.mergedRecordSize());
    ObjectNode columns = json.putObject(COLUMNS);
    new TreeMap<>(statistics.columns())
        .forEach((name, values) -> write(columns.putObject(name), values));
    return JsonFile.write(json);
  }

  private static void write(ObjectNode json, ColumnValues values) {
    json.put(COLUMN_ID, values.columnId());
    put(json, DISTINCT_COUNT, values.distinctCount());
    if (values.min() != null) {
      json.put(MIN, values.min());
    }
    if (values.max() != null) {
      json.put(MAX, values.max());
    }
    put(json, NULL_COUNT, values.nullCount());
    put(json, AVERAGE_LENGTH, values.averageLength());
    put(json, MAX_LENGTH, values.maxLength());
  }

  private static void put(ObjectNode json, String key, @Nullable Long value) {
    if (value != null) {
      json.put(key, value);
    }
  }
}
