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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.spark.write.MergeCaseRun.Roles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/**
 * The rules of merge engines as case files, see {@link MergeCase}. All run in one job, without
 * queries. {@code -Dcase=TEXT} runs the files whose names contain the text.
 */
final class MergeEngineCasesTest {
  private static final Path CASES = Path.of("src/test/resources/cases");
  private static final Path DEVIATIONS = Path.of("../docs/deviations.md");
  private static final List<String> AREAS =
      List.of("deduplicate", "first-row", "partial-update", "aggregation", "functions", "sequence");

  @TempDir Path warehouse;

  @TestFactory
  List<DynamicTest> casesHold() throws IOException {
    List<String> files = files();
    String folder = warehouse.toString();
    Map<String, String> failures =
        new TreeMap<>(
            WriteFixture.spark()
                .parallelize(files, Math.max(1, files.size() / 4))
                .mapToPair(file -> new Tuple2<>(file, failure(Path.of(folder), file)))
                .collectAsMap());
    return files.stream()
        .map(file -> DynamicTest.dynamicTest(file, () -> assertThat(failures.get(file)).isEmpty()))
        .toList();
  }

  @TestFactory
  List<DynamicTest> deviationsAreListed() throws IOException {
    String listed = Files.readString(DEVIATIONS);
    List<DynamicTest> tests = new ArrayList<>();
    for (String file : files()) {
      if (MergeCase.load(CASES.resolve(file)).deviation() != null) {
        tests.add(DynamicTest.dynamicTest(file, () -> assertThat(listed).contains(file)));
      }
    }
    return tests;
  }

  private static List<String> files() {
    String wanted = System.getProperty("case", "");
    List<String> files = new ArrayList<>();
    for (String area : AREAS) {
      try (Stream<Path> all = Files.list(CASES.resolve(area))) {
        all.map(file -> area + "/" + file.getFileName())
            .filter(file -> file.contains(wanted))
            .sorted()
            .forEach(files::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return files;
  }

  private static String failure(Path folder, String file) {
    StringBuilder failures = new StringBuilder();
    for (Roles roles : Roles.values()) {
      String name = file.replaceAll("[^a-z0-9]", "_") + "_" + roles.name().toLowerCase(Locale.ROOT);
      try {
        new MergeCaseRun(folder, name, MergeCase.load(CASES.resolve(file)), roles).run();
      } catch (Exception | AssertionError failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        failures.append(roles).append(": ").append(trace).append('\n');
      }
    }
    return failures.toString();
  }
}
