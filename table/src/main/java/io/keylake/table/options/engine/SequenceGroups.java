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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.OptionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sequence groups of a partial-update table, in the order of their options' names.
 *
 * <p>Rule source: table behaviour, partial-update; pinned by {@code EngineOptionsTest}.
 */
final class SequenceGroups {
  private static final String PREFIX = "fields.";
  private static final String SUFFIX = ".sequence-group";

  private final TableSchema schema;
  private final String table;
  private final List<SequenceGroup> groups = new ArrayList<>();
  private final List<String> optionNames = new ArrayList<>();
  private final Map<Integer, Integer> laneOfColumn = new HashMap<>();

  private SequenceGroups(TableSchema schema, String table) {
    this.schema = schema;
    this.table = table;
  }

  static SequenceGroups of(TableSchema schema, String table) {
    SequenceGroups groups = new SequenceGroups(schema, table);
    List<String> removing =
        EngineKeys.PARTIAL_REMOVE_ON_GROUP.find(schema.options()).orElse(List.of());
    new TreeMap<>(schema.options())
        .keySet().stream()
            .filter(SequenceGroups::isGroup)
            .forEach(option -> groups.add(option, removing));
    groups.checkRemoving(removing);
    return groups;
  }

  /** Whether an option defines a group. */
  static boolean isGroup(String option) {
    return option.startsWith(PREFIX)
        && option.endsWith(SUFFIX)
        && option.length() > PREFIX.length() + SUFFIX.length();
  }

  /** The columns that the key of such an option names. */
  static List<String> orderingColumns(String option) {
    String names = option.substring(PREFIX.length(), option.length() - SUFFIX.length());
    return Arrays.stream(names.split(",", -1)).map(String::strip).toList();
  }

  /** The columns that such an option protects. */
  static List<String> protectedColumns(TableSchema schema, String option) {
    String names = option.substring(PREFIX.length(), option.length() - SUFFIX.length());
    OptionKey<List<String>> key = EngineKeys.SEQUENCE_GROUP.forColumns(names);
    return key.find(schema.options()).orElse(List.of());
  }

  private void add(String option, List<String> removing) {
    List<Integer> fields = new ArrayList<>();
    for (String name : orderingColumns(option)) {
      fields.add(put(option, name, List.of()));
    }
    List<String> protectedColumns = protectedColumns(schema, option);
    if (protectedColumns.isEmpty()) {
      throw invalid(
          "Option '"
              + option
              + "' of table "
              + table
              + " names no column. Name the columns whose values it orders, or remove the option.");
    }
    for (String name : protectedColumns) {
      put(option, name, fields);
    }
    boolean removes = orderingColumns(option).stream().anyMatch(removing::contains);
    groups.add(new SequenceGroup(fields, removes));
    optionNames.add(option);
  }

  /** A column that orders a group may be among those that it protects: that says nothing. */
  private int put(String option, String name, List<Integer> ordering) {
    int position = schema.fields().indexOf(NamedColumns.find(schema, table, option, name));
    Integer lane = laneOfColumn.putIfAbsent(position, groups.size() + 1);
    if (lane != null && !ordering.contains(position)) {
      throw repeated(name, lane <= groups.size() ? optionNames.get(lane - 1) : option, option);
    }
    return position;
  }

  private void checkRemoving(List<String> removing) {
    String option = EngineKeys.PARTIAL_REMOVE_ON_GROUP.name();
    for (String name : removing) {
      int position = schema.fields().indexOf(NamedColumns.find(schema, table, option, name));
      if (!orders(position)) {
        throw invalid(
            "Option '"
                + option
                + "' of table "
                + table
                + " names the column '"
                + name
                + "', which orders no sequence group. Name columns that stand in the key of an"
                + " option 'fields.<column>.sequence-group'.");
      }
    }
  }

  /** The groups. */
  List<SequenceGroup> groups() {
    return List.copyOf(groups);
  }

  /** The option of the first group. */
  String firstOption() {
    return optionNames.get(0);
  }

  /** The lane of a column: 0 when it is in no group. */
  int lane(int position) {
    @Nullable Integer lane = laneOfColumn.get(position);
    return lane == null ? 0 : lane;
  }

  /** Whether the column orders a group. */
  boolean orders(int position) {
    return groups.stream().anyMatch(group -> group.fields().contains(position));
  }

  private InvalidRequestException repeated(String column, String one, String other) {
    return invalid(
        "The column '"
            + column
            + "' of table "
            + table
            + (one.equals(other)
                ? " is named twice by '" + one + "'. Name it once."
                : " is in two sequence groups: '"
                    + one
                    + "' and '"
                    + other
                    + "'. Leave it in one of them."));
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, message);
  }
}
