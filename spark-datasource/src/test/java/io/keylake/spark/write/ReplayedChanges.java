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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows that a reader of a changelog has: every change fits to what was there. Where all files
 * have got to the level from which on the changelog knows rows, these are the rows of the table.
 */
final class ReplayedChanges {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final EngineTable table;
  private final Map<String, String> rows = new TreeMap<>();

  /** Without rows. */
  ReplayedChanges(EngineTable table) {
    this.table = table;
  }

  private boolean isComplete() {
    return !table.producer().equals("none") && !table.producer().equals("input");
  }

  /** Applies changes, at most one of each key. */
  void add(List<String> changes) throws IOException {
    if (!isComplete()) {
      return;
    }
    List<ObjectNode> added = new ArrayList<>();
    for (String line : changes) {
      ObjectNode row = (ObjectNode) JSON.readTree(line);
      String kind = row.remove("rowkind").textValue();
      if (kind.startsWith("+")) {
        added.add(row.put("rowkind", kind));
      } else {
        assertThat(rows.remove(key(row))).as("row before %s", line).isEqualTo(row.toString());
      }
    }
    for (ObjectNode row : added) {
      row.remove("rowkind");
      assertThat(rows.put(key(row), row.toString())).as("row before +%s", row).isNull();
    }
  }

  private String key(ObjectNode row) {
    StringBuilder key = new StringBuilder();
    table.keys().forEach(column -> key.append(row.get(column)).append('/'));
    return key.toString();
  }

  /** Compares with the rows of the table, where they may be known. */
  void check(List<String> expected, List<ManifestEntry> files) throws IOException {
    int top = TableOptions.of(table.schema()).compaction().levels() - 1;
    int level = table.producer().equals("lookup") ? 1 : top;
    if (isComplete() && files.stream().allMatch(entry -> entry.file().level() >= level)) {
      List<String> parsed = new ArrayList<>();
      for (String row : expected) {
        parsed.add(JSON.readTree(row).toString());
      }
      assertThat(rows.values()).as("replayed changes").containsExactlyInAnyOrderElementsOf(parsed);
    }
  }
}
