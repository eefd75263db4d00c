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

/** The columns that options name. */
public final class NamedColumns {
  private NamedColumns() {}

  /**
   * The column that {@code option} names.
   *
   * @throws InvalidRequestException KEYLAKE_COLUMN_NOT_FOUND when the table has no such column
   */
  public static DataField find(TableSchema schema, String table, String option, String column) {
    return schema.fields().stream()
        .filter(field -> field.name().equals(column))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidRequestException(
                    Condition.KEYLAKE_COLUMN_NOT_FOUND,
                    "Option '"
                        + option
                        + "' of table "
                        + table
                        + " names the column '"
                        + column
                        + "', which does not exist. Columns: "
                        + String.join(", ", schema.rowType().names())
                        + "."));
  }
}
