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

package io.keylake.spark.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Columns of golden tables whose elements the reference leaves in the order of a hash map. */
public final class UnorderedArrays {
  private static final Map<String, Set<String>> COLUMNS =
      Map.of("agg_all", Set.of("cod", "nu", "npu"), "agg_retract", Set.of("nu"));
  private static final ObjectMapper JSON = new ObjectMapper();

  private UnorderedArrays() {}

  /** The rows of a table, as canonical text, with the elements of these columns in one order. */
  public static List<String> sorted(String table, List<String> rows) {
    Set<String> columns = COLUMNS.getOrDefault(table, Set.of());
    return columns.isEmpty()
        ? rows
        : rows.stream().map(row -> sorted(row, columns)).sorted().toList();
  }

  private static String sorted(String row, Set<String> columns) {
    try {
      ObjectNode values = (ObjectNode) JSON.readTree(row);
      for (String column : columns) {
        if (values.get(column) instanceof ArrayNode array) {
          List<JsonNode> elements = new ArrayList<>();
          array.forEach(elements::add);
          elements.sort(Comparator.comparing(JsonNode::toString));
          values.set(column, JSON.createArrayNode().addAll(elements));
        }
      }
      return JSON.writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
