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
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;

/** The catalogs that Spark's suites name, each over a folder that is emptied after every test. */
public final class SuiteCatalogs {
  /** The catalog of the suites that let their subclass choose one. */
  public static final String LAKE = "lake";

  /** How the suites that let their subclass choose create tables. */
  public static final String USING = "USING keylake";

  private static final List<String> NAMES =
      List.of(
          LAKE,
          "test_catalog",
          "non_part_test_catalog",
          "atomic_test_catalog",
          "row_level_op_catalog");
  private static final Path FOLDER =
      Path.of("target", "warehouses", System.getProperty("suites.fork", "1")).toAbsolutePath();

  private SuiteCatalogs() {}

  /** Adds the catalogs to the settings of a suite. */
  public static SparkConf in(SparkConf conf) {
    for (String name : NAMES) {
      conf.set("spark.sql.catalog." + name, SuiteCatalog.class.getName());
      conf.set("spark.sql.catalog." + name + ".warehouse", FOLDER.resolve(name).toString());
    }
    return conf;
  }

  /** The same, with parts of tables shown as in {@link PlainTable}. */
  public static SparkConf in(SparkConf conf, PlainTable.Part... plain) {
    String parts = Stream.of(plain).map(Enum::name).collect(Collectors.joining(","));
    NAMES.forEach(name -> conf.set("spark.sql.catalog." + name + "." + SuiteCatalog.PLAIN, parts));
    return in(conf);
  }

  /** Deletes all databases and tables. */
  public static void clear() {
    if (!Files.exists(FOLDER)) {
      return;
    }
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
