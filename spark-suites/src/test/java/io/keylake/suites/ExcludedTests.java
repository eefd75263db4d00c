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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.scalatest.Suite;
import scala.collection.immutable.Map;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The tests of Spark's suites that are not run: the tables of {@code docs/spark-suites.md} below
 * headings that name a suite, one row for each test.
 */
public final class ExcludedTests {
  static final Path LIST = Path.of("..", "docs", "spark-suites.md");
  private static final String IGNORED = "org.scalatest.Ignore";
  private static final List<Row> ROWS = read();

  private ExcludedTests() {}

  /**
   * A test that is left out.
   *
   * @param suite the simple name of our subclass of Spark's suite
   * @param test the test's name, without what Spark's suites put before it
   * @param tables the tables for which it is left out
   * @param reason the name of the reason
   */
  record Row(String suite, String test, Set<TableKind> tables, String reason) {
    boolean names(String testName) {
      return testName.equals(test) || testName.endsWith(" command: " + test);
    }
  }

  static List<Row> rows() {
    return ROWS;
  }

  /**
   * The tags of a suite's tests, where those that are left out are ignored.
   *
   * @throws IllegalStateException when a test that is to be left out does not exist
   */
  @SuppressWarnings("unchecked") // Scala's type parameters are raw in Java.
  public static Map<String, scala.collection.immutable.Set<String>> tags(
      Suite suite, Map<String, scala.collection.immutable.Set<String>> own) {
    Set<String> names = CollectionConverters.asJava(suite.testNames());
    Map<String, scala.collection.immutable.Set<String>> tags = own;
    for (Row row : rowsOf(suite)) {
      List<String> found = names.stream().filter(row::names).toList();
      if (found.isEmpty()) {
        throw new IllegalStateException(
            LIST + " leaves out a test that " + row.suite() + " does not have: " + row.test());
      }
      for (String name : found) {
        scala.collection.immutable.Set<String> before =
            tags.contains(name)
                ? tags.apply(name)
                : CollectionConverters.asScala(Set.<String>of()).toSet();
        tags = tags.updated(name, before.incl(IGNORED));
      }
    }
    return tags;
  }

  private static List<Row> rowsOf(Suite suite) {
    TableKind tables = TableKind.current();
    String name = suite.getClass().getSimpleName();
    return ROWS.stream()
        .filter(row -> row.suite().equals(name) && row.tables().contains(tables))
        .toList();
  }

  private static List<Row> read() {
    List<Row> rows = new ArrayList<>();
    String suite = "";
    for (String line : lines()) {
      if (line.startsWith("#")) {
        suite = line.startsWith("### ") ? line.substring(4).trim() : "";
      } else if (!suite.isEmpty() && line.startsWith("| ") && !line.startsWith("| Test |")) {
        String[] cells = line.split("(?<!\\\\)\\|", -1);
        Set<TableKind> tables =
            Stream.of(cells[2].split(",", -1)).map(TableKind::of).collect(Collectors.toSet());
        rows.add(new Row(suite, cells[1].trim().replace("\\|", "|"), tables, cells[3].trim()));
      }
    }
    return List.copyOf(rows);
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(LIST);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
