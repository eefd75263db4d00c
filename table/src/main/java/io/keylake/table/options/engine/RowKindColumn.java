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
import io.keylake.table.options.TableOptions;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The column that holds the change kind of written rows: the one that the table's {@code
 * rowkind.field} names, or, for one statement, {@code row-kind-column}.
 */
public final class RowKindColumn {
  private RowKindColumn() {}

  /**
   * The position of the column; empty when all rows are of kind +I.
   *
   * @param options the table's with those of the statement over them
   * @throws InvalidRequestException KEYLAKE_INVALID_OPTION or KEYLAKE_COLUMN_NOT_FOUND when there
   *     is no such column, or it is no text, or the statement and the table name different ones
   */
  public static OptionalInt of(TableSchema schema, TableOptions options, String table) {
    Optional<String> own = EngineKeys.ROW_KIND_COLUMN.find(options.asMap());
    String field = options.merge().rowKindField();
    if (own.isEmpty()) {
      return field == null
          ? OptionalInt.empty()
          : OptionalInt.of(position(schema, table, EngineKeys.ROW_KIND_FIELD.name(), field));
    }
    String option = EngineKeys.ROW_KIND_COLUMN.name();
    if (!schema.hasPrimaryKey()) {
      throw invalid(
          "Option '"
              + option
              + "' does not go with table "
              + table
              + ", which has no primary key: its rows are all of kind +I. Leave the option out.");
    }
    if (field != null && !field.equals(own.get())) {
      throw invalid(
          "Option '"
              + option
              + "' = '"
              + own.get()
              + "' contradicts '"
              + EngineKeys.ROW_KIND_FIELD.name()
              + "' = '"
              + field
              + "' of table "
              + table
              + ". Leave the option out.");
    }
    return OptionalInt.of(position(schema, table, option, own.get()));
  }

  private static int position(TableSchema schema, String table, String option, String name) {
    DataField column = NamedColumns.find(schema, table, option, name);
    if (column.type().root() != TypeRoot.CHAR && column.type().root() != TypeRoot.VARCHAR) {
      throw invalid(
          "Option '"
              + option
              + "' of table "
              + table
              + " names the column '"
              + name
              + "' of type "
              + TypeText.of(column.type())
              + ". Name a column of type STRING that holds +I, -U, +U or -D.");
    }
    return schema.fields().indexOf(column);
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, message);
  }
}
