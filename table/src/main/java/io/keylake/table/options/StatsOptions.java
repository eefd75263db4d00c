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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
    Mode mode,
    Map<String, Mode> perColumn,
    Map<Integer, Mode> perLevel,
    boolean dense,
    int firstColumns)
    implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Mode NOTHING = new Mode(Mode.Kind.NONE, 0);
  private static final String COLUMN_PREFIX = "fields.";
  private static final String COLUMN_SUFFIX = ".stats-mode";

  /**
   * Which statistics of a column are kept.
   *
   * @param kind what is kept
   * @param length characters kept of texts; only for {@link Kind#TRUNCATE}, otherwise 0
   */
  public record Mode(Kind kind, int length) implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Pattern TRUNCATE = Pattern.compile("truncate\\(\\s*(\\d{1,9})\\s*\\)");

    /** What is kept. */
    public enum Kind {
      /** Nothing. */
      NONE,
      /** Only the number of NULLs. */
      COUNTS,
      /** Null count, and bounds of which texts are cut. */
      TRUNCATE,
      /** Null count and exact bounds. */
      FULL
    }

    /** Parses {@code none}, {@code counts}, {@code truncate(n)} or {@code full}. */
    static Mode parse(String key, String text) {
      String lower = text.strip().toLowerCase(Locale.ROOT);
      Matcher truncate = TRUNCATE.matcher(lower);
      if (truncate.matches() && Integer.parseInt(truncate.group(1)) > 0) {
        return new Mode(Kind.TRUNCATE, Integer.parseInt(truncate.group(1)));
      }
      return switch (lower) {
        case "none" -> new Mode(Kind.NONE, 0);
        case "counts" -> new Mode(Kind.COUNTS, 0);
        case "full" -> new Mode(Kind.FULL, 0);
        default ->
            throw new InvalidRequestException(
                Condition.KEYLAKE_INVALID_OPTION,
                "Invalid value '"
                    + text
                    + "' of option '"
                    + key
                    + "'. Allowed: none, counts, truncate(n) with n of at least 1, or full.");
      };
    }
  }

  /** Copies the maps. */
  public StatsOptions {
    perColumn = Map.copyOf(perColumn);
    perLevel = Map.copyOf(perLevel);
  }

  static StatsOptions of(Map<String, String> values) {
    Map<String, Mode> perColumn = new HashMap<>();
    values.forEach(
        (key, text) -> {
          if (key.startsWith(COLUMN_PREFIX) && key.endsWith(COLUMN_SUFFIX)) {
            int end = key.length() - COLUMN_SUFFIX.length();
            if (end > COLUMN_PREFIX.length()) {
              perColumn.put(key.substring(COLUMN_PREFIX.length(), end), Mode.parse(key, text));
            }
          }
        });
    return new StatsOptions(
        Mode.parse(StorageKeys.STATS_MODE.name(), StorageKeys.STATS_MODE.read(values)),
        perColumn,
        DataFileOptions.perLevel(StorageKeys.STATS_MODE_PER_LEVEL, values, Mode::parse),
        StorageKeys.STATS_DENSE.read(values),
        StorageKeys.STATS_FIRST_COLUMNS.read(values));
  }

  /**
   * The same options for changelog files.
   *
   * @param text the mode of columns that have none of their own; null = as before
   * @throws InvalidRequestException KEYLAKE_INVALID_OPTION when the text is no mode
   */
  public StatsOptions ofChangelog(@Nullable String text) {
    return text == null
        ? this
        : new StatsOptions(
            Mode.parse(StorageKeys.CHANGELOG_STATS_MODE.name(), text),
            perColumn,
            Map.of(),
            dense,
            firstColumns);
  }

  /** The mode of the column {@code name}, the {@code position}-th of the table from 0. */
  public Mode mode(String name, int position, int level) {
    if (perColumn.containsKey(name)) {
      return perColumn.getOrDefault(name, mode);
    }
    if (firstColumns >= 0 && position >= firstColumns) {
      return NOTHING;
    }
    return perLevel.getOrDefault(level, mode);
  }
}
