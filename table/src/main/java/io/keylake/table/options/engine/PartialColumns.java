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
import io.keylake.format.types.DataField;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.MergeOptions.Engine;
import io.keylake.table.options.TableOptions;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which columns a write sets; the others keep the values that the rows of the same keys have. Key
 * columns are always part.
 *
 * <ol>
 *   <li>{@code upsert.partial-column.name} = 'c2,c3': exactly these, NULL included, in every row.
 *   <li>{@code upsert.partial-column.enable} = true: in each row those that are not NULL.
 * </ol>
 *
 * <p>Example: after (k, b, c) the row (k, d, NULL) gives (k, d, c) with the second; (k, d, c) with
 * the first for column 2.
 */
public sealed interface PartialColumns extends Serializable {
  /** The columns of a row that are not NULL. */
  record NonNull() implements PartialColumns {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Some columns, whatever is in them.
   *
   * @param columns their positions in the table, ascending
   */
  record Named(List<Integer> columns) implements PartialColumns {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public Named {
      columns = List.copyOf(columns);
    }
  }

  /**
   * What a write with these options sets; empty = all columns.
   *
   * @param table the table's name, for messages
   * @throws InvalidRequestException KEYLAKE_INVALID_OPTION or KEYLAKE_COLUMN_NOT_FOUND when the
   *     options contradict each other, the columns or the table's engine
   */
  static Optional<PartialColumns> of(TableSchema schema, TableOptions options, String table) {
    Optional<List<String>> named = EngineKeys.PARTIAL_COLUMN_NAMES.find(options.asMap());
    boolean nonNull = EngineKeys.PARTIAL_COLUMNS.read(options.asMap());
    checkNames(options, table);
    checkAccepts(schema, options, table);
    if (named.isEmpty() && !nonNull) {
      return Optional.empty();
    }
    String key =
        named.isPresent()
            ? EngineKeys.PARTIAL_COLUMN_NAMES.name()
            : EngineKeys.PARTIAL_COLUMNS.name();
    checkEngine(schema, options, table, key);
    if (named.isPresent()) {
      Named columns = named(schema, named.get(), table);
      if (options.merge().engine() == Engine.PARTIAL_UPDATE) {
        checkOrder(schema, options, columns, table);
      }
      return Optional.of(columns);
    }
    for (DataField field : schema.fields()) {
      if (field.defaultValue() != null && !isKey(schema, field.name())) {
        throw invalid(
            key,
            table,
            "does not go with the default of column '"
                + field.name()
                + "': a row that leaves the column out would set it to its default. Name the"
                + " columns to set in '"
                + EngineKeys.PARTIAL_COLUMN_NAMES.name()
                + "', or remove the default.");
      }
    }
    return Optional.of(new NonNull());
  }

  /** A misspelt option would let rows set all columns, NULLs included. */
  private static void checkNames(TableOptions options, String table) {
    List<String> known =
        List.of(EngineKeys.PARTIAL_COLUMNS.name(), EngineKeys.PARTIAL_COLUMN_NAMES.name());
    for (String option : options.asMap().keySet()) {
      if (option.startsWith("upsert.partial-column") && !known.contains(option)) {
        throw invalid(option, table, "is unknown. Known: " + String.join(", ", known) + ".");
      }
    }
  }

  private static void checkAccepts(TableSchema schema, TableOptions options, String table) {
    String key = EngineKeys.PARTIAL_COLUMNS_ACCEPTED.name();
    boolean accepts = EngineKeys.PARTIAL_COLUMNS_ACCEPTED.read(options.asMap());
    if (accepts && !(schema.hasPrimaryKey() && options.merge().engine() == Engine.DEDUPLICATE)) {
      throw invalid(
          key, table, "is for primary-key tables with 'merge-engine' = 'deduplicate'. Remove it.");
    }
  }

  private static void checkEngine(
      TableSchema schema, TableOptions options, String table, String key) {
    if (!schema.hasPrimaryKey()) {
      throw invalid(key, table, "needs a primary key, whose rows are updated. Remove it.");
    }
    Engine engine = options.merge().engine();
    switch (engine) {
      case DEDUPLICATE -> {
        boolean refused =
            EngineKeys.PARTIAL_COLUMNS_ACCEPTED.isSet(options.asMap())
                && !EngineKeys.PARTIAL_COLUMNS_ACCEPTED.read(options.asMap());
        if (refused) {
          throw invalid(
              key,
              table,
              "is ruled out by '"
                  + EngineKeys.PARTIAL_COLUMNS_ACCEPTED.name()
                  + "' = 'false' of the table. Set that to 'true', or write whole rows.");
        }
      }
      case PARTIAL_UPDATE -> {}
      case AGGREGATION, FIRST_ROW ->
          throw invalid(
              key,
              table,
              "does not go with 'merge-engine' = '"
                  + EngineKeys.MERGE_ENGINE.print(engine)
                  + "'. Use it with deduplicate or partial-update.");
    }
  }

  private static Named named(TableSchema schema, List<String> names, String table) {
    String key = EngineKeys.PARTIAL_COLUMN_NAMES.name();
    List<Integer> columns = new ArrayList<>();
    for (String name : names) {
      int column = schema.rowType().indexOf(name);
      if (column < 0) {
        throw new InvalidRequestException(
            Condition.KEYLAKE_COLUMN_NOT_FOUND,
            "Option '"
                + key
                + "' of a write to table "
                + table
                + " names the column '"
                + name
                + "', which does not exist. Columns: "
                + String.join(", ", schema.rowType().names())
                + ".");
      }
      if (isKey(schema, name)) {
        throw invalid(
            key,
            table,
            "names the column '"
                + name
                + "' of the primary key or of the partition, which every row has to give anyway."
                + " Name other columns only.");
      }
      if (columns.contains(column)) {
        throw invalid(key, table, "names the column '" + name + "' twice. Name it once.");
      }
      columns.add(column);
    }
    if (columns.isEmpty()) {
      throw invalid(key, table, "names no column. Name the columns to set, or remove it.");
    }
    columns.sort(null);
    return new Named(columns);
  }

  /** Rows whose order is not given would be taken for older than all others. */
  private static void checkOrder(
      TableSchema schema, TableOptions options, Named named, String table) {
    Set<Integer> needed = new TreeSet<>();
    options.merge().sequenceFields().forEach(name -> needed.add(schema.rowType().indexOf(name)));
    if (EngineRules.of(schema, table) instanceof EngineRules.PartialUpdate rules) {
      for (int column : named.columns()) {
        int lane = rules.columns().get(column).lane();
        if (lane > 0) {
          needed.addAll(rules.groups().get(lane - 1).fields());
        }
      }
    }
    needed.removeAll(named.columns());
    if (!needed.isEmpty()) {
      throw invalid(
          EngineKeys.PARTIAL_COLUMN_NAMES.name(),
          table,
          "leaves out "
              + needed.stream().map(column -> schema.fields().get(column).name()).toList()
              + ", which order what is set: without them the rows would not be seen. Name them,"
              + " too.");
    }
  }

  private static boolean isKey(TableSchema schema, String column) {
    return schema.primaryKeys().contains(column) || schema.partitionKeys().contains(column);
  }

  private static InvalidRequestException invalid(String key, String table, String what) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_OPTION, "Option '" + key + "' of table " + table + " " + what);
  }
}
