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

package io.keylake.spark.merge.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.reference.ReferenceTable;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.merge.fold.FoldCase.Line;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cases, as the reference folds them. To save tables, cases whose options concern columns only
 * share a wide one, in which each has columns of its own; each case is a key.
 */
final class KeyFolderOracleTest {
  private static final String IGNORE_DELETE = "ignore-delete";

  @TempDir Path warehouse;
  private int tables;

  @Test
  void referenceFoldsTheCasesAlike() throws Exception {
    Map<String, List<FoldCase>> groups = new LinkedHashMap<>();
    for (FoldCase example : FoldCase.all()) {
      if (!example.referenceFails()) {
        groups.computeIfAbsent(group(example), group -> new ArrayList<>()).add(example);
      }
    }

    for (List<FoldCase> group : groups.values()) {
      check(group);
    }
    assertThat(groups).hasSizeGreaterThan(10);
  }

  @Test
  void referenceRefusesWhatCannotBeFolded() throws Exception {
    List<FoldCase> failing = FoldCase.all().stream().filter(FoldCase::referenceFails).toList();

    for (FoldCase example : failing) {
      assertThatThrownBy(() -> rows(List.of(example))).as(example.name()).isNotNull();
    }
    assertThat(failing).hasSizeGreaterThan(10);
  }

  /** What cases of one table have in common. Some functions cannot be in a table with retracts. */
  private static String group(FoldCase example) {
    String[] options = example.options().split("; ");
    for (String option : options) {
      boolean ofColumn = option.startsWith("fields.") && !option.contains(".default-");
      if (!ofColumn && !option.startsWith("merge-engine=")) {
        return example.columns() + example.options();
      }
    }
    boolean retracts = example.rows().stream().anyMatch(line -> line.mark().startsWith("-"));
    return options[0] + retracts;
  }

  private void check(List<FoldCase> group) throws Exception {
    List<String> shapes = shapes(group);
    List<String> rows = rows(group);
    for (int key = 0; key < group.size(); key++) {
      FoldCase example = group.get(key);
      String prefix = "{\"k\":" + key + ",";
      List<String> found = rows.stream().filter(row -> row.startsWith(prefix)).toList();
      Line line = example.reference() == null ? example.expected() : example.reference();
      if (line.mark().equals("-")) {
        assertThat(found).as(example.name()).isEmpty();
      } else {
        String json = json(example, shapes, key, line, "");
        String columns = json.substring(prefix.length(), json.length() - 1);
        assertThat(found).as(example.name()).hasSize(1);
        assertThat(found.get(0).replace('}', ',')).as(example.name()).contains(columns + ",");
      }
    }
  }

  /** The columns and options that the cases of a group have, each once. */
  private static List<String> shapes(List<FoldCase> group) {
    Set<String> shapes = new LinkedHashSet<>();
    group.forEach(example -> shapes.add(example.columns() + "\n" + example.options()));
    return List.copyOf(shapes);
  }

  /** A row of a case, in the columns of its own. */
  private static String json(
      FoldCase example, List<String> shapes, int key, Line line, String kind) {
    String json =
        new FoldTable(example.columns(), example.options()).input(key, line.cells(), kind);
    if (kind.isEmpty()) {
      json = new FoldTable(example.columns(), example.options()).json(key, line.cells(), "");
    }
    int shape = shapes.indexOf(example.columns() + "\n" + example.options());
    for (String column : example.columns().split(", ")) {
      String name = column.split(" ", 2)[0];
      json = json.replace('"' + name + "\":", '"' + renamed(name, shape) + "\":");
    }
    return json;
  }

  /** Names of columns in a wide table. */
  private static String renamed(String names, int shape) {
    return shape == 0 ? names : names.replaceAll("(\\w+)", "$1_" + shape);
  }

  /**
   * What the reference reads after one commit. Writers drop retracts themselves under
   * ignore-delete, so that it is set for the read only, which then merges a file for each row of a
   * key.
   */
  private List<String> rows(List<FoldCase> group) throws Exception {
    List<String> shapes = shapes(group);
    Map<String, String> options = new HashMap<>(Map.of("bucket", "1", "write-only", "true"));
    Schema.Builder schema = Schema.newBuilder().primaryKey("k");
    schema.column("k", ReferenceValues.type("INT NOT NULL"));
    for (int shape = 0; shape < shapes.size(); shape++) {
      String[] lines = shapes.get(shape).split("\n", 2);
      for (String column : lines[0].split(", ")) {
        String[] words = column.split(" ", 2);
        schema.column(renamed(words[0], shape), ReferenceValues.type(words[1]));
      }
      for (Map.Entry<String, String> option :
          new FoldTable(lines[0], lines[1]).options().entrySet()) {
        options.put(key(option.getKey(), shape), value(option, shape));
      }
    }
    String ignoreDelete = options.remove(IGNORE_DELETE);
    ReferenceTable table = ReferenceTable.of(warehouse.toString(), "db", "t" + tables++);
    table.create(schema.options(options).build());
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < most(group); row++) {
      rows.addAll(rows(group, shapes, row));
      if (ignoreDelete != null) {
        table.write(rows);
        rows.clear();
      }
    }
    if (ignoreDelete != null) {
      return table.rows(Map.of(IGNORE_DELETE, ignoreDelete));
    }
    table.write(rows);
    return table.rows();
  }

  private static String key(String key, int shape) {
    int last = key.lastIndexOf('.');
    return key.startsWith("fields.") && shape > 0
        ? "fields." + renamed(key.substring("fields.".length(), last), shape) + key.substring(last)
        : key;
  }

  private static String value(Map.Entry<String, String> option, int shape) {
    return option.getKey().endsWith(".sequence-group")
        ? renamed(option.getValue(), shape)
        : option.getValue();
  }

  private static int most(List<FoldCase> group) {
    return group.stream().mapToInt(example -> example.rows().size()).max().orElseThrow();
  }

  /** A row of each key. */
  private static List<String> rows(List<FoldCase> group, List<String> shapes, int row) {
    List<String> rows = new ArrayList<>();
    for (int key = 0; key < group.size(); key++) {
      FoldCase example = group.get(key);
      if (row < example.rows().size()) {
        Line line = example.rows().get(row);
        rows.add(json(example, shapes, key, line, line.mark()));
      }
    }
    return rows;
  }
}
