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

import com.fasterxml.jackson.databind.JsonNode;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.FieldIds;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.JsonRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A case file: a table, what is written to it and what must come out. Its form, line by line
 * ({@code #} begins a comment):
 *
 * <pre>
 * columns k INT NOT NULL, a INT, b STRING     as in CREATE TABLE
 * key k
 * option merge-engine = partial-update        bucket = 1 unless set
 * deviation why the reference answers otherwise; its own answers are "expect by reference"
 * unordered b                                 an array whose elements may come in any order
 *
 * define                                      followed by "error": the definition is refused
 * write                                       one statement; rows are indented, +I unless they say
 *   1, 10, null                               otherwise, and have the values of all columns
 *   -D 1, 10, "x"
 * compact full                                or minor
 * expect                                      rows of the table in any order
 *   1, 10, "x"
 * expect by reference                         what the reference answers for its own table
 * expect after compaction                     last: rows after a full compaction, when they change
 * error KEYLAKE_...                           last: the step before, or reading after it, fails
 * </pre>
 *
 * <p>When rows have kinds and no column holds them, the table gets a column {@value #KIND_COLUMN}
 * for them, which is left out of results.
 *
 * @param columns the columns
 * @param keys names of the primary key
 * @param options the table's options
 * @param deviation why the reference answers otherwise; null = it does not
 * @param unordered names of arrays without order
 * @param steps the steps
 */
record MergeCase(
    List<DataField> columns,
    List<String> keys,
    Map<String, String> options,
    @Nullable String deviation,
    Set<String> unordered,
    List<Step> steps) {
  private static final Set<String> KINDS = Set.of("+I", "-U", "+U", "-D");
  private static final String KIND_COLUMN = "row_kind";
  private static final String KIND_OPTION = "rowkind.field";

  /** What a step does. */
  enum Action {
    DEFINE,
    WRITE,
    COMPACT_FULL,
    COMPACT_MINOR,
    EXPECT,
    EXPECT_BY_REFERENCE,
    EXPECT_AFTER_COMPACTION,
    ERROR
  }

  /**
   * One step.
   *
   * @param line its line in the file
   * @param argument the condition of an error, else empty
   */
  record Step(Action action, int line, String argument, List<KindedRow> rows) {}

  /**
   * A row.
   *
   * @param values an array with the value of each column
   */
  record KindedRow(String kind, JsonNode values) {}

  TableSchema schema() {
    if (!addsKinds()) {
      return TestRows.schema(columns, List.of(), keys, options);
    }
    List<DataField> all = new ArrayList<>(columns);
    all.add(DataField.of(FieldIds.highestOf(columns) + 1, KIND_COLUMN, DataTypes.STRING));
    Map<String, String> more = new LinkedHashMap<>(options);
    more.put(KIND_OPTION, KIND_COLUMN);
    return TestRows.schema(all, List.of(), keys, more);
  }

  private boolean addsKinds() {
    return !options.containsKey(KIND_OPTION)
        && steps.stream()
            .flatMap(step -> step.rows().stream())
            .anyMatch(row -> !row.kind().equals("+I"));
  }

  private StructType declared() {
    return SparkTypes.toSpark(RowType.of(columns));
  }

  /** Expected rows as canonical text. */
  List<String> texts(Step step) {
    return step.rows().stream().map(this::text).map(this::normalized).sorted().toList();
  }

  private String text(KindedRow row) {
    return CanonicalText.of(JsonRows.row(row.values(), declared()), declared());
  }

  /** A row that was read: without the added column, elements of unordered arrays sorted. */
  String normalized(String row) {
    if (unordered.isEmpty() && !addsKinds()) {
      return row;
    }
    List<String> values = new ArrayList<>();
    for (DataField column : columns) {
      JsonNode value = JsonRows.parse(row).get(column.name());
      if (unordered.contains(column.name())) {
        List<String> elements = new ArrayList<>();
        value.forEach(element -> elements.add(element.toString()));
        elements.sort(null);
        values.add(value.isNull() ? "null" : elements.toString());
      } else {
        values.add(value.toString());
      }
    }
    return values.toString();
  }

  /** The rows of a step as writers take them: canonical text of all columns, and the kind. */
  List<String> lines(Step step) {
    List<String> lines = new ArrayList<>();
    for (KindedRow row : step.rows()) {
      String text = text(row);
      String kind = '"' + row.kind() + '"';
      String end = addsKinds() ? ",\"" + KIND_COLUMN + "\":" + kind + "}" : "}";
      lines.add("{\"_kind\":" + kind + "," + text.substring(1, text.length() - 1) + end);
    }
    return lines;
  }

  static MergeCase load(Path file) throws IOException {
    Parser parser = new Parser();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      try {
        parser.add(i + 1, lines.get(i));
      } catch (RuntimeException e) {
        throw new IllegalArgumentException(file + ", line " + (i + 1), e);
      }
    }
    return parser.result();
  }

  private static final class Parser {
    private final List<DataField> columns = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final Map<String, String> options = new LinkedHashMap<>(Map.of("bucket", "1"));
    private final List<String> unordered = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private @Nullable String deviation;

    void add(int number, String line) {
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        return;
      }
      if (Character.isWhitespace(line.charAt(0))) {
        steps.get(steps.size() - 1).rows().add(row(text));
        return;
      }
      String[] words = text.split(" ", 2);
      String rest = words.length == 1 ? "" : words[1].strip();
      switch (words[0]) {
        case "columns" -> columns.addAll(JsonRows.columns(rest));
        case "key" -> keys.addAll(Arrays.asList(rest.split(", *")));
        case "option" -> {
          String[] parts = rest.split(" *= *", 2);
          options.put(parts[0], parts[1]);
        }
        case "deviation" -> deviation = rest;
        case "unordered" -> unordered.addAll(Arrays.asList(rest.split(", *")));
        default -> steps.add(step(number, text, rest));
      }
    }

    private static Step step(int number, String text, String rest) {
      Action action =
          text.startsWith("error ")
              ? Action.ERROR
              : switch (text) {
                case "define" -> Action.DEFINE;
                case "write" -> Action.WRITE;
                case "compact full" -> Action.COMPACT_FULL;
                case "compact minor" -> Action.COMPACT_MINOR;
                case "expect" -> Action.EXPECT;
                case "expect by reference" -> Action.EXPECT_BY_REFERENCE;
                case "expect after compaction" -> Action.EXPECT_AFTER_COMPACTION;
                default -> throw new IllegalArgumentException(text);
              };
      return new Step(action, number, action == Action.ERROR ? rest : "", new ArrayList<>());
    }

    private static KindedRow row(String text) {
      String kind = text.substring(0, Math.min(2, text.length()));
      boolean named = KINDS.contains(kind);
      String values = named ? text.substring(2) : text;
      return new KindedRow(named ? kind : "+I", JsonRows.parse("[" + values + "]"));
    }

    MergeCase result() {
      return new MergeCase(
          columns, keys, options, deviation, Set.copyOf(unordered), List.copyOf(steps));
    }
  }
}
