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

package io.keylake.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Runs after the suites: an engine that finds no tests reports success, too, so the reports must
 * show as many tests as {@code docs/spark-suites.md} says.
 */
final class CountsTest {
  private static final Path CLASSES = Path.of("target", "test-classes");
  private static final Path REPORTS = Path.of("target", "surefire-reports");
  private static final Pattern ROW =
      Pattern.compile("\\| (\\w+Test) \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\|");
  private static final Pattern COUNT = Pattern.compile("(\\d+) of (\\d+)");
  private static final Pattern REPORT =
      Pattern.compile("<testsuite [^>]*\\btests=\"(\\d+)\"[^>]*\\bskipped=\"(\\d+)\"");

  /**
   * The tests of a suite.
   *
   * @param run how many ran
   * @param all those that are left out, too
   */
  private record Count(int run, int all) {}

  @Test
  void everySuiteRanTheTestsThatTheListSays() throws IOException {
    Map<String, Count> listed = new TreeMap<>();
    for (TableKind tables : kinds()) {
      listed.putAll(listed(tables));
    }

    assertThat(reported()).isEqualTo(listed);
    assertThat(listed).isNotEmpty();
    assertThat(listed.values()).allMatch(count -> count.run() > 0);
  }

  @Test
  void everySuiteIsListed() throws IOException {
    Set<String> listed =
        rows().map(row -> row.group(1)).collect(Collectors.toCollection(TreeSet::new));

    assertThat(listed).isEqualTo(suites());
  }

  @Test
  void everyTestThatIsLeftOutHasAReason() throws IOException {
    Set<String> reasons =
        Files.readAllLines(ExcludedTests.LIST).stream()
            .filter(line -> line.startsWith("* **"))
            .map(line -> line.substring(4, line.indexOf("**", 4)))
            .collect(Collectors.toSet());

    assertThat(ExcludedTests.rows()).extracting(ExcludedTests.Row::reason).isSubsetOf(reasons);
    assertThat(ExcludedTests.rows()).extracting(ExcludedTests.Row::suite).isSubsetOf(suites());
  }

  /** The kinds of tables that this build runs suites for. */
  private static List<TableKind> kinds() {
    return Stream.of(System.getProperty("suites.kinds").split(",", -1)).map(TableKind::of).toList();
  }

  private static Stream<Matcher> rows() throws IOException {
    return Files.readAllLines(ExcludedTests.LIST).stream().map(ROW::matcher).filter(Matcher::find);
  }

  private static Map<String, Count> listed(TableKind tables) throws IOException {
    Map<String, Count> counts = new TreeMap<>();
    rows()
        .forEach(
            row -> {
              Matcher count = COUNT.matcher(row.group(tables == TableKind.APPEND ? 3 : 4));
              if (count.matches()) {
                counts.put(
                    row.group(1) + " " + tables,
                    new Count(Integer.parseInt(count.group(1)), Integer.parseInt(count.group(2))));
              }
            });
    return counts;
  }

  private static Map<String, Count> reported() throws IOException {
    Map<String, Count> counts = new TreeMap<>();
    for (String suite : suites()) {
      for (TableKind tables : kinds()) {
        for (Path report : reports(suite, tables)) {
          Matcher totals = REPORT.matcher(Files.readString(report));
          assertThat(totals.find()).as("totals of %s", report).isTrue();
          int all = Integer.parseInt(totals.group(1));
          counts.put(suite + " " + tables, new Count(all - Integer.parseInt(totals.group(2)), all));
        }
      }
    }
    return counts;
  }

  private static List<Path> reports(String suite, TableKind tables) throws IOException {
    String suffix =
        switch (tables) {
          case APPEND -> "";
          case KEYED -> "-keyed";
        };
    try (Stream<Path> files = Files.list(REPORTS)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith("." + suite + suffix + ".xml"))
          .toList();
    }
  }

  private static Set<String> suites() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Test.class") && !name.equals("CountsTest.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
