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

package io.keylake.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code keylake sql} was asked to do.
 *
 * @param scripts SQL texts of -e and -f, in the order given; empty for the interactive prompt
 * @param warehouse where the tables of the catalog {@code lake} are: a folder or a Hadoop URI
 * @param format how rows are printed; empty when it depends on the terminal
 * @param settings Spark settings of --conf
 */
record SqlArguments(
    List<String> scripts,
    String warehouse,
    Optional<ResultFormat> format,
    Map<String, String> settings) {
  private static final String DEFAULT_WAREHOUSE = "keylake-warehouse";

  SqlArguments {
    scripts = List.copyOf(scripts);
    settings = Map.copyOf(settings);
  }

  /**
   * Reads the arguments after the word {@code sql}; files are read at once.
   *
   * @throws UsageException when an argument is unknown or lacks its value
   */
  static SqlArguments parse(List<String> arguments) {
    List<String> scripts = new ArrayList<>();
    Map<String, String> settings = new LinkedHashMap<>();
    String warehouse = DEFAULT_WAREHOUSE;
    Optional<ResultFormat> format = Optional.empty();
    for (int i = 0; i < arguments.size(); i += 2) {
      String name = arguments.get(i);
      if (!List.of("-e", "-f", "--warehouse", "--format", "--conf").contains(name)) {
        throw new UsageException("Unknown argument " + name + ".");
      }
      if (i + 1 == arguments.size()) {
        throw new UsageException("The argument " + name + " needs a value after it.");
      }
      String value = arguments.get(i + 1);
      switch (name) {
        case "-e" -> scripts.add(value);
        case "-f" -> scripts.add(readFile(value));
        case "--warehouse" -> warehouse = value;
        case "--format" -> format = Optional.of(ResultFormat.named(value));
        default -> addSetting(settings, value);
      }
    }
    return new SqlArguments(scripts, warehouse, format, settings);
  }

  private static void addSetting(Map<String, String> settings, String text) {
    int equals = text.indexOf('=');
    if (equals <= 0) {
      throw new UsageException("--conf " + text + " is not of the form KEY=VALUE.");
    }
    settings.put(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
  }

  private static String readFile(String name) {
    Path file = Path.of(name);
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new UsageException("The file " + file.toAbsolutePath() + " cannot be read.");
    }
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file.toAbsolutePath(), e);
    }
  }
}
