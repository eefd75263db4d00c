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
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.EngineRules.Retracts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the rules of an engine from a table's options.
 *
 * <ol>
 *   <li>Columns of the primary key keep their value, and so do partition columns, since rows are
 *       merged within a partition.
 *   <li>aggregation: a sequence field takes its last value; other columns have their own function,
 *       else the default function, else the last value that is not NULL.
 *   <li>partial-update: a column outside of sequence groups takes the last value that is not NULL;
 *       one that orders a group is set with the group; one that a group protects has its own
 *       function, else the default function, else its value in the latest row of the group. A
 *       function other than last_non_null_value needs a group.
 *   <li>partial-update passes rows of kind -U and -D over with {@code ignore-delete}, takes them
 *       back by group when there are groups, and removes keys with {@code
 *       partial-update.remove-record-on-delete}; of these only one may be asked for.
 * </ol>
 *
 * <p>Rule source: table behaviour, merge engines; pinned by {@code EngineOptionsTest}.
 */
final class EngineOptions {
  private final TableSchema schema;
  private final String table;
  private final Map<String, String> options;
  private final MergeOptions merge;

  private EngineOptions(TableSchema schema, String table) {
    this.schema = schema;
    this.table = table;
    this.options = schema.options();
    this.merge = TableOptions.of(schema).merge();
  }

  static EngineRules rules(TableSchema schema, String table) {
    EngineOptions options = new EngineOptions(schema, table);
    return switch (options.merge.engine()) {
      case DEDUPLICATE -> new EngineRules.Deduplicate(options.merge.ignoreDelete());
      case FIRST_ROW -> new EngineRules.FirstRow(options.merge.ignoreDelete());
      case AGGREGATION -> options.aggregation();
      case PARTIAL_UPDATE -> options.partialUpdate();
    };
  }

  private EngineRules aggregation() {
    boolean removes = EngineKeys.AGGREGATION_REMOVE_ON_DELETE.read(options);
    List<ColumnRule> columns = new ArrayList<>();
    for (DataField column : schema.fields()) {
      FunctionSettings settings = settings(column);
      if (isFixed(column.name())) {
        columns.add(new ColumnRule(0, Plain.KEY, false));
        continue;
      }
      AggregateFunction function =
          merge.sequenceFields().contains(column.name())
              ? Plain.LAST_VALUE
              : function(settings, Plain.LAST_NON_NULL_VALUE);
      boolean skips = settings.read(EngineKeys.IGNORE_RETRACT);
      if (skips && removes) {
        throw contradiction(
            EngineKeys.IGNORE_RETRACT.forColumns(column.name()).name(),
            EngineKeys.AGGREGATION_REMOVE_ON_DELETE.name(),
            "a row of kind -D cannot both remove the key and leave the column as it is");
      }
      columns.add(new ColumnRule(0, function, skips));
    }
    return new EngineRules.Aggregation(removes, columns);
  }

  private EngineRules partialUpdate() {
    SequenceGroups groups = SequenceGroups.of(schema, table);
    Retracts retracts = retracts(groups);
    List<ColumnRule> columns = new ArrayList<>();
    for (DataField column : schema.fields()) {
      columns.add(partialUpdate(column, groups));
    }
    return new EngineRules.PartialUpdate(retracts, groups.groups(), columns);
  }

  private ColumnRule partialUpdate(DataField column, SequenceGroups groups) {
    if (isFixed(column.name())) {
      return new ColumnRule(0, Plain.KEY, false);
    }
    int position = schema.fields().indexOf(column);
    int lane = groups.lane(position);
    if (groups.orders(position)) {
      return new ColumnRule(lane, Plain.GROUP_ORDER, false);
    }
    FunctionSettings settings = settings(column);
    AggregateFunction none = lane == 0 ? Plain.LAST_NON_NULL_VALUE : Plain.GROUP_VALUE;
    AggregateFunction function =
        merge.sequenceFields().contains(column.name()) ? none : function(settings, none);
    if (lane == 0 && function != Plain.LAST_NON_NULL_VALUE) {
      throw needsGroup(settings);
    }
    boolean skips = function != none && settings.read(EngineKeys.IGNORE_RETRACT);
    return new ColumnRule(lane, function, skips);
  }

  private Retracts retracts(SequenceGroups groups) {
    String removesOption = EngineKeys.PARTIAL_REMOVE_ON_DELETE.name();
    boolean removes = EngineKeys.PARTIAL_REMOVE_ON_DELETE.read(options);
    if (merge.ignoreDelete()) {
      String ignores = EngineKeys.IGNORE_DELETE.name();
      if (removes) {
        throw contradiction(ignores, removesOption, "rows of kind -D are dropped");
      }
      if (groups.groups().stream().anyMatch(SequenceGroup::removesOnDelete)) {
        throw contradiction(
            ignores, EngineKeys.PARTIAL_REMOVE_ON_GROUP.name(), "rows of kind -D are dropped");
      }
      return Retracts.SKIPPED;
    }
    if (!groups.groups().isEmpty()) {
      if (removes) {
        throw contradiction(
            removesOption,
            groups.firstOption(),
            "with sequence groups use '" + EngineKeys.PARTIAL_REMOVE_ON_GROUP.name() + "'");
      }
      return Retracts.BY_GROUP;
    }
    return removes ? Retracts.REMOVE_ON_DELETE : Retracts.REFUSED;
  }

  private static AggregateFunction function(FunctionSettings settings, AggregateFunction none) {
    return settings
        .functionName()
        .map(name -> settings.function(settings.functionOption().name(), name))
        .orElse(none);
  }

  private FunctionSettings settings(DataField column) {
    return new FunctionSettings(schema, table, column);
  }

  private boolean isFixed(String column) {
    return schema.primaryKeys().contains(column) || schema.partitionKeys().contains(column);
  }

  private InvalidRequestException needsGroup(FunctionSettings settings) {
    return invalid(
        "Option '"
            + settings.functionOption().name()
            + "' of the partial-update table "
            + table
            + " gives a function to the column '"
            + settings.column().name()
            + "', which is in no sequence group. Set 'fields.<column>.sequence-group' = '"
            + settings.column().name()
            + "' with the column that orders its values, use the function last_non_null_value, or"
            + " the merge engine aggregation.");
  }

  private InvalidRequestException contradiction(String one, String other, String why) {
    return invalid(
        "The options '"
            + one
            + "' and '"
            + other
            + "' of table "
            + table
            + " contradict each other: "
            + why
            + ". Remove one of them.");
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, message);
  }
}
