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

package io.keylake.spark.merge.function;

import io.keylake.format.types.DataField;
import io.keylake.table.options.engine.ColumnRule;

/** Finds the fold of a column. */
public final class ColumnFolds {
  private ColumnFolds() {}

  /**
   * The fold of a column by its rule.
   *
   * @param table the table's name, for messages
   */
  public static ColumnFold of(String table, DataField column, ColumnRule rule) {
    throw new UnsupportedOperationException(table + column.name() + rule.function());
  }
}
