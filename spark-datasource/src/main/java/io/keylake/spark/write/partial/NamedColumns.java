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

package io.keylake.spark.write.partial;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.engine.EngineRules.PartialUpdate;
import io.keylake.table.options.engine.PartialColumns.Named;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Rows of a partial-update table that set named columns: all others become NULL, which the engine
 * takes for "keep". It cannot take NULL for "set to NULL" outside of sequence groups, so that a
 * NULL there is refused. For one thread.
 */
public final class NamedColumns {
  private final String table;
  private final TableSchema schema;
  private final boolean[] kept;
  private final boolean[] notNull;

  /**
   * A filter of columns.
   *
   * @param table the table's name, for messages
   */
  public NamedColumns(String table, TableSchema schema, PartialUpdate rules, Named set) {
    this.table = table;
    this.schema = schema;
    this.kept = new boolean[schema.fields().size()];
    this.notNull = new boolean[kept.length];
    List<Integer> given = PartialRules.given(schema);
    for (int column = 0; column < kept.length; column++) {
      boolean isNamed = set.columns().contains(column);
      kept[column] = isNamed || given.contains(column);
      notNull[column] = isNamed && rules.columns().get(column).lane() == 0;
    }
  }

  /**
   * A copy of the row with what it sets.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_VALUE when a NULL would be lost
   */
  public UnsafeRow of(UnsafeRow row) {
    UnsafeRow set = row.copy();
    for (int column = 0; column < kept.length; column++) {
      if (!kept[column]) {
        set.setNullAt(column);
      } else if (notNull[column] && row.isNullAt(column)) {
        throw refuse(schema.fields().get(column).name());
      }
    }
    return set;
  }

  private InvalidRequestException refuse(String column) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_VALUE,
        "NULL in column "
            + column
            + " of "
            + table
            + ", which '"
            + EngineKeys.PARTIAL_COLUMN_NAMES.name()
            + "' says is to be set: the engine partial-update keeps the value that is there. Leave"
            + " such rows out, put the column into a sequence group, or use a deduplicate table.");
  }
}
