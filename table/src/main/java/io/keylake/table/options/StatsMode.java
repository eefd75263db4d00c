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
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which statistics of a column are kept.
 *
 * @param kind what is kept
 * @param length characters kept of texts; only for {@link Kind#TRUNCATE}, otherwise 0
 */
public record StatsMode(Kind kind, int length) implements Serializable {
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
  static StatsMode parse(String key, String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    Matcher truncate = TRUNCATE.matcher(lower);
    if (truncate.matches() && Integer.parseInt(truncate.group(1)) > 0) {
      return new StatsMode(Kind.TRUNCATE, Integer.parseInt(truncate.group(1)));
    }
    return switch (lower) {
      case "none" -> new StatsMode(Kind.NONE, 0);
      case "counts" -> new StatsMode(Kind.COUNTS, 0);
      case "full" -> new StatsMode(Kind.FULL, 0);
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
