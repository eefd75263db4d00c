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

package io.keylake.format.schema;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.DataField;
import io.keylake.format.types.FieldIds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Schema files. Stored keys: {@code version} (int, 3; absent = 1), {@code id} (long), {@code
 * fields} (array of objects, see {@link FieldJson}), {@code highestFieldId} (int), {@code
 * partitionKeys} and {@code primaryKeys} (arrays of text), {@code options} (object of texts),
 * {@code comment} (text, optional), {@code timeMillis} (long, absent = 0). Unknown keys survive
 * rewriting, those of nested fields too.
 *
 * <ol>
 *   <li>Files of version 1 without the option {@code bucket} mean {@code bucket}=1; files of
 *       version 1 and 2 without {@code file.format} mean {@code file.format}=orc.
 *   <li>Files of a later version are refused.
 * </ol>
 *
 * Rule source: table format, schema files. Pinned by {@code SchemaCodecTest}.
 */
public final class SchemaCodec {
  private static final String VERSION = "version";
  private static final String ID = "id";
  private static final String FIELDS = "fields";
  private static final String HIGHEST_FIELD_ID = "highestFieldId";
  private static final String PARTITION_KEYS = "partitionKeys";
  private static final String PRIMARY_KEYS = "primaryKeys";
  private static final String OPTIONS = "options";
  private static final String COMMENT = "comment";
  private static final String TIME_MILLIS = "timeMillis";
  private static final Set<String> KNOWN =
      Set.of(
          VERSION,
          ID,
          FIELDS,
          HIGHEST_FIELD_ID,
          PARTITION_KEYS,
          PRIMARY_KEYS,
          OPTIONS,
          COMMENT,
          TIME_MILLIS);

  private static final int FIRST_VERSION = 1;
  private static final int LAST_VERSION_WITH_ORC = 2;

  private SchemaCodec() {}

  /**
   * The schema in a file; {@code path} is for messages.
   *
   * @throws io.keylake.format.errors.CorruptTableException when it is none
   * @throws UnsupportedTableException when it has a version or a type that this version does not
   *     know
   */
  public static TableSchema read(byte[] content, String path) {
    JsonFile json = JsonFile.parse(content, path);
    int version = version(json);
    FieldJson fieldJson = new FieldJson(path);
    List<DataField> fields = fieldJson.read(json.array(FIELDS));
    Map<String, String> unknown = new HashMap<>(json.unknown(KNOWN).json());
    unknown.putAll(fieldJson.unknown());
    TableSchema schema =
        new TableSchema(
            version,
            json.requiredLong(ID),
            fields,
            highestFieldId(json, fields),
            json.texts(PARTITION_KEYS),
            json.texts(PRIMARY_KEYS),
            options(version, json.textMap(OPTIONS)),
            json.optionalText(COMMENT),
            orZero(json.optionalLong(TIME_MILLIS)),
            new UnknownKeys(unknown));
    check(schema, path);
    return schema;
  }

  private static int version(JsonFile json) {
    if (json.node(VERSION) == null) {
      return FIRST_VERSION;
    }
    int version = json.requiredInt(VERSION);
    if (version < FIRST_VERSION || version > TableSchema.CURRENT_VERSION) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_FEATURE,
          "Cannot read %s: it has version %d, this version of Keylake knows up to %d. Use a newer one."
              .formatted(json.path(), version, TableSchema.CURRENT_VERSION));
    }
    return version;
  }

  private static int highestFieldId(JsonFile json, List<DataField> fields) {
    return json.node(HIGHEST_FIELD_ID) == null
        ? FieldIds.highestOf(fields)
        : json.requiredInt(HIGHEST_FIELD_ID);
  }

  private static Map<String, String> options(int version, Map<String, String> stored) {
    Map<String, String> options = new HashMap<>(stored);
    if (version == FIRST_VERSION) {
      options.putIfAbsent("bucket", "1");
    }
    if (version <= LAST_VERSION_WITH_ORC) {
      options.putIfAbsent("file.format", "orc");
    }
    return options;
  }

  private static long orZero(@Nullable Long value) {
    return value == null ? 0 : value;
  }

  private static void check(TableSchema schema, String path) {
    Set<Integer> ids = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (DataField field : schema.fields()) {
      if (!ids.add(field.id()) || !names.add(field.name())) {
        throw JsonFile.corrupt(
            path, "column " + field.name() + " (id " + field.id() + ") occurs twice", null);
      }
    }
    for (List<String> keys : List.of(schema.partitionKeys(), schema.primaryKeys())) {
      for (String key : keys) {
        if (!names.contains(key)) {
          throw JsonFile.corrupt(path, "its key column " + key + " does not exist", null);
        }
      }
    }
  }

  /** The file of a schema. */
  public static byte[] write(TableSchema schema) {
    ObjectNode json = JsonFile.newObject();
    json.put(VERSION, schema.version());
    json.put(ID, schema.id());
    FieldJson.write(json.putArray(FIELDS), schema.fields(), schema.unknown());
    json.put(HIGHEST_FIELD_ID, schema.highestFieldId());
    putTexts(json.putArray(PARTITION_KEYS), schema.partitionKeys());
    putTexts(json.putArray(PRIMARY_KEYS), schema.primaryKeys());
    ObjectNode options = json.putObject(OPTIONS);
    new TreeMap<>(schema.options()).forEach(options::put);
    if (schema.comment() != null) {
      json.put(COMMENT, schema.comment());
    }
    json.put(TIME_MILLIS, schema.timeMillis());
    JsonFile.putUnknown(json, FieldJson.outsideFields(schema.unknown()));
    return JsonFile.write(json);
  }

  private static void putTexts(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }
}
