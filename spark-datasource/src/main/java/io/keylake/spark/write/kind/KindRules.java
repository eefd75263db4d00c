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

import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.MergeOptions.Engine;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.PartialColumns;
import io.keylake.table.options.engine.RowKindColumn;
import java.io.Serializable;

/**
 * Where the kinds of written rows come from, and which kinds are dropped. Travels to executors.
 *
 * @param column the position of the column that holds the kind; {@link #NO_COLUMN} = all rows are
 *     of kind +I
 * @param dropsRetracts whether rows of kind -U and -D are dropped
 * @param dropsUpdatesBefore whether rows of kind -U are dropped
 * @param setsSomeColumns whether rows are completed by those that their keys have
 */
public record KindRules(
    int column, boolean dropsRetracts, boolean dropsUpdatesBefore, boolean setsSomeColumns)
    implements Serializable {
  /** No column holds the kind. */
  static final int NO_COLUMN = -1;

  private static final long serialVersionUID = 1L;

  /**
   * The rules of a write with these options.
   *
   * @throws io.keylake.format.errors.InvalidRequestException as {@link RowKindColumn#of} says
   */
  public static KindRules of(TableSchema schema, TableOptions options, String table) {
    MergeOptions merge = options.merge();
    return new KindRules(
        RowKindColumn.of(schema, options, table).orElse(NO_COLUMN),
        merge.ignoreDelete(),
        merge.ignoreUpdateBefore(),
        merge.engine() == Engine.DEDUPLICATE
            && PartialColumns.of(schema, options, table).isPresent());
  }
}
