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

package io.keylake.catalog.rowlevel;

import io.keylake.catalog.rowlevel.Scenario.Api;
import io.keylake.catalog.rowlevel.Scenario.Aspect;
import io.keylake.catalog.rowlevel.Scenario.Expectation;
import io.keylake.catalog.rowlevel.Scenario.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of scenarios, one for each suite of Spark. {@code suite: NAME} and {@code api: sql},
 * {@code dataframe} or {@code both} (then with two suites, {@code suite: SQL | DATAFRAME}) are said
 * once, before the first scenario. A scenario:
 *
 * <pre>
 * == title of Spark's test
 * kinds: all -dynamic           kinds of tables, see TableKind; all when nothing is said
 * key: pk                       the key column of tables that have one
 * table: pk INT NOT NULL, ...   columns of the table t, which is partitioned by dep where it can be
 * with: 'a' = 'b'               more properties of t
 * rows: (1, 'a'), (2, 'b')      first rows of t; rows(pk): (1) for some of its columns
 * source: pk INT, ...           columns of the view source
 * source rows: (1, 'a')         its rows
 * reference: no, because        the reference reads other rows, for a documented reason
 * DELETE FROM t WHERE pk = 1;   a statement, up to ; at the end of a line
 * = 2|b / 3|c                   all rows of t now, in any order, each value cast to text
 * ~ SELECT count(*) FROM t      the next = is for this query
 * ! CONDITION | text            the statement fails so, its message has the text, nothing changes
 * % deleted=1                   counts of the snapshot; what is not named is 0
 * : pk INT, dep STRING          the names and types of the columns of t now
 * ? WORD                        the plan has a match of this expression; ?! has none
 * ^ pk, dep                     the columns of t that its scan reads, without metadata columns
 * </pre>
 *
 * <p>A line that starts with two blanks continues the one before, {@code #} starts a remark. {@code
 * =[append append-vectors] ...} is for these kinds only; so for all signs.
 *
 * <p>Scenarios of schema evolution have {@code evolution} as a line: their MERGE runs without and
 * with the clause, expectations that start with {@code without} or {@code with} are for one of
 * both. The line {@code evolution coercion} adds both again with the coercion of nested types
 * switched off, which then fail as without the clause.
 */
final class ScenarioFile {
  private static final Pattern EXPECTATION =
      Pattern.compile("(without |with )?(\\?!|[=!%?:^])(?:\\[([^]]*)])? ?(.*)");
  private static final Pattern SETTING =
      Pattern.compile("(kinds|key|table|with|rows|source|source rows|reference):(.*)");
  private static final Pattern SOME_COLUMNS = Pattern.compile("rows(\\([^)]*\\)):(.*)");
  private static final String COERCION = "SET spark.sql.mergeNestedTypeCoercion.enabled=";

  private final Map<String, String> header = new LinkedHashMap<>();
  private final List<Scenario> scenarios = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<DraftStep> steps = new ArrayList<>();
  private @Nullable String title;
  private String evolution = "";
  private String query = "";

  private record DraftStep(String statement, List<Draft> drafts) {}

  private record Draft(String variant, Expectation expectation) {}

  private ScenarioFile() {}

