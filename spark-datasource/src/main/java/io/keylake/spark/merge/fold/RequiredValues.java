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

package io.keylake.spark.merge.fold;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds columns that are NOT NULL and whose values have folded to NULL, before such rows are
 * written.
 *
 * <p>Example: {@code last_non_null_value} of a column NOT NULL, +I 5 then -D 5, is NULL.
 */
public final class RequiredValues {
  private final String table;
  private final TableSchema schema;
  private final List<Integer> required = new ArrayList<>();

  /**
   * For rows of all columns of {@code schema}.
   *
   * @param table the table's name, for messages
   */
  public RequiredValues(String table, TableSchema schema) {
    this.table = table;
    this.schema = schema;
    for (int i = 0; i < schema.fields().size(); i++) {
      if (!schema.fields().get(i).type().nullable()) {
        required.add(i);
      }
    }
  }

  /**
   * Checks folded rows.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_VALUE with the column
   */
  public void check(FoldedRows rows) {
    for (int column : required) {
      if (rows.column(column).hasNull()) {
        throw refuse(schema.fields().get(column).name());
      }
    }
  }

  private InvalidRequestException refuse(String column) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_VALUE,
        "Column "
            + column
            + " of table "
            + table
            + " is declared NOT NULL, but rows of one key combine to NULL in it: its last value was"
            + " retracted. Let the column be nullable (ALTER TABLE ... ALTER COLUMN "
            + column
            + " DROP NOT NULL), or set 'fields."
            + column
            + ".ignore-retract' = 'true'.");
  }
}
