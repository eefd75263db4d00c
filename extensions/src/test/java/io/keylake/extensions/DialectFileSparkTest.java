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

package io.keylake.extensions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the statements of {@code flink-dialect.sql} and compares the rows that they give. */
final class DialectFileSparkTest {
  private static final String ROW = "--> ";

  @TempDir static Path warehouse;

  @Test
  void statementsOfFlinkGiveTheExpectedRows() throws IOException {
    SharedSpark spark = SharedSpark.withRules(warehouse);
    int compared = 0;
    for (Step step : steps()) {
      List<String> rows = spark.rows(step.statement());
      if (!step.rows().isEmpty()) {
        assertThat(rows).as(step.statement()).isEqualTo(step.rows());
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(10);
  }

  /** A statement and its rows; none are given where they do not matter. */
  private record Step(String statement, List<String> rows) {}

  private static List<Step> steps() throws IOException {
    List<Step> steps = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    for (String line : lines()) {
      if (line.startsWith(ROW)) {
        steps.get(steps.size() - 1).rows().add(line.substring(ROW.length()));
      } else if (line.endsWith(";")) {
        statement.append(line, 0, line.length() - 1);
        steps.add(new Step(statement.toString(), new ArrayList<>()));
        statement.setLength(0);
      } else if (!line.startsWith("--")) {
        statement.append(line).append('\n');
      }
    }
    return steps;
  }

  private static List<String> lines() throws IOException {
    try (InputStream in = DialectFileSparkTest.class.getResourceAsStream("/flink-dialect.sql")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    }
  }
}