  /** The scenarios of a file, in order. */
  static List<Scenario> load(Path path) {
    try {
      ScenarioFile file = new ScenarioFile();
      for (String line : logicalLines(Files.readAllLines(path))) {
        file.read(line);
      }
      file.finish();
      return file.scenarios;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> logicalLines(List<String> lines) {
    List<String> logical = new ArrayList<>();
    for (String line : lines) {
      boolean openStatement =
          !logical.isEmpty()
              && isStatement(logical.get(logical.size() - 1))
              && !logical.get(logical.size() - 1).endsWith(";");
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("  ") || openStatement) {
        logical.set(logical.size() - 1, logical.get(logical.size() - 1) + " " + line.strip());
      } else {
        logical.add(line.stripTrailing());
      }
    }
    return logical;
  }

  private static boolean isStatement(String line) {
    return !line.startsWith("== ")
        && !line.startsWith("~ ")
        && !line.startsWith("evolution")
        && !line.matches("(suite|api):.*")
        && !EXPECTATION.matcher(line).matches()
        && !SETTING.matcher(line).matches()
        && !SOME_COLUMNS.matcher(line).matches();
  }

  private void read(String line) {
    Matcher setting = SETTING.matcher(line);
    Matcher someColumns = SOME_COLUMNS.matcher(line);
    if (line.startsWith("== ")) {
      finish();
      title = line.substring(3).strip();
    } else if (line.matches("(suite|api):.*")) {
      header.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1));
    } else if (line.startsWith("~ ")) {
      query = line.substring(2);
    } else if (line.startsWith("evolution")) {
      evolution = line;
    } else if (setting.matches()) {
      settings.put(setting.group(1), setting.group(2).strip());
    } else if (someColumns.matches()) {
      settings.put("rows", someColumns.group(2).strip());
      settings.put("columns", someColumns.group(1));
    } else if (!readExpectation(line)) {
      if (!line.endsWith(";")) {
        throw new IllegalArgumentException("No ; at the end of " + line);
      }
      steps.add(new DraftStep(line.substring(0, line.length() - 1), new ArrayList<>()));
    }
  }

  private boolean readExpectation(String line) {
    Matcher matcher = EXPECTATION.matcher(line);
    if (!matcher.matches()) {
      return false;
    }
    String variant = matcher.group(1) == null ? "" : matcher.group(1).strip();
    Set<TableKind> kinds =
        matcher.group(3) == null
            ? EnumSet.allOf(TableKind.class)
            : TableKind.named(matcher.group(3));
    Aspect aspect =
        List.of(Aspect.values()).stream()
            .filter(one -> one.sign().equals(matcher.group(2)))
            .findFirst()
            .orElseThrow();
    String asked = aspect == Aspect.ROWS && !query.isEmpty() ? query : "SELECT * FROM t";
    query = "";
    steps
        .get(steps.size() - 1)
        .drafts()
        .add(new Draft(variant, new Expectation(aspect, kinds, asked, matcher.group(4).strip())));
    return true;
  }

  private void finish() {
    if (title != null) {
      if (evolution.isEmpty()) {
        add(title, plain("", "", false));
      } else {
        boolean coerced = evolution.endsWith("coercion");
        String main = coerced ? COERCION + true : "";
        String start = "schema evolution - " + title + " - ";
        add(start + "without evolution clause", plain(main, "without", false));
        add(start + "with evolution clause", plain(main, "with", true));
        if (coerced) {
          String off = COERCION + false;
          start += "coercion disabled - ";
          add(start + "without evolution clause", plain(off, "without", false));
          add(start + "with evolution clause", plain(off, "without", true));
        }
      }
    }
    title = null;
    evolution = "";
    settings.clear();
    steps.clear();
  }

  private List<Step> plain(String first, String variant, boolean evolves) {
    List<Step> plain = new ArrayList<>();
    if (!first.isEmpty()) {
      plain.add(new Step(first, List.of()));
    }
    for (DraftStep step : steps) {
      String statement =
          evolves
              ? step.statement().replaceFirst("^MERGE INTO", "MERGE WITH SCHEMA EVOLUTION INTO")
              : step.statement();
      plain.add(
          new Step(
              statement,
              step.drafts().stream()
                  .filter(draft -> draft.variant().isEmpty() || draft.variant().equals(variant))
                  .map(Draft::expectation)
                  .toList()));
    }
    return plain;
  }

  private void add(String name, List<Step> what) {
    String[] suites = header.getOrDefault("suite", "").split("\\|");
    String api = header.getOrDefault("api", "sql").strip();
    if (!api.equals("dataframe")) {
      scenarios.add(scenario(suites[0].strip(), Api.SQL, name, what));
    }
    if (!api.equals("sql")) {
      scenarios.add(scenario(suites[suites.length - 1].strip(), Api.DATAFRAME, name, what));
    }
  }

  private Scenario scenario(String suite, Api api, String name, List<Step> what) {
    String rows = settings.getOrDefault("rows", "");
    String columns = settings.getOrDefault("columns", "");
    String filling =
        rows.isEmpty()
            ? ""
            : "INSERT INTO t " + (columns.isEmpty() ? "" : columns + " ") + "VALUES " + rows;
    return new Scenario(
        suite,
        name,
        api,
        TableKind.named(settings.getOrDefault("kinds", "all")),
        settings.getOrDefault("key", "pk"),
        settings.getOrDefault("table", ""),
        settings.getOrDefault("with", ""),
        filling,
        settings.getOrDefault("source", ""),
        settings.getOrDefault("source rows", ""),
        !settings.containsKey("reference"),
        what);
  }
}
