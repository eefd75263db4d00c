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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.catalog.rowlevel.Scenario.Api;
import io.keylake.catalog.rowlevel.Scenario.Aspect;
import io.keylake.catalog.rowlevel.Scenario.Expectation;
import io.keylake.catalog.rowlevel.Scenario.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Runs one scenario on one kind of table. Beside what the scenario expects: a statement makes at
 * most one snapshot, a failing one and EXPLAIN none; at the end the reference reads our rows, a
 * full compaction changes none, and the table is sound.
 */
final class ScenarioRun {
  private static final Pattern CHANGE =
      Pattern.compile("(DELETE|UPDATE|MERGE|WITH)\\b.*", Pattern.DOTALL);
  private static final Pattern SCAN =
      Pattern.compile("BatchScan [\\w.`]*\\bt\\b[^\\[]*\\[([^\\]]*)\\]");

  private final Scenario scenario;
  private final TableKind kind;
  private final ScenarioTable table;

  ScenarioRun(Path warehouse, String namespace, Scenario scenario, TableKind kind) {
    this.scenario = scenario;
    this.kind = kind;
    this.table = new ScenarioTable(warehouse, namespace);
  }

  void run() throws Exception {
    if (!scenario.columns().isEmpty()) {
      table.create(scenario, kind);
    }
    if (!scenario.rows().isEmpty()) {
      table.spark().run(scenario.rows());
    }
    if (!scenario.source().isEmpty()) {
      table.spark().run("CREATE TEMPORARY VIEW source AS " + scenario.sourceQuery());
    }
    for (Step step : scenario.steps()) {
      try {
        run(step);
      } catch (AssertionError failure) {
        throw new AssertionError(step.statement() + "\n" + failure.getMessage(), failure);
      }
    }
    checkEnd();
  }

  private void checkEnd() throws Exception {
    List<String> rows = ourText();
    boolean hidesLevel0 = kind == TableKind.KEYED_VECTORS;
    if (scenario.isForReference() && !hidesLevel0) {
      table.checkReference(rows);
    }
    table.compactFully();
    assertThat(ourText()).as("rows after a full compaction").isEqualTo(rows);
    if (scenario.isForReference()) {
      table.checkReference(rows);
    }
    table.checkSound();
  }

  private List<String> ourText() {
    return io.keylake.spark.testing.SharedSpark.sortedText(table.spark().sql("SELECT * FROM t"));
  }

  private void run(Step step) {
    List<Expectation> expectations = step.of(kind);
    List<Expectation> failures =
        expectations.stream().filter(one -> one.aspect() == Aspect.FAILURE).toList();
    boolean changes = CHANGE.matcher(step.statement()).matches();
    boolean explains = step.statement().startsWith("EXPLAIN");
    long before = changes || explains || !failures.isEmpty() ? table.snapshot() : 0;
    if (failures.isEmpty()) {
      String plan = execute(step.statement());
      if (changes) {
        assertThat(table.changesSince(before)).as("changes").hasSizeLessThanOrEqualTo(1);
      } else if (explains) {
        assertThat(table.snapshot()).as("newest snapshot").isEqualTo(before);
      }
      for (Expectation expectation : expectations) {
        check(expectation, plan, before);
      }
    } else {
      checkFailure(step.statement(), failures.get(0));
      assertThat(table.snapshot()).as("newest snapshot").isEqualTo(before);
      expectations.stream()
          .filter(one -> one.aspect() != Aspect.FAILURE)
          .forEach(one -> check(one, "", before));
    }
  }

  /** Runs a statement and gives its plan. */
  private String execute(String statement) {
    if (scenario.api() == Api.DATAFRAME && MergeByFrame.isMerge(statement)) {
      new MergeByFrame(table.spark().session(), table.fullName()).run(statement);
      return "";
    }
    Dataset<Row> result = table.spark().sql(statement);
    String plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) result)
            .queryExecution()
            .executedPlan()
            .toString();
    int initial = plan.indexOf("== Initial Plan ==");
    return initial < 0 ? plan : plan.substring(0, initial);
  }

  private void checkFailure(String statement, Expectation expected) {
    String[] parts = expected.text().split("\\|", 2);
    Throwable failure = failure(statement);
    assertThat(failure).as("failure with %s", expected.text()).isNotNull();
    List<String> conditions = new ArrayList<>();
    StringBuilder messages = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      messages.append(cause.getMessage()).append('\n');
      if (cause instanceof SparkThrowable known && known.getCondition() != null) {
        conditions.add(known.getCondition());
      }
    }
    assertThat(conditions).as("conditions of %s", messages).contains(parts[0].strip());
    if (parts.length > 1) {
      assertThat(messages.toString()).contains(parts[1].strip());
    }
  }

  private @Nullable Throwable failure(String statement) {
    try {
      execute(statement);
      return null;
    } catch (Throwable failure) {
      return failure;
    }
  }

  private void check(Expectation expected, String plan, long before) {
    switch (expected.aspect()) {
      case ROWS ->
          assertThat(rows(expected.query()))
              .as(expected.query())
              .isEqualTo(rowsOf(expected.text()));
      case COUNTS ->
          assertThat(table.countsSince(before))
              .as("counts of the snapshot")
              .isEqualTo(countsOf(expected.text()));
      case PLAN -> assertThat(plan).containsPattern(expected.text());
      case NO_PLAN -> assertThat(plan).doesNotContainPattern(expected.text());
      case SCHEMA ->
          assertThat(types(table.spark().sql("SELECT * FROM t").schema()))
              .isEqualTo(types(StructType.fromDDL(expected.text())));
      case COLUMNS ->
          assertThat(scanned(plan))
              .as(plan)
              .isEqualTo(new TreeSet<>(List.of(expected.text().split(", *"))));
      case FAILURE -> throw new IllegalArgumentException("A failure after a failure");
    }
  }

  private List<String> rows(String query) {
    Dataset<Row> result = table.spark().sql(query);
    Column[] columns =
        Arrays.stream(result.schema().fieldNames())
            .map(name -> functions.col("`" + name + "`").cast("string"))
            .toArray(Column[]::new);
    return result.select(columns).collectAsList().stream()
        .map(row -> row.mkString("|"))
        .sorted()
        .toList();
  }

  private static List<String> rowsOf(String text) {
    return text.equals("none") ? List.of() : Arrays.stream(text.split(" / ")).sorted().toList();
  }

  private static Map<String, Long> countsOf(String text) {
    Map<String, Long> counts = new TreeMap<>(Map.of("inserted", 0L, "updated", 0L, "deleted", 0L));
    for (String part : text.equals("none") ? new String[0] : text.split(" +")) {
      String[] count = part.split("=");
      counts.put(count[0], Long.parseLong(count[1]));
    }
    return counts;
  }

  private static List<String> types(StructType type) {
    List<String> types = new ArrayList<>();
    for (StructField field : type.fields()) {
      types.add(field.name() + " " + field.dataType().sql());
    }
    return types;
  }

  private static Set<String> scanned(String plan) {
    Matcher scan = SCAN.matcher(plan);
    assertThat(scan.find()).as("a scan of t in %s", plan).isTrue();
    Set<String> columns = new TreeSet<>();
    for (String column : scan.group(1).split(", *")) {
      String name = column.replaceFirst("#.*", "");
      if (!name.startsWith("_") && !name.isEmpty()) {
        columns.add(name);
      }
    }
    return columns;
  }
}
