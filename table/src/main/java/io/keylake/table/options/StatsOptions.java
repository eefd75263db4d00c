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

package io.keylake.table.options;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/**
 * Which statistics of columns the manifest entry of a data file holds.
 *
 * @param mode for columns and levels that have no mode of their own
 * @param perColumn by column name; goes before {@code perLevel}
 * @param perLevel by level
 * @param dense whether columns without statistics take no room
 * @param firstColumns statistics only of so many columns; -1 = of all
 */
public record StatsOptions(
    StatsMode mode,
    Map<String, StatsMode> perColumn,
    Map<Integer, StatsMode> perLevel,
    boolean dense,
    int firstColumns)
    implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final StatsMode NOTHING = new StatsMode(StatsMode.Kind.NONE, 0);
  private static final String COLUMN_PREFIX = "fields.";
  private static final String COLUMN_SUFFIX = ".stats-mode";

  /** Copies the maps. */
  public StatsOptions {
    perColumn = Map.copyOf(perColumn);
    perLevel = Map.copyOf(perLevel);
  }

  static StatsOptions of(Map<String, String> values) {
    Map<String, StatsMode> perColumn = new HashMap<>();
    values.forEach(
        (key, text) -> {
          if (key.startsWith(COLUMN_PREFIX) && key.endsWith(COLUMN_SUFFIX)) {
            int end = key.length() - COLUMN_SUFFIX.length();
            if (end > COLUMN_PREFIX.length()) {
              perColumn.put(key.substring(COLUMN_PREFIX.length(), end), StatsMode.parse(key, text));
            }
          }
        });
    return new StatsOptions(
        StatsMode.parse(StorageKeys.STATS_MODE.name(), StorageKeys.STATS_MODE.read(values)),
        perColumn,
        DataFileOptions.perLevel(StorageKeys.STATS_MODE_PER_LEVEL, values, StatsMode::parse),
        StorageKeys.STATS_DENSE.read(values),
        StorageKeys.STATS_FIRST_COLUMNS.read(values));
  }

  /** The mode of the column {@code name}, the {@code position}-th of the table from 0. */
  public StatsMode mode(String name, int position, int level) {
    if (perColumn.containsKey(name)) {
      return perColumn.getOrDefault(name, mode);
    }
    if (firstColumns >= 0 && position >= firstColumns) {
      return NOTHING;
    }
    return perLevel.getOrDefault(level, mode);
  }
}
