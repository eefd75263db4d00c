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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeParser;
import io.keylake.format.types.TypeText;
import io.keylake.format.types.VectorType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Fields and types as JSON. A field is an object of {@code id} (int), {@code name} (text), {@code
 * type}, and optionally {@code description} and {@code defaultValue} (text). An atomic type is a
 * text, see {@link TypeText}; a constructed one is an object whose {@code type} is its kind with
 * its nullability:
 *
 * <pre>
 * {"type":"ARRAY","element":T}   {"type":"MULTISET","element":T}   {"type":"MAP","key":T,"value":T}
 * {"type":"ROW NOT NULL","fields":[field,...]}   {"type":"VECTOR","element":T,"length":n}
 * </pre>
 *
 * Keys of field objects that are not known are kept under {@code fields[<id>].<key>} with the other
 * unknown keys of the schema. Reads one file; not safe for use by several threads.
 *
 * <p>Rule source: table format, schema files. Pinned by {@code SchemaCodecTest}.
 */
final class FieldJson {
  private static final String ID = "id";
  private static final String NAME = "name";
  private static final String TYPE = "type";
  private static final String DESCRIPTION = "description";
  private static final String DEFAULT_VALUE = "defaultValue";
  private static final String ELEMENT = "element";
  private static final String KEY = "key";
  private static final String VALUE = "value";
  private static final String FIELDS = "fields";
  private static final String LENGTH = "length";
  private static final String NOT_NULL = " NOT NULL";
  private static final Set<String> FIELD_KEYS = Set.of(ID, NAME, TYPE, DESCRIPTION, DEFAULT_VALUE);

  private final String path;
  private final Map<String, String> unknown = new HashMap<>();

  FieldJson(String path) {
    this.path = path;
  }

  /** The unknown keys of all fields read so far. */
  Map<String, String> unknown() {
    return unknown;
  }

  List<DataField> read(List<JsonNode> fields) {
    return fields.stream().map(this::readField).toList();
  }

  private DataField readField(JsonNode node) {
    JsonFile json = JsonFile.of(node, path);
    int id = json.requiredInt(ID);
    json.unknown(FIELD_KEYS).json().forEach((key, value) -> unknown.put(inField(id, key), value));
    JsonNode type = json.node(TYPE);
    if (type == null) {
      throw JsonFile.corrupt(path, "field " + id + " has no \"" + TYPE + "\"", null);
    }
    return new DataField(
        id,
        json.requiredText(NAME),
        readType(type),
        json.optionalText(DESCRIPTION),
        json.optionalText(DEFAULT_VALUE));
  }

  private DataType readType(JsonNode node) {
    if (node.isTextual()) {
      return TypeParser.parse(node.textValue());
    }
    JsonFile json = JsonFile.of(node, path);
    String text = json.requiredText(TYPE).strip();
    boolean nullable = !text.endsWith(NOT_NULL);
    String kind = nullable ? text : text.substring(0, text.length() - NOT_NULL.length()).strip();
    return switch (kind) {
      case "ARRAY" -> new ArrayType(member(json, Set.of(ELEMENT), ELEMENT), nullable);
      case "MULTISET" -> new MultisetType(member(json, Set.of(ELEMENT), ELEMENT), nullable);
      case "MAP" ->
          new MapType(
              member(json, Set.of(KEY, VALUE), KEY),
              member(json, Set.of(KEY, VALUE), VALUE),
              nullable);
      case "ROW" -> {
        checkMembers(json, Set.of(FIELDS));
        yield new RowType(read(json.array(FIELDS)), nullable);
      }
      case "VECTOR" ->
          new VectorType(
              member(json, Set.of(ELEMENT, LENGTH), ELEMENT), json.requiredInt(LENGTH), nullable);
      default -> throw unsupported(text);
    };
  }

  private DataType member(JsonFile json, Set<String> members, String member) {
    checkMembers(json, members);
    JsonNode node = json.node(member);
    if (node == null) {
      throw JsonFile.corrupt(path, "a type has no \"" + member + "\"", null);
    }
    return readType(node);
  }

  /** A member that is not known may change what the type means. */
  private void checkMembers(JsonFile json, Set<String> members) {
    Set<String> others = new TreeSet<>(json.unknown(members).json().keySet());
    others.remove(TYPE);
    if (!others.isEmpty()) {
      throw unsupported("with the members " + others);
    }
  }

  private UnsupportedTableException unsupported(String what) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_TYPE,
        "Cannot read "
            + path
            + ": it has a data type "
            + what
            + ", which this version does not"
            + " know. Use a newer version of Keylake.");
  }

  private static String inField(int id, String key) {
    return "fields[" + id + "]." + key;
  }

  static void write(ArrayNode target, List<DataField> fields, UnknownKeys unknown) {
    for (DataField field : fields) {
      ObjectNode node = target.addObject();
      node.put(ID, field.id());
      node.put(NAME, field.name());
      writeType(node, TYPE, field.type(), unknown);
      if (field.description() != null) {
        node.put(DESCRIPTION, field.description());
      }
      if (field.defaultValue() != null) {
        node.put(DEFAULT_VALUE, field.defaultValue());
      }
      JsonFile.putUnknown(node, ofField(field.id(), unknown));
    }
  }

  private static UnknownKeys ofField(int id, UnknownKeys unknown) {
    String prefix = inField(id, "");
    Map<String, String> keys = new HashMap<>();
    unknown
        .json()
        .forEach(
            (key, value) -> {
              if (key.startsWith(prefix)) {
                keys.put(key.substring(prefix.length()), value);
              }
            });
    return new UnknownKeys(keys);
  }

  /** The keys that belong to the schema itself. */
  static UnknownKeys outsideFields(UnknownKeys unknown) {
    Map<String, String> keys = new HashMap<>(unknown.json());
    keys.keySet().removeIf(key -> key.startsWith("fields["));
    return new UnknownKeys(keys);
  }

  private static void writeType(
      ObjectNode target, String member, DataType type, UnknownKeys unknown) {
    if (!type.root().isNested()) {
      target.put(member, TypeText.of(type));
      return;
    }
    ObjectNode node = target.putObject(member);
    node.put(TYPE, type.nullable() ? type.root().name() : type.root().name() + NOT_NULL);
    switch (type.root()) {
      case ARRAY -> writeType(node, ELEMENT, ((ArrayType) type).element(), unknown);
      case MULTISET -> writeType(node, ELEMENT, ((MultisetType) type).element(), unknown);
      case MAP -> {
        writeType(node, KEY, ((MapType) type).key(), unknown);
        writeType(node, VALUE, ((MapType) type).value(), unknown);
      }
      case ROW -> write(node.putArray(FIELDS), ((RowType) type).fields(), unknown);
      case VECTOR -> {
        writeType(node, ELEMENT, ((VectorType) type).element(), unknown);
        node.put(LENGTH, ((VectorType) type).length());
      }
      default -> throw new IllegalStateException("Not nested: " + type.root());
    }
  }
}
