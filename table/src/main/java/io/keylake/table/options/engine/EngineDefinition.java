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
import io.keylake.format.types.TypeRoot;
import io.keylake.format.types.TypeText;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.MergeOptions.Engine;
import io.keylake.table.options.OptionKey;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What holds, beyond what {@link EngineRules#of} checks, for a definition of a primary-key table
 * that a statement makes. Tables of other engines may break these rules and are still read.
 *
 * <ol>
 *   <li>Sequence fields exist once each, have an order and no aggregate function, and do not go
 *       with first-row. {@code rowkind.field} is a text.
 *   <li>first-row does not go with the changelog producers input and full-compaction.
 *   <li>Key and partition columns have no aggregate function and are in no sequence group; columns
 *       that order a group have no aggregate function.
 *   <li>A setting of a function stands only where its column has a function that takes it.
 *   <li>Outside of the key, a partial-update table has neither NOT NULL columns nor columns with a
 *       default, because a row that leaves such a column out could not be told from one that sets
 *       it.
 *   <li>Only integer columns with the function sum count.
 * </ol>
 *
 * <p>Rule source: table behaviour, merge engines, and decisions of this project; pinned by {@code
 * EngineDefinitionTest}.
 */
public final class EngineDefinition {
  private static final List<OptionKey<?>> SETTINGS =
      List.of(
          EngineKeys.LIST_DELIMITER,
          EngineKeys.DISTINCT,
          EngineKeys.NESTED_KEY,
          EngineKeys.COUNT_LIMIT,
          EngineKeys.TIME_FIELD);

  private final TableSchema schema;
  private final String table;
  private final MergeOptions merge;

  private EngineDefinition(TableSchema schema, String table) {
    this.schema = schema;
    this.table = table;
    this.merge = TableOptions.of(schema).merge();
  }

  /**
   * Checks a definition.
   *
   * @param schema of any table; nothing holds for one without a primary key
   * @param table its name, for messages
   * @throws InvalidRequestException KEYLAKE_INVALID_OPTION or KEYLAKE_COLUMN_NOT_FOUND with the
   *     option, the column, and what to do
   */
  public static void check(TableSchema schema, String table) {
    EngineDefinition definition = new EngineDefinition(schema, table);
    definition.checkRowKindField();
    if (!schema.hasPrimaryKey()) {
      definition.checkAppend();
      return;
    }
    definition.checkSequenceFields();
    definition.checkFirstRow();
    EngineRules rules = EngineRules.of(schema, table);
    if (rules instanceof EngineRules.Aggregation aggregation) {
      definition.checkColumns(aggregation.columns());
    } else if (rules instanceof EngineRules.PartialUpdate partialUpdate) {
      definition.checkGroups();
      definition.checkColumns(partialUpdate.columns());
      schema.fields().forEach(definition::checkIsLeftOut);
    }
  }

  /** Rows without a key are never merged. */
  private void checkAppend() {
    for (OptionKey<?> key : List.of(EngineKeys.MERGE_ENGINE, EngineKeys.SEQUENCE_FIELD)) {
      String value = schema.options().get(key.name());
      boolean isMeant = value != null && !value.equalsIgnoreCase(key.defaultText().orElse(null));
      if (isMeant) {
        throw invalid(
            "Option '"
                + key.name()
                + "' = '"
                + value
                + "' of table "
                + table
                + " is for tables with a primary key, whose rows it merges. Define one (PRIMARY KEY"
                + " (...) NOT ENFORCED), or remove the option.");
      }
    }
  }

  private void checkRowKindField() {
    if (EngineKeys.ROW_KIND_COLUMN.isSet(schema.options())) {
      throw invalid(
          "Option '"
              + EngineKeys.ROW_KIND_COLUMN.name()
              + "' is for one statement and cannot be stored in table "
              + table
              + ". Set '"
              + EngineKeys.ROW_KIND_FIELD.name()
              + "' for all writes.");
    }
    RowKindColumn.of(schema, TableOptions.of(schema), table);
  }

  private void checkSequenceFields() {
    String option = EngineKeys.SEQUENCE_FIELD.name();
    boolean namesNone = merge.sequenceFields().stream().allMatch(String::isBlank);
    if (EngineKeys.SEQUENCE_FIELD.isSet(schema.options()) && namesNone) {
      throw invalid(
          "Option '"
              + option
              + "' of table "
              + table
              + " names no column. Name one, or remove it.");
    }
    Set<String> seen = new HashSet<>();
    for (String name : merge.sequenceFields()) {
      DataField column = NamedColumns.find(schema, table, option, name);
      if (!seen.add(name)) {
        throw invalid(named(option, column) + " twice. Name it once.");
      }
      TypeRoot root = column.type().root();
      if (root.isNested() || root == TypeRoot.VARIANT || root == TypeRoot.BLOB) {
        throw invalid(
            named(option, column)
                + ", whose values have no order. Name columns of numbers, texts, dates or times.");
      }
      OptionKey<String> function = EngineKeys.AGGREGATE_FUNCTION.forColumns(name);
      if (function.isSet(schema.options())) {
        throw invalid(
            named(option, column)
                + ", which has the function '"
                + function.name()
                + "'. A column that orders rows takes the value of the newest one: remove the"
                + " function.");
      }
    }
    if (!seen.isEmpty() && merge.engine() == Engine.FIRST_ROW) {
      throw contradiction(option, String.join(",", merge.sequenceFields()));
    }
  }

  private void checkFirstRow() {
    ChangelogProducer producer = merge.changelogProducer();
    if (merge.engine() == Engine.FIRST_ROW
        && (producer == ChangelogProducer.INPUT || producer == ChangelogProducer.FULL_COMPACTION)) {
      throw contradiction(
          EngineKeys.CHANGELOG_PRODUCER.name(), EngineKeys.CHANGELOG_PRODUCER.print(producer));
    }
  }

  private InvalidRequestException contradiction(String option, String value) {
    return invalid(
        "Option '"
            + option
            + "' = '"
            + value
            + "' of table "
            + table
            + " does not go with '"
            + EngineKeys.MERGE_ENGINE.name()
            + "' = 'first-row', which keeps the row that was written first. Remove one of them.");
  }

  private void checkColumns(List<ColumnRule> rules) {
    for (int i = 0; i < rules.size(); i++) {
      checkSettings(schema.fields().get(i), rules.get(i));
      checkCount(schema.fields().get(i));
    }
  }

  private void checkGroups() {
    new TreeMap<>(schema.options())
        .keySet().stream()
            .filter(SequenceGroups::isGroup)
            .forEach(
                option -> {
                  SequenceGroups.orderingColumns(option).forEach(name -> checkNoKey(option, name));
                  SequenceGroups.protectedColumns(schema, option)
                      .forEach(name -> checkNoKey(option, name));
                });
  }

  private void checkNoKey(String option, String name) {
    DataField column = NamedColumns.find(schema, table, option, name);
    if (isFixed(column)) {
      throw invalid(
          named(option, column)
              + ", which is a key or partition column and never changes. Name other columns.");
    }
    if (column.type().root().isNested() && SequenceGroups.orderingColumns(option).contains(name)) {
      throw invalid(
          named(option, column)
              + ", whose values have no order. Order a group by numbers, texts, dates or times.");
    }
  }

  private void checkSettings(DataField column, ColumnRule rule) {
    FunctionSettings settings = new FunctionSettings(schema, table, column);
    if (rule.function() == Plain.KEY || rule.function() == Plain.GROUP_ORDER) {
      for (OptionKey<?> key : List.of(EngineKeys.AGGREGATE_FUNCTION, EngineKeys.IGNORE_RETRACT)) {
        if (settings.isSet(key)) {
          throw invalid(
              named(key.forColumns(column.name()).name(), column)
                  + ", which is "
                  + role(rule)
                  + " and is not aggregated. Remove the option.");
        }
      }
    }
    Optional<EngineFunction> function = settings.functionName().flatMap(EngineFunction::find);
    for (OptionKey<?> key : SETTINGS) {
      boolean takes =
          rule.function() != Plain.KEY
              && rule.function() != Plain.GROUP_ORDER
              && function.filter(f -> f.has(key)).isPresent();
      if (settings.isSet(key) && !takes) {
        throw invalid(
            named(key.forColumns(column.name()).name(), column)
                + ", which is "
                + role(rule)
                + ". The setting is for "
                + EngineFunction.taking(key)
                + ": set '"
                + EngineKeys.AGGREGATE_FUNCTION.forColumns(column.name()).name()
                + "' to that, or remove the setting.");
      }
    }
  }

  private static String role(ColumnRule rule) {
    return rule.function() == Plain.KEY
        ? "a key or partition column"
        : rule.function() == Plain.GROUP_ORDER
            ? "a column that orders a sequence group"
            : "combined by a function without this setting";
  }

  private void checkCount(DataField column) {
    if (!CountedColumns.isCounted(schema.options(), column.name())) {
      return;
    }
    OptionKey<String> function = EngineKeys.AGGREGATE_FUNCTION.forColumns(column.name());
    if (!CountedColumns.TYPES.contains(column.type().root())) {
      throw invalid(
          named(function.name(), column)
              + ", but the function 'count' needs a column of type TINYINT, SMALLINT, INT or"
              + " BIGINT. Choose another function, or change the type.");
    }
    if (!function.find(schema.options()).filter(EngineFunction.SUM.text()::equals).isPresent()) {
      throw invalid(
          named(EngineKeys.COUNTS.forColumns(column.name()).name(), column)
              + ", which has not the function 'count'. Set '"
              + function.name()
              + "' = 'count' instead.");
    }
  }

  private void checkIsLeftOut(DataField column) {
    if (isFixed(column)) {
      return;
    }
    String has =
        column.type().nullable()
            ? column.defaultValue() == null ? "" : "has a DEFAULT"
            : "is NOT NULL";
    if (!has.isEmpty()) {
      throw invalid(
          "Column '"
              + column.name()
              + "' of table "
              + table
              + " "
              + has
              + ", which does not go with '"
              + EngineKeys.MERGE_ENGINE.name()
              + "' = 'partial-update': in a row that leaves the column out, NULL says that it keeps"
              + " its value, so that such a row could not be told from one that sets it. Define the"
              + " column as nullable and without a default.");
    }
  }

  private boolean isFixed(DataField column) {
    return schema.primaryKeys().contains(column.name())
        || schema.partitionKeys().contains(column.name());
  }

  private String named(String option, DataField column) {
    return "Option '"
        + option
        + "' of table "
        + table
        + " names the column '"
        + column.name()
        + "' of type "
        + TypeText.of(column.type());
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, message);
  }
}
