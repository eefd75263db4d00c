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

package io.keylake.table.changes;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.table.options.KnownOptions;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.TimeTravelOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options by which the format's readers ask for a part of the history instead of a version.
 *
 * @param between two versions; null when not given
 * @param betweenTimes two times as they were written; null when not given
 * @param toAutoTag a tag that the table made by itself: from the one before it; null when not given
 * @param mode how the difference is told
 * @param tags what two tags mean
 */
public record IncrementalOptions(
    @Nullable Pair between,
    @Nullable Pair betweenTimes,
    @Nullable String toAutoTag,
    Mode mode,
    Tags tags) {
  private static final String BETWEEN = "incremental-between";
  private static final String BETWEEN_TIMES = "incremental-between-timestamp";
  private static final String TO_AUTO_TAG = "incremental-to-auto-tag";
  private static final String SCAN_MODE = "incremental-between-scan-mode";
  private static final String TAG_TO_SNAPSHOT = "incremental-between-tag-to-snapshot";

  /**
   * The ends of a range as they were written.
   *
   * @param start excluded
   * @param end included
   */
  public record Pair(String start, String end) {}

  /** How the difference is told. */
  public enum Mode {
    /** By changelog files when the table has a producer, else by the added files. */
    AUTO,
    /** By the files that appends added. */
    DELTA,
    /** By changelog files. */
    CHANGELOG,
    /** By comparing the two versions. */
    DIFF
  }

  /** What two tags mean. */
  public enum Tags {
    /** Their versions are compared. */
    COMPARED,
    /** They stand for the ids of their snapshots. */
    AS_SNAPSHOTS
  }

  /** What options ask for; empty when they ask for no part of the history. */
  public static Optional<IncrementalOptions> of(Map<String, String> options) {
    List<String> given = new ArrayList<>();
    for (String key : List.of(BETWEEN, BETWEEN_TIMES, TO_AUTO_TAG)) {
      if (options.containsKey(key)) {
        given.add(key);
      }
    }
    if (given.isEmpty()) {
      return Optional.empty();
    }
    if (given.size() > 1) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "The options "
              + given
              + " contradict each other: each chooses a part of the history. Keep one of them.");
    }
    checkAlone(given.get(0), options);
    return Optional.of(
        new IncrementalOptions(
            pair(BETWEEN, options),
            pair(BETWEEN_TIMES, options),
            options.get(TO_AUTO_TAG),
            mode(value(SCAN_MODE, options)),
            value(TAG_TO_SNAPSHOT, options).equals("true") ? Tags.AS_SNAPSHOTS : Tags.COMPARED));
  }

  /** A part of the history is no version, and no mode of reading one. */
  private static void checkAlone(String key, Map<String, String> options) {
    List<String> others = new ArrayList<>(TimeTravelOptions.given(options));
    ScanKeys.Mode mode = ScanKeys.MODE.read(options);
    if (mode != ScanKeys.Mode.DEFAULT && mode != ScanKeys.Mode.INCREMENTAL) {
      others.add(ScanKeys.MODE.name());
    }
    if (!others.isEmpty()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "The option '"
              + key
              + "' chooses a part of the history, which contradicts "
              + others
              + ". Keep one of them.");
    }
  }

  /** The value that holds, checked, as text. */
  private static String value(String key, Map<String, String> options) {
    return KnownOptions.find(key)
        .map(known -> String.valueOf((Object) known.read(options)))
        .orElseThrow(() -> new IllegalStateException("Option " + key + " is not declared"));
  }

  private static Mode mode(String text) {
    return switch (text) {
      case "delta" -> Mode.DELTA;
      case "changelog" -> Mode.CHANGELOG;
      case "diff" -> Mode.DIFF;
      default -> Mode.AUTO;
    };
  }

  private static @Nullable Pair pair(String key, Map<String, String> options) {
    String text = options.get(key);
    if (text == null) {
      return null;
    }
    String[] parts = text.split(",", -1);
    if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "The option '%s' = '%s' does not name two ends. Write it like '%s', the first excluded."
              .formatted(
                  key,
                  text,
                  key.equals(BETWEEN) ? "3,5" : "2024-01-01 00:00:00,2024-01-02 00:00:00"));
    }
    return new Pair(parts[0].trim(), parts[1].trim());
  }
}
