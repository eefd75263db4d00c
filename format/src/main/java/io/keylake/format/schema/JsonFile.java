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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.errors.CorruptTableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object of a metadata file: typed access to its keys, with messages that name the file.
 * Written as the format does: two spaces of indentation, " : " between key and value.
 */
public final class JsonFile {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final ObjectNode object;
  private final String path;

  private JsonFile(ObjectNode object, String path) {
    this.object = object;
    this.path = path;
  }

  /** The object in a file; {@code path} is for messages. */
  public static JsonFile parse(byte[] content, String path) {
    try {
      return of(MAPPER.readTree(content), path);
    } catch (IOException e) {
      throw corrupt(path, "it is no valid JSON", e);
    }
  }

  /** The object that {@code node} must be. */
  public static JsonFile of(JsonNode node, String path) {
    if (node instanceof ObjectNode object) {
      return new JsonFile(object, path);
    }
    throw corrupt(path, "a JSON object is missing", null);
  }

  /** An object to fill and {@link #write}. */
  public static ObjectNode newObject() {
    return MAPPER.createObjectNode();
  }

  /** The content of a file that holds {@code object}. */
  public static byte[] write(ObjectNode object) {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    ObjectWriter writer = MAPPER.writer(new DefaultPrettyPrinter().withObjectIndenter(indenter));
    try {
      return writer.writeValueAsBytes(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A failure that says what is wrong with the file. */
  public static CorruptTableException corrupt(
      String path, String problem, @Nullable Throwable cause) {
    return new CorruptTableException(
        path,
        "Cannot read a metadata file: " + problem + ". Restore the file or remove it if unused.",
        cause);
  }

  /** The file. */
  public String path() {
    return path;
  }

  /** The value of a key, null when it is absent or null. */
  public @Nullable JsonNode node(String key) {
    JsonNode node = object.get(key);
    return node == null || node.isNull() ? null : node;
  }

  private JsonNode required(String key) {
    JsonNode node = node(key);
    if (node == null) {
      throw corrupt(path, "it has no \"" + key + "\"", null);
    }
    return node;
  }

  /** An integer that must be there. */
  public long requiredLong(String key) {
    return number(key, required(key));
  }

  /** An integer of 32 bits that must be there. */
  public int requiredInt(String key) {
    long value = requiredLong(key);
    if (value != (int) value) {
      throw corrupt(path, "\"" + key + "\" is out of range", null);
    }
    return (int) value;
  }

  /** A text that must be there. */
  public String requiredText(String key) {
    return text(key, required(key));
  }

  /** An integer, null when it is absent. */
  public @Nullable Long optionalLong(String key) {
    JsonNode node = node(key);
    return node == null ? null : Long.valueOf(number(key, node));
  }

  /** A text, null when it is absent. */
  public @Nullable String optionalText(String key) {
    JsonNode node = node(key);
    return node == null ? null : text(key, node);
  }

  /** An object of texts, empty when it is absent. */
  public Map<String, String> textMap(String key) {
    JsonNode node = node(key);
    Map<String, String> map = new HashMap<>();
    if (node != null) {
      if (!node.isObject()) {
        throw corrupt(path, "\"" + key + "\" is no object", null);
      }
      node.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue().asText()));
    }
    return map;
  }

  /** An array, empty when it is absent. */
  public List<JsonNode> array(String key) {
    JsonNode node = node(key);
    List<JsonNode> elements = new ArrayList<>();
    if (node != null) {
      if (!node.isArray()) {
        throw corrupt(path, "\"" + key + "\" is no array", null);
      }
      node.forEach(elements::add);
    }
    return elements;
  }

  /** An array of texts, empty when it is absent. */
  public List<String> texts(String key) {
    return array(key).stream().map(element -> text(key, element)).toList();
  }

  /** Keys outside {@code known} with the compact text of their values. */
  public UnknownKeys unknown(Set<String> known) {
    Map<String, String> unknown = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (!known.contains(entry.getKey())) {
        unknown.put(entry.getKey(), entry.getValue().toString());
      }
    }
    return unknown.isEmpty() ? UnknownKeys.NONE : new UnknownKeys(unknown);
  }

  /** Adds the unknown keys again, in the order of their names. */
  public static void putUnknown(ObjectNode object, UnknownKeys unknown) {
    unknown.json().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry -> {
              try {
                object.set(entry.getKey(), MAPPER.readTree(entry.getValue()));
              } catch (JsonProcessingException e) {
                throw new IllegalArgumentException("No JSON value: " + entry.getValue(), e);
              }
            });
  }

  private long number(String key, JsonNode node) {
    if (!node.canConvertToLong() || !node.isIntegralNumber()) {
      throw corrupt(path, "\"" + key + "\" is no integer", null);
    }
    return node.longValue();
  }

  private String text(String key, JsonNode node) {
    if (!node.isTextual()) {
      throw corrupt(path, "\"" + key + "\" is no text", null);
    }
    return node.textValue();
  }
}
