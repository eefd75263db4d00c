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

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one key and what they become, from a file of cases.
 *
 * @param name what the case shows
 * @param columns the columns beside the key {@code k}, as {@code a INT, b STRING}
 * @param options the table's options, as {@code a=b; c=d}
 * @param rows the rows, oldest first, each marked with its kind
 * @param expected what they become: a row marked {@code =} when it stays, {@code -} when it is
 *     removed; {@code !} and a condition when they cannot be folded
 * @param reference what the reference makes of them, when it is something else; {@code fails} when
 *     it cannot fold them
 */
record FoldCase(
    String name,
    String columns,
    String options,
    List<Line> rows,
    Line expected,
    @Nullable Line reference) {

  /** A line of a case: a mark and cells. */
  record Line(String mark, List<String> cells) {
    static Line parse(String text) {
      String[] words = text.split(" ", 2);
      return new Line(words[0], List.of(words[1].split(" \\| ")));
    }
  }

  static List<FoldCase> all() throws IOException {
    List<FoldCase> cases = new ArrayList<>();
    for (String file : List.of("partial-update", "aggregation", "functions")) {
      cases.addAll(read("/cases/fold/" + file + ".case"));
    }
    return cases;
  }

  private static List<FoldCase> read(String resource) throws IOException {
    List<FoldCase> cases = new ArrayList<>();
    String columns = "";
    String options = "";
    String name = "";
    List<Line> rows = new ArrayList<>();
    for (String line : lines(resource)) {
      if (line.startsWith("columns ")) {
        columns = line.substring("columns ".length());
      } else if (line.startsWith("options ")) {
        options = line.substring("options ".length());
      } else if (line.startsWith("case ")) {
        name = line.substring("case ".length());
        rows.clear();
      } else if (line.startsWith("+") || line.matches("-[UD] .*")) {
        rows.add(Line.parse(line));
      } else if (line.startsWith("~")) {
        FoldCase last = cases.remove(cases.size() - 1);
        cases.add(
            new FoldCase(last.name, columns, options, last.rows, last.expected, Line.parse(line)));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        cases.add(new FoldCase(name, columns, options, List.copyOf(rows), Line.parse(line), null));
      }
    }
    return cases;
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream in = requireNonNull(FoldCase.class.getResourceAsStream(resource))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** Whether the rows cannot be folded. */
  boolean fails() {
    return expected.mark().equals("!");
  }

  /** Whether the reference cannot fold the rows. */
  boolean referenceFails() {
    return reference == null ? fails() : reference.cells().get(0).equals("fails");
  }
}
