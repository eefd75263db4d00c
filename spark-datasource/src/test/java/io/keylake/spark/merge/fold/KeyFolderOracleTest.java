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
import java.util.List;
import java.util.Map;
import org.apache.paimon.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cases, as the reference folds them. */
final class KeyFolderOracleTest {
  private static final String IGNORE_DELETE = "ignore-delete";

  @TempDir Path warehouse;
  private int tables;

  @Test
  void referenceFoldsTheCasesAlike() throws Exception {
    Map<List<String>, List<FoldCase>> groups = new LinkedHashMap<>();
    for (FoldCase example : FoldCase.all()) {
      if (!example.fails()) {
        groups
            .computeIfAbsent(
                List.of(example.columns(), example.options()), group -> new ArrayList<>())
            .add(example);
      }
    }

    for (List<FoldCase> group : groups.values()) {
      assertThat(rows(group))
          .as(group.get(0).columns() + "; " + group.get(0).options())
          .isEqualTo(expected(group));
    }
    assertThat(groups).hasSizeGreaterThan(100);
  }

  @Test
  void referenceRefusesWhatCannotBeFolded() throws Exception {
    List<FoldCase> failing = FoldCase.all().stream().filter(FoldCase::fails).toList();

    for (FoldCase example : failing) {
      assertThatThrownBy(() -> rows(List.of(example))).as(example.name()).isNotNull();
    }
    assertThat(failing).hasSizeGreaterThan(10);
  }

  private static List<String> expected(List<FoldCase> group) {
    FoldTable table = new FoldTable(group.get(0).columns(), group.get(0).options());
    List<String> rows = new ArrayList<>();
    for (int key = 0; key < group.size(); key++) {
      FoldCase example = group.get(key);
      Line line = example.reference() == null ? example.expected() : example.reference();
      if (!line.mark().equals("-")) {
        rows.add(table.json(key, line.cells(), ""));
      }
    }
    rows.sort(ReferenceValues::compareUtf8);
    return rows;
  }

  /**
   * What the reference reads after one commit. Writers drop retracts themselves under
   * ignore-delete, so that it is set for the read only, which then merges a file for each row of a
   * key.
   */
  private List<String> rows(List<FoldCase> group) throws Exception {
    FoldTable shape = new FoldTable(group.get(0).columns(), group.get(0).options());
    Map<String, String> options = new HashMap<>(shape.options());
    String ignoreDelete = options.remove(IGNORE_DELETE);
    options.put("bucket", "1");
    options.put("write-only", "true");
    Schema.Builder schema = Schema.newBuilder().primaryKey("k").options(options);
    schema.column("k", ReferenceValues.type("INT NOT NULL"));
    for (String column : group.get(0).columns().split(", ")) {
      String[] words = column.split(" ", 2);
      schema.column(words[0], ReferenceValues.type(words[1]));
    }
    ReferenceTable table = ReferenceTable.of(warehouse.toString(), "db", "t" + tables++);
    table.create(schema.build());
    if (ignoreDelete == null) {
      List<String> rows = new ArrayList<>();
      for (int row = 0; row < most(group); row++) {
        rows.addAll(rows(group, shape, row));
      }
      table.write(rows);
      return table.rows();
    }
    for (int row = 0; row < most(group); row++) {
      table.write(rows(group, shape, row));
    }
    return table.rows(Map.of(IGNORE_DELETE, ignoreDelete));
  }

  private static int most(List<FoldCase> group) {
    return group.stream().mapToInt(example -> example.rows().size()).max().orElseThrow();
  }

  /** A row of each key. */
  private static List<String> rows(List<FoldCase> group, FoldTable shape, int row) {
    List<String> rows = new ArrayList<>();
    for (int key = 0; key < group.size(); key++) {
      if (row < group.get(key).rows().size()) {
        Line line = group.get(key).rows().get(row);
        rows.add(shape.input(key, line.cells(), line.mark()));
      }
    }
    return rows;
  }
}
