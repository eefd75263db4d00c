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

package io.keylake.benchmarks;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the user may choose of a benchmark.
 *
 * @param rows rows of the data set
 * @param runs measured runs of each query
 * @param heap heap of each measured process, such as {@code 1g}; null = that of this process
 * @param folder where the data is kept; null until a folder was chosen
 */
record Settings(long rows, int runs, @Nullable String heap, @Nullable String folder) {
  /**
   * Reads {@code --rows}, {@code --runs}, {@code --heap} and {@code --dir}; anything else is an
   * IllegalArgumentException.
   */
  static Settings parse(List<String> options, long defaultRows, int defaultRuns) {
    Settings settings = new Settings(defaultRows, defaultRuns, null, null);
    for (int i = 0; i < options.size(); i += 2) {
      String key = options.get(i);
      if (i + 1 == options.size()) {
        throw new IllegalArgumentException("A value is missing after " + key);
      }
      String value = options.get(i + 1);
      settings =
          switch (key) {
            case "--rows" ->
                new Settings(Long.parseLong(value), settings.runs, settings.heap, settings.folder);
            case "--runs" ->
                new Settings(
                    settings.rows, Integer.parseInt(value), settings.heap, settings.folder);
            case "--heap" -> new Settings(settings.rows, settings.runs, value, settings.folder);
            case "--dir" -> settings.in(value);
            default -> throw new IllegalArgumentException("Unknown option " + key);
          };
    }
    return settings;
  }

  /** The same, with its data in {@code chosen}. */
  Settings in(String chosen) {
    return new Settings(rows, runs, heap, chosen);
  }

  /** The address of {@code name} in the folder. */
  String path(String name) {
    return Objects.requireNonNull(folder) + "/" + name;
  }
}
