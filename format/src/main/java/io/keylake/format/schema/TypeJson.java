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
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.TypeParser;
import io.keylake.format.types.TypeText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One data type as text: as a schema file writes it, an atomic one without quotes. Example: {@code
 * TIMESTAMP(3)}, {@code {"type":"ARRAY","element":"INT NOT NULL"}}. Pinned by {@code TypeJsonTest}.
 */
public final class TypeJson {
  private static final String TYPE = "type";

  private TypeJson() {}

  /** The text of {@code type}. */
  public static String write(DataType type) {
    if (!type.root().isNested()) {
      return TypeText.of(type);
    }
    ArrayNode fields = JsonFile.newObject().putArray(TYPE);
    FieldJson.write(fields, List.of(DataField.of(0, TYPE, type)), UnknownKeys.NONE);
    return fields.get(0).get(TYPE).toString();
  }

  /**
   * The type that {@code text} denotes.
   *
   * @param what it belongs to, for messages
   * @throws io.keylake.format.errors.TableException when it denotes none
   */
  public static DataType read(String text, String what) {
    if (!text.strip().startsWith("{")) {
      return TypeParser.parse(text);
    }
    JsonNode type =
        JsonFile.parse(("{\"type\":" + text + "}").getBytes(StandardCharsets.UTF_8), what)
            .node(TYPE);
    ObjectNode field = JsonFile.newObject().put("id", 0).put("name", what);
    field.set(TYPE, type);
    return new FieldJson(what).read(List.of(field)).get(0).type();
  }
}
