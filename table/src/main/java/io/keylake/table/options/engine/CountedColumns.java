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

package io.keylake.table.options.engine;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.TypeRoot;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.OptionKey;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Columns with the aggregate function {@code count}, which the format does not have. Such a column
 * is stored with the function {@code sum} and a mark of ours, {@code fields.<c>.keylake-count}; the
 * writer turns each written value into 1 and NULL into 0, so that every reader of the table sees
 * the count.
 */
public final class CountedColumns {
  /** Types of columns that can count. */
  static final Set<TypeRoot> TYPES =
      EnumSet.of(TypeRoot.TINYINT, TypeRoot.SMALLINT, TypeRoot.INT, TypeRoot.BIGINT);

  private static final String PREFIX = "fields.";
  private static final String FUNCTION = suffix(EngineKeys.AGGREGATE_FUNCTION);
  private static final String MARK = suffix(EngineKeys.COUNTS);

  private CountedColumns() {}

  /**
   * The positions, in the table, of the columns that count what is written into them; none where
   * the merge engine uses no functions.
   */
  public static List<Integer> of(TableSchema schema) {
    boolean aggregates =
        switch (EngineKeys.MERGE_ENGINE.read(schema.options())) {
          case AGGREGATION, PARTIAL_UPDATE -> schema.hasPrimaryKey();
          case DEDUPLICATE, FIRST_ROW -> false;
        };
    return IntStream.range(0, schema.fields().size())
        .filter(i -> aggregates && isCounted(schema.options(), schema.fields().get(i).name()))
        .boxed()
        .toList();
  }

  static boolean isCounted(Map<String, String> options, String column) {
    return EngineKeys.COUNTS.forColumns(column).read(options);
  }

  /** The options as they are stored: {@code count} becomes {@code sum} with the mark. */
  public static Map<String, String> stored(Map<String, String> options) {
    Map<String, String> stored = new HashMap<>(options);
    options.forEach(
        (key, value) -> {
          if (column(key, FUNCTION).isPresent() && isCount(value)) {
            put(stored, key, value);
          }
        });
    return stored;
  }

  /** Sets an option among those stored; another function than {@code count} ends the counting. */
  public static void put(Map<String, String> stored, String option, String value) {
    Optional<String> column = column(option, FUNCTION);
    if (column.isEmpty()) {
      stored.put(option, value);
      return;
    }
    String mark = EngineKeys.COUNTS.forColumns(column.get()).name();
    if (isCount(value)) {
      stored.put(option, EngineFunction.SUM.text());
      stored.put(mark, Boolean.toString(true));
    } else {
      stored.put(option, value);
      stored.remove(mark);
    }
  }

  /** Removes an option from those stored, and the mark with its function. */
  public static void remove(Map<String, String> stored, String option) {
    stored.remove(option);
    column(option, FUNCTION)
        .ifPresent(column -> stored.remove(EngineKeys.COUNTS.forColumns(column).name()));
  }

  /** The options as users see them: without marks, and {@code count} where one stood. */
  public static Map<String, String> shown(Map<String, String> stored) {
    Map<String, String> shown = new HashMap<>(stored);
    stored.forEach(
        (key, value) ->
            column(key, MARK)
                .filter(column -> isCounted(stored, column))
                .ifPresent(
                    column -> {
                      shown.remove(key);
                      shown.put(shownName(key), EngineFunction.COUNT);
                    }));
    return shown;
  }

  /** The option that users know: the function's where {@code option} is a mark, or else itself. */
  public static String shownName(String option) {
    return column(option, MARK)
        .map(column -> EngineKeys.AGGREGATE_FUNCTION.forColumns(column).name())
        .orElse(option);
  }

  private static boolean isCount(String value) {
    return value.strip().equals(EngineFunction.COUNT);
  }

  private static Optional<String> column(String option, String suffix) {
    boolean matches =
        option.startsWith(PREFIX)
            && option.endsWith(suffix)
            && option.length() > PREFIX.length() + suffix.length();
    return matches
        ? Optional.of(option.substring(PREFIX.length(), option.length() - suffix.length()))
        : Optional.empty();
  }

  private static String suffix(OptionKey<?> family) {
    return family.name().substring(family.name().lastIndexOf('.'));
  }
}
