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

package io.keylake.catalog.rowlevel;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A kind of table that scenarios run on. */
enum TableKind {
  KEYED("'bucket' = '2'"),
  DYNAMIC("'bucket' = '-1'"),
  PARTIAL_UPDATE("'bucket' = '2', 'merge-engine' = 'partial-update'"),
  KEYED_VECTORS("'bucket' = '2', 'deletion-vectors.enabled' = 'true'"),
  KEYED_PARTITIONED("'bucket' = '1'"),
  APPEND(""),
  APPEND_VECTORS("'deletion-vectors.enabled' = 'true'");

  private static final String PARTITION = "dep";

  private final String properties;

  TableKind(String properties) {
    this.properties = properties;
  }

  /** The kinds of tables with a primary key. */
  static Set<TableKind> keyed() {
    return EnumSet.range(KEYED, KEYED_PARTITIONED);
  }

  /** The kinds that a list of names says; {@code all}, {@code primary-key} or a name with a -. */
  static Set<TableKind> named(String names) {
    Set<TableKind> kinds = EnumSet.noneOf(TableKind.class);
    for (String name : names.split("[ ,]+")) {
      if (name.equals("all")) {
        kinds.addAll(EnumSet.allOf(TableKind.class));
      } else if (name.equals("primary-key")) {
        kinds.addAll(keyed());
      } else if (name.startsWith("-")) {
        kinds.remove(one(name.substring(1)));
      } else {
        kinds.add(one(name));
      }
    }
    return kinds;
  }

  private static TableKind one(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** The name in files and reports. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean isKeyed() {
    return keyed().contains(this);
  }

  /** Whether a table of these columns can be of this kind. */
  boolean suits(Scenario scenario) {
    return this != KEYED_PARTITIONED
        || scenario.key().equals("pk") && hasPartition(scenario.columns());
  }

  /** The statement that creates the table {@code t}. */
  String create(Scenario scenario) {
    boolean partitioned =
        (this == APPEND || this == KEYED_PARTITIONED) && hasPartition(scenario.columns());
    String key = partitioned ? PARTITION + "," + scenario.key() : scenario.key();
    String options =
        List.of(
                isKeyed() ? "'row-level.key-update' = 'move', 'primary-key' = '" + key + "'" : "",
                properties,
                scenario.properties())
            .stream()
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    return "CREATE TABLE t ("
        + scenario.columns()
        + ")"
        + (partitioned ? " PARTITIONED BY (" + PARTITION + ")" : "")
        + (options.isEmpty() ? "" : " TBLPROPERTIES (" + options + ")");
  }

  private static boolean hasPartition(String columns) {
    return Arrays.stream(columns.split(","))
        .anyMatch(column -> column.strip().matches(PARTITION + " (STRING|INT)\\b.*"));
  }
}
