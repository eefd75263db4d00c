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

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.JsonFile;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a snapshot, tag or long-lived changelog: one JSON object. Keys in order: {@code
 * version} (3), {@code id}, {@code schemaId}, the manifest lists with their sizes, {@code
 * indexManifest}, {@code commitUser}, {@code commitIdentifier}, {@code commitKind}, {@code
 * timeMillis}, the record counts, {@code watermark}, {@code statistics}, {@code properties}, {@code
 * nextRowId}. Absent values are left out, unknown keys survive rewriting.
 *
 * <p>Rule source: table format, snapshot file; pinned by {@code SnapshotCodecTest}.
 */
public final class SnapshotCodec {
  private static final String VERSION = "version";
  private static final String ID = "id";
  private static final String SCHEMA_ID = "schemaId";
  private static final String BASE_LIST = "baseManifestList";
  private static final String BASE_LIST_SIZE = "baseManifestListSize";
  private static final String DELTA_LIST = "deltaManifestList";
  private static final String DELTA_LIST_SIZE = "deltaManifestListSize";
  private static final String CHANGELOG_LIST = "changelogManifestList";
  private static final String CHANGELOG_LIST_SIZE = "changelogManifestListSize";
  private static final String INDEX_MANIFEST = "indexManifest";
  private static final String COMMIT_USER = "commitUser";
  private static final String COMMIT_IDENTIFIER = "commitIdentifier";
  private static final String COMMIT_KIND = "commitKind";
  private static final String TIME_MILLIS = "timeMillis";
  private static final String TOTAL_RECORDS = "totalRecordCount";
  private static final String DELTA_RECORDS = "deltaRecordCount";
  private static final String CHANGELOG_RECORDS = "changelogRecordCount";
  private static final String WATERMARK = "watermark";
  private static final String STATISTICS = "statistics";
  private static final String PROPERTIES = "properties";
  private static final String NEXT_ROW_ID = "nextRowId";

  private static final Set<String> KNOWN =
      Set.of(
          VERSION,
          ID,
          SCHEMA_ID,
          BASE_LIST,
          BASE_LIST_SIZE,
          DELTA_LIST,
          DELTA_LIST_SIZE,
          CHANGELOG_LIST,
          CHANGELOG_LIST_SIZE,
          INDEX_MANIFEST,
          COMMIT_USER,
          COMMIT_IDENTIFIER,
          COMMIT_KIND,
          TIME_MILLIS,
          TOTAL_RECORDS,
          DELTA_RECORDS,
          CHANGELOG_RECORDS,
          WATERMARK,
          STATISTICS,
          PROPERTIES,
          NEXT_ROW_ID);

  private SnapshotCodec() {}

  /** The snapshot in a file. */
  public static Snapshot read(byte[] content, String path) {
    return read(JsonFile.parse(content, path), Set.of());
  }

  /** The snapshot in a file that has further keys of its own. */
  static Snapshot read(JsonFile json, Set<String> furtherKeys) {
    Set<String> known = new HashSet<>(KNOWN);
    known.addAll(furtherKeys);
    return new Snapshot(
        version(json),
        json.requiredLong(ID),
        json.requiredLong(SCHEMA_ID),
        json.requiredText(BASE_LIST),
        json.optionalLong(BASE_LIST_SIZE),
        json.requiredText(DELTA_LIST),
        json.optionalLong(DELTA_LIST_SIZE),
        json.optionalText(CHANGELOG_LIST),
        json.optionalLong(CHANGELOG_LIST_SIZE),
        json.optionalText(INDEX_MANIFEST),
        json.requiredText(COMMIT_USER),
        json.requiredLong(COMMIT_IDENTIFIER),
        commitKind(json),
        json.requiredLong(TIME_MILLIS),
        json.requiredLong(TOTAL_RECORDS),
        json.requiredLong(DELTA_RECORDS),
        json.optionalLong(CHANGELOG_RECORDS),
        json.optionalLong(WATERMARK),
        json.optionalText(STATISTICS),
        json.textMap(PROPERTIES),
        json.optionalLong(NEXT_ROW_ID),
        json.unknown(known));
  }

  private static int version(JsonFile json) {
    int version = json.requiredInt(VERSION);
    if (version != Snapshot.CURRENT_VERSION) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_FEATURE,
          "Cannot read %s: it has version %d, this reader knows version %d. Use a release that knows it."
              .formatted(json.path(), version, Snapshot.CURRENT_VERSION));
    }
    return version;
  }

  private static CommitKind commitKind(JsonFile json) {
    String name = json.requiredText(COMMIT_KIND);
    for (CommitKind kind : CommitKind.values()) {
      if (kind.name().equals(name.toUpperCase(Locale.ROOT))) {
        return kind;
      }
    }
    throw new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_FEATURE,
        "Cannot read %s: its commit kind %s is unknown. Use a release that knows it."
            .formatted(json.path(), name));
  }

  /** The file of a snapshot. */
  public static byte[] write(Snapshot snapshot) {
    return JsonFile.write(toJson(snapshot));
  }

  /** The snapshot as text, as {@link #write} stores it. */
  public static String toText(Snapshot snapshot) {
    return new String(write(snapshot), StandardCharsets.UTF_8);
  }

  static ObjectNode toJson(Snapshot snapshot) {
    ObjectNode json = JsonFile.newObject();
    json.put(VERSION, snapshot.version());
    json.put(ID, snapshot.id());
    json.put(SCHEMA_ID, snapshot.schemaId());
    json.put(BASE_LIST, snapshot.baseManifestList());
    put(json, BASE_LIST_SIZE, snapshot.baseManifestListSize());
    json.put(DELTA_LIST, snapshot.deltaManifestList());
    put(json, DELTA_LIST_SIZE, snapshot.deltaManifestListSize());
    put(json, CHANGELOG_LIST, snapshot.changelogManifestList());
    put(json, CHANGELOG_LIST_SIZE, snapshot.changelogManifestListSize());
    put(json, INDEX_MANIFEST, snapshot.indexManifest());
    json.put(COMMIT_USER, snapshot.commitUser());
    json.put(COMMIT_IDENTIFIER, snapshot.commitIdentifier());
    json.put(COMMIT_KIND, snapshot.commitKind().name());
    json.put(TIME_MILLIS, snapshot.timeMillis());
    json.put(TOTAL_RECORDS, snapshot.totalRecordCount());
    json.put(DELTA_RECORDS, snapshot.deltaRecordCount());
    put(json, CHANGELOG_RECORDS, snapshot.changelogRecordCount());
    put(json, WATERMARK, snapshot.watermark());
    put(json, STATISTICS, snapshot.statistics());
    if (!snapshot.properties().isEmpty()) {
      ObjectNode properties = json.putObject(PROPERTIES);
      new TreeMap<>(snapshot.properties()).forEach(properties::put);
    }
    put(json, NEXT_ROW_ID, snapshot.nextRowId());
    JsonFile.putUnknown(json, snapshot.unknown());
    return json;
  }

  private static void put(ObjectNode json, String key, @Nullable Long value) {
    if (value != null) {
      json.put(key, value);
    }
  }

  private static void put(ObjectNode json, String key, @Nullable String value) {
    if (value != null) {
      json.put(key, value);
    }
  }
}
