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

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark's tests of DELETE, UPDATE and MERGE on our tables, from files of scenarios, see {@link
 * ScenarioFile}. By default each scenario runs on {@code -Drowlevel.kinds=1} kind of table, which
 * turns with {@code -Drowlevel.seed}, of those of schema evolution one of {@code
 * -Drowlevel.evolution=6}; {@code soak} runs all on all. {@code -Drowlevel.only=REGEX} runs those
 * with a match in their names, {@code -Drowlevel.kind=NAME} those on one kind.
 */
final class RowLevelScenariosTest {
  private static final Path FILES = Path.of("src/test/resources/row-level");
  private static final Path LIST = Path.of("../docs/row-level-scenarios.md");

  @TempDir static Path warehouse;

  private record Selected(Scenario scenario, TableKind kind) {
    String name() {
      return scenario.id() + " [" + kind.text() + "]";
    }
  }

  @TestFactory
  List<DynamicTest> scenariosHoldOnChosenKinds() throws Exception {
    long seed = Long.getLong("rowlevel.seed", 1);
    int kinds = Integer.getInteger("rowlevel.kinds", 1);
    System.out.println("-Drowlevel.seed=" + seed + " -Drowlevel.kinds=" + kinds);
    return tests(seed, kinds);
  }

  @TestFactory
  @Tag("soak")
  List<DynamicTest> scenariosHoldOnAllKinds() throws Exception {
    return tests(0, TableKind.values().length);
  }

  /** The list names every scenario in its file, and no other. */
  @Test
  void scenariosAreListed() throws IOException {
    List<String> listed = new ArrayList<>();
    String suite = "";
    for (String line : Files.readAllLines(LIST)) {
      if (line.startsWith("## ")) {
        suite = line.substring(3);
      } else if (line.startsWith("| ") && line.endsWith(".scenarios` |")) {
        listed.add(suite + ": " + line.substring(2, line.lastIndexOf(" | `")));
      }
    }
    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(scenarios().stream().map(Scenario::id).toList());
  }

  private static List<DynamicTest> tests(long seed, int kinds) throws Exception {
    Map<Selected, Future<String>> results = new LinkedHashMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (Selected one : selected(seed, kinds)) {
        String namespace = "s" + results.size();
        Callable<String> run = () -> failure(one, namespace);
        results.put(one, threads.submit(run));
      }
    } finally {
      threads.shutdown();
    }
    assertThat(threads.awaitTermination(1, TimeUnit.HOURS)).isTrue();
    List<DynamicTest> tests = new ArrayList<>();
    for (Map.Entry<Selected, Future<String>> result : results.entrySet()) {
      String failure = result.getValue().get();
      tests.add(
          DynamicTest.dynamicTest(result.getKey().name(), () -> assertThat(failure).isEmpty()));
    }
    return tests;
  }

  private static List<Selected> selected(long seed, int kinds) {
    String only = System.getProperty("rowlevel.only", "");
    String wanted = System.getProperty("rowlevel.kind", "");
    List<Selected> selected = new ArrayList<>();
    int share = kinds < TableKind.values().length ? Integer.getInteger("rowlevel.evolution", 6) : 1;
    long turn = seed;
    for (Scenario scenario : scenarios()) {
      turn++;
      if (scenario.evolves() && turn % share != 0) {
        continue;
      }
      List<TableKind> possible =
          scenario.kinds().stream().filter(kind -> kind.suits(scenario)).sorted().toList();
      for (int i = 0; i < Math.min(kinds, possible.size()); i++) {
        TableKind kind =
            possible.get(
                Math.floorMod(turn / (scenario.evolves() ? share : 1) + i, possible.size()));
        if (Pattern.compile(only).matcher(scenario.id()).find() && kind.text().contains(wanted)) {
          selected.add(new Selected(scenario, kind));
        }
      }
    }
    return selected;
  }

  private static List<Scenario> scenarios() {
    List<Scenario> scenarios = new ArrayList<>();
    try (Stream<Path> files = Files.list(FILES)) {
      files.sorted().forEach(file -> scenarios.addAll(ScenarioFile.load(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scenarios;
  }

  private static String failure(Selected one, String namespace) {
    try {
      new ScenarioRun(warehouse, namespace, one.scenario(), one.kind()).run();
      return "";
    } catch (Exception | AssertionError failure) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      return trace.toString();
    }
  }
}
