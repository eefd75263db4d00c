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
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.format.types.TypeText;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.OptionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The options {@code fields.<column>.*} that set up the aggregate function of one column.
 *
 * @param schema the table's
 * @param table its name, for messages
 * @param column the column
 */
record FunctionSettings(TableSchema schema, String table, DataField column) {
  /** The value of a setting, or its default. */
  <T> T read(OptionKey<T> key) {
    return key.forColumns(column.name()).read(schema.options());
  }

  /** A setting as it was written, white space and all, or its default. */
  String text(OptionKey<String> key) {
    return key.forColumns(column.name())
        .text(schema.options())
        .or(key::defaultText)
        .orElseThrow(() -> new IllegalStateException("Option " + key + " has no default"));
  }

  /** Whether the column has this setting. */
  boolean isSet(OptionKey<?> key) {
    return key.forColumns(column.name()).isSet(schema.options());
  }

  /** The option that gives the column its function. */
  OptionKey<String> functionOption() {
    return isSet(EngineKeys.AGGREGATE_FUNCTION)
        ? EngineKeys.AGGREGATE_FUNCTION.forColumns(column.name())
        : EngineKeys.DEFAULT_FUNCTION;
  }

  /** The name of its function, its own or the default one. */
  Optional<String> functionName() {
    return functionOption().find(schema.options());
  }

  /**
   * The function that a name means.
   *
   * @param option where the name was given, for messages
   */
  AggregateFunction function(String option, String name) {
    EngineFunction function = EngineFunction.find(name).orElseThrow(() -> unknown(option, name));
    if (!function.takes(column.type())) {
      throw invalid(
          "Option '"
              + option
              + "' of table "
              + table
              + " gives the function '"
              + name
              + "' to the column '"
              + column.name()
              + "' of type "
              + TypeText.of(column.type())
              + ", but that function needs "
              + function.columns()
              + ". Choose another function, or change the type.");
    }
    return function.build(this);
  }

  private InvalidRequestException unknown(String option, String name) {
    String start = "Option '" + option + "' of table " + table;
    return name.equals(EngineFunction.COUNT)
        ? invalid(
            start
                + " = 'count' cannot be stored. Set it for each column: 'fields."
                + column.name()
                + ".aggregate-function' = 'count'.")
        : invalid(
            start + " names the unknown function '" + name + "'. " + EngineFunction.advice(name));
  }

  AggregateFunction nestedUpdate() {
    return new AggregateFunction.NestedUpdate(nestedKeys(), read(EngineKeys.COUNT_LIMIT));
  }

  AggregateFunction nestedPartialUpdate() {
    List<Integer> keys = nestedKeys();
    if (keys.isEmpty()) {
      throw invalid(
          "The column '"
              + column.name()
              + "' of table "
              + table
              + " has the function 'nested_partial_update', which needs '"
              + EngineKeys.NESTED_KEY.forColumns(column.name())
              + "'. Set it to the fields of the nested rows that are their key.");
    }
    return new AggregateFunction.NestedPartialUpdate(keys);
  }

  private List<Integer> nestedKeys() {
    OptionKey<List<String>> key = EngineKeys.NESTED_KEY.forColumns(column.name());
    RowType rows = (RowType) ((ArrayType) column.type()).element();
    List<Integer> positions = new ArrayList<>();
    for (String name : key.find(schema.options()).orElse(List.of())) {
      int position = field(key, rows, name);
      if (positions.contains(position)) {
        throw invalid(named(key, name) + " twice. Name it once.");
      }
      TypeRoot root = rows.field(position).type().root();
      if (root.isNested() || root == TypeRoot.VARIANT) {
        throw invalid(
            named(key, name) + " of type " + root + ". Keys need fields of a scalar type.");
      }
      positions.add(position);
    }
    return positions;
  }

  AggregateFunction mergeMapWithKeyTime() {
    OptionKey<String> key = EngineKeys.TIME_FIELD.forColumns(column.name());
    RowType rows = (RowType) ((MapType) column.type()).value();
    int last = rows.fields().size() - 1;
    int position = key.find(schema.options()).map(name -> field(key, rows, name)).orElse(last);
    DataField time = rows.field(position);
    if (time.type().root() != TypeRoot.CHAR && time.type().root() != TypeRoot.VARCHAR) {
      throw invalid(
          named(key, time.name())
              + " of type "
              + TypeText.of(time.type())
              + " as the time of an entry (the last field when the option is not set). Times are"
              + " compared as texts: use a field of type STRING.");
    }
    return new AggregateFunction.MergeMapWithKeyTime(position);
  }

  private int field(OptionKey<?> key, RowType rows, String name) {
    int position = rows.names().indexOf(name);
    if (position < 0) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_COLUMN_NOT_FOUND,
          named(key, name)
              + ", which the column '"
              + column.name()
              + "' does not have. Fields: "
              + String.join(", ", rows.names())
              + ".");
    }
    return position;
  }

  private String named(OptionKey<?> key, String field) {
    return "Option '" + key.name() + "' of table " + table + " names the field '" + field + "'";
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, message);
  }
}
