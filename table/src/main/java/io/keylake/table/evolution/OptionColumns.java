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

package io.keylake.table.evolution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where options name columns: in the value of keys such as {@code bucket-key} and {@code
 * fields.g.sequence-group}, and in keys such as {@code fields.<c>.aggregate-function} and {@code
 * file-index.<kind>.<c>.<setting>}.
 */
final class OptionColumns {
  private static final Set<String> SEQUENCE_OPTIONS = Set.of("sequence.field");
  private static final Set<String> LIST_OPTIONS =
      Set.of(
          "bucket-key",
          "clustering.columns",
          "sink.clustering.by-columns",
          "sequence.field",
          "rowkind.field",
          "record-level.time-field",
          "upsert-key",
          "changelog-producer.row-deduplicate-ignore-fields",
          "upsert.partial-column.name",
          "partial-update.remove-record-on-sequence-group");
  private static final String SEQUENCE_GROUP = "sequence-group";
  private static final Pattern FIELDS = Pattern.compile("(fields\\.)(.+)(\\.[^.]+)");
  private static final Pattern INDEX_COLUMNS = Pattern.compile("file-index\\.[^.]+\\.columns");
  private static final Pattern INDEX_SETTING =
      Pattern.compile("(file-index\\.[^.]+\\.)(.+)(\\.[^.]+)");

  private OptionColumns() {}

  /** The options that name {@code column}, sorted. */
  static List<String> naming(Map<String, String> options, String column) {
    List<String> names = new ArrayList<>();
    new TreeMap<>(options)
        .forEach(
            (key, value) -> {
              if (columnsInKey(key).contains(column)
                  || isList(key) && columns(value).contains(column)) {
                names.add(key);
              }
            });
    return names;
  }

  /** Whether rows of one key are ordered by {@code column}. */
  static boolean isSequenceColumn(Map<String, String> options, String column) {
    return options.entrySet().stream()
        .anyMatch(
            option ->
                SEQUENCE_OPTIONS.contains(option.getKey())
                        && columns(option.getValue()).contains(column)
                    || option.getKey().endsWith("." + SEQUENCE_GROUP)
                        && columnsInKey(option.getKey()).contains(column));
  }

  /** The columns of a comma-separated list. */
  static List<String> columns(String list) {
    return Arrays.stream(list.split(",", -1)).map(String::strip).toList();
  }

  /** The options with {@code newName} wherever they name {@code column}. */
  static Map<String, String> rename(Map<String, String> options, String column, String newName) {
    Map<String, String> renamed = new HashMap<>();
    options.forEach(
        (key, value) ->
            renamed.put(
                renameInKey(key, column, newName),
                isList(key) ? renameInList(value, column, newName) : value));
    return renamed;
  }

  private static boolean isList(String key) {
    return LIST_OPTIONS.contains(key)
        || INDEX_COLUMNS.matcher(key).matches()
        || key.startsWith("fields.") && key.endsWith("." + SEQUENCE_GROUP);
  }

  private static List<String> columnsInKey(String key) {
    Matcher matcher = embedded(key);
    return matcher.matches() ? columns(matcher.group(2)) : List.of();
  }

  private static String renameInKey(String key, String column, String newName) {
    Matcher matcher = embedded(key);
    return matcher.matches()
        ? matcher.group(1) + renameInList(matcher.group(2), column, newName) + matcher.group(3)
        : key;
  }

  private static Matcher embedded(String key) {
    Matcher fields = FIELDS.matcher(key);
    return fields.matches() ? fields : INDEX_SETTING.matcher(key);
  }

  private static String renameInList(String list, String column, String newName) {
    return columns(list).contains(column)
        ? columns(list).stream()
            .map(name -> name.equals(column) ? newName : name)
            .collect(Collectors.joining(","))
        : list;
  }
}
