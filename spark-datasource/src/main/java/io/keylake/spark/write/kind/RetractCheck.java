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

package io.keylake.spark.write.kind;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.merge.function.UnsupportedRetraction;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.ColumnRule;
import io.keylake.table.options.engine.EngineRules;
import io.keylake.table.options.engine.EngineRules.Retracts;
import io.keylake.table.options.engine.SequenceGroup;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Refuses rows of kind -U and -D that a table could not merge, when they are written, so that no
 * later reader meets them.
 *
 * <ol>
 *   <li>Append tables hold rows of kind +I only.
 *   <li>A row that sets some columns of a deduplicate table takes no row back.
 *   <li>first-row takes no row back, and neither does partial-update unless its options say how.
 *   <li>aggregation takes each column back: all functions must be able to, but those of columns
 *       with {@code ignore-retract}; a column that is NOT NULL must not be left without a value. A
 *       row of kind -D that removes the key takes back nothing.
 *   <li>partial-update with sequence groups takes back the columns of those groups whose fields are
 *       not all NULL in the row. A row of kind -D may remove the key in some groups: their columns
 *       are not looked at then.
 * </ol>
 *
 * Rule source: table behaviour, first-row, partial-update and aggregation. Pinned by {@code
 * IncomingRowsTest}.
 */
final class RetractCheck {
  /** A column whose function cannot take a value back, unless {@code group} is all NULL. */
  private record Column(String name, boolean becomesNull, @Nullable SequenceGroup group) {}

  private final String table;
  private final TableSchema schema;
  private final boolean setsSomeColumns;
  private final @Nullable EngineRules rules;
  private final List<Column> ofUpdates;
  private final List<Column> ofDeletes;

  private RetractCheck(TableSchema schema, String table, boolean setsSomeColumns) {
    this.setsSomeColumns = setsSomeColumns;
    this.schema = schema;
    this.table = table;
    this.rules = schema.hasPrimaryKey() ? EngineRules.of(schema, table) : null;
    this.ofUpdates = columns(ChangeKind.UPDATE_BEFORE);
    this.ofDeletes = columns(ChangeKind.DELETE);
  }

  /** What a table refuses. */
  static RetractCheck of(TableSchema schema, String table, KindRules kinds) {
    return new RetractCheck(schema, table, kinds.setsSomeColumns());
  }

  private List<Column> columns(ChangeKind kind) {
    List<Column> columns = new ArrayList<>();
    if (rules instanceof EngineRules.Aggregation aggregation
        && !(aggregation.removesOnDelete() && kind == ChangeKind.DELETE)) {
      add(columns, kind, aggregation.columns(), List.of());
    } else if (rules instanceof EngineRules.PartialUpdate partialUpdate
        && partialUpdate.retracts() == Retracts.BY_GROUP) {
      add(columns, kind, partialUpdate.columns(), partialUpdate.groups());
    }
    return columns;
  }

  /** Whether a column that is NOT NULL is left without a value by taking its last one back. */
  private static boolean becomesNull(DataField column, ColumnRule rule) {
    return !column.type().nullable()
        && (rule.function() == Plain.LAST_VALUE || rule.function() == Plain.LAST_NON_NULL_VALUE);
  }

  private void add(
      List<Column> columns, ChangeKind kind, List<ColumnRule> all, List<SequenceGroup> groups) {
    for (int i = 0; i < all.size(); i++) {
      ColumnRule rule = all.get(i);
      boolean isGrouped = !groups.isEmpty();
      boolean becomesNull = becomesNull(schema.fields().get(i), rule);
      boolean canRetract = rule.function().canRetract() && !becomesNull;
      if (rule.skipsRetracts() || canRetract || isGrouped && rule.lane() == 0) {
        continue;
      }
      SequenceGroup group = isGrouped ? groups.get(rule.lane() - 1) : null;
      if (group == null || kind != ChangeKind.DELETE || !group.removesOnDelete()) {
        columns.add(new Column(schema.fields().get(i).name(), becomesNull, group));
      }
    }
  }

  /**
   * Checks a row of a kind.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_VALUE for append tables, else
   *     KEYLAKE_UNSUPPORTED_RETRACTION
   */
  void check(ChangeKind kind, UnsafeRow row) {
    if (rules == null && kind != ChangeKind.INSERT) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_VALUE,
          start(kind)
              + "a table without a primary key holds rows of kind +I only. Filter such rows, or"
              + " create the table with a primary key.");
    }
    if (!kind.isRetract()) {
      return;
    }
    if (setsSomeColumns) {
      throw refuse(
          kind,
          "this statement sets some columns and keeps the others, which is for rows of kind +I and"
              + " +U. Delete rows in a statement without '"
              + EngineKeys.PARTIAL_COLUMNS.name()
              + "' and '"
              + EngineKeys.PARTIAL_COLUMN_NAMES.name()
              + "'.");
    }
    if (rules instanceof EngineRules.FirstRow) {
      throw refuse(
          kind,
          "its merge engine first-row keeps the row that was written first and takes none back."
              + " Set 'ignore-delete' = 'true' to drop such rows.");
    }
    if (rules instanceof EngineRules.PartialUpdate partialUpdate
        && partialUpdate.retracts() == Retracts.REFUSED) {
      throw refuse(
          kind,
          "its merge engine partial-update does not know which columns to take back. Set"
              + " 'ignore-delete' = 'true' to drop such rows, or"
              + " 'partial-update.remove-record-on-delete' = 'true' (while the table is empty) so"
              + " that -D removes the key, or order the columns by"
              + " 'fields.<column>.sequence-group'.");
    }
    for (Column column : kind == ChangeKind.DELETE ? ofDeletes : ofUpdates) {
      if (column.group() == null || !isAllNull(column.group(), row)) {
        throw column.becomesNull()
            ? refuse(
                kind,
                "column "
                    + column.name()
                    + " is NOT NULL, and taking its last value back would leave NULL. Set 'fields."
                    + column.name()
                    + ".ignore-retract' = 'true' to keep the value, or let the column be nullable.")
            : UnsupportedRetraction.of(table, column.name(), function(column.name()));
      }
    }
  }

  private static boolean isAllNull(SequenceGroup group, UnsafeRow row) {
    for (int field : group.fields()) {
      if (!row.isNullAt(field)) {
        return false;
      }
    }
    return true;
  }

  private String function(String column) {
    return EngineKeys.AGGREGATE_FUNCTION
        .forColumns(column)
        .find(schema.options())
        .or(() -> EngineKeys.DEFAULT_FUNCTION.find(schema.options()))
        .orElse("");
  }

  private String start(ChangeKind kind) {
    return "Cannot write a row of kind " + kind.shortName() + " into " + table + ": ";
  }

  private InvalidRequestException refuse(ChangeKind kind, String why) {
    return new InvalidRequestException(Condition.KEYLAKE_UNSUPPORTED_RETRACTION, start(kind) + why);
  }
}
