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

package io.keylake.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.runtime.StockSpark.Outcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RuntimeJarTest {
  private static final Path JAR = Path.of(System.getProperty("keylake.runtime.jar"));

  @TempDir Path scratch;

  @Test
  void holdsTheClassesOfEveryModuleAndNoOthers() throws IOException {
    List<String> ours = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String name = Path.of(entry).getFileName().toString();
      if (name.startsWith("keylake-") && !name.endsWith("-tests.jar")) {
        ours.addAll(classNames(Path.of(entry)));
      }
    }
    assertThat(ours).contains("io.keylake.format.package-info", "io.keylake.catalog.package-info");
    assertThat(classNames(JAR)).containsExactlyInAnyOrderElementsOf(ours);
  }

  @Test
  void everyClassLoadsBesideStockSpark() throws IOException, InterruptedException {
    List<String> names = classNames(JAR);
    Outcome outcome =
        new StockSpark(JAR, scratch)
            .run(ClassLoadingProgram.class, List.of(), names.toArray(String[]::new));
    assertThat(outcome.exitCode()).as(outcome.log()).isZero();
    assertThat(outcome.output()).containsExactlyElementsOf(names);
  }

  @Test
  void stockSparkRunsSqlWithTheJarAlone() throws IOException, InterruptedException {
    Path warehouse = scratch.resolve("warehouse");
    List<String> settings =
        List.of(
            "spark.sql.extensions=io.keylake.extensions.KeylakeExtensions",
            "spark.sql.catalog.lake=io.keylake.catalog.KeylakeCatalog",
            "spark.sql.catalog.lake.warehouse=" + warehouse.toUri());
    Outcome outcome =
        new StockSpark(JAR, scratch)
            .run(
                SqlProgram.class,
                settings,
                "CREATE NAMESPACE lake.db",
                "CREATE TABLE lake.db.t (k INT, v STRING, day DATE, PRIMARY KEY (k) NOT ENFORCED)"
                    + " TBLPROPERTIES ('bucket' = '2')",
                "INSERT INTO lake.db.t VALUES (1, 'one', DATE'2026-01-01'), (2, 'two', NULL)",
                "INSERT INTO lake.db.t SELECT 2, 'second', DATE'2026-01-02'",
                "SELECT * FROM lake.db.t ORDER BY k",
                "SELECT count(*) FROM lake.db.t VERSION AS OF 1",
                "CREATE TABLE lake.db.log AS SELECT id, array(id, id + 1) AS pair FROM range(3)",
                "SELECT sum(id), max(pair[1]) FROM lake.db.log");
    assertThat(outcome.exitCode()).as(outcome.log()).isZero();
    assertThat(outcome.output())
        .containsExactly("1|one|2026-01-01", "2|second|2026-01-02", "2", "3|3");
  }

  private static List<String> classNames(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.endsWith(".class"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .sorted()
          .toList();
    }
  }
}
