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

import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.ColumnRule;
import io.keylake.table.options.engine.EngineRules;
import io.keylake.table.options.engine.EngineRules.Completion;
import io.keylake.table.options.engine.PartialColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the row that a key has and the rows that are written of it become one row.
 *
 * <ol>
 *   <li>Columns that are not NULL: of each column the latest value that is not NULL.
 *   <li>Named columns: of these the latest value, NULL included; of the others the value of the
 *       first row, which is the one that the key has, or one of NULLs.
 *   <li>Rows are taken in the order of their writing; one that ends up with older sequence fields
 *       than there are does nothing.
 * </ol>
 */
public final class PartialRules {
  private PartialRules() {}

  /** The rules of a write to a deduplicate table that sets {@code set}. */
  public static EngineRules of(TableSchema schema, MergeOptions merge, PartialColumns set) {
    List<Integer> given = given(schema);
    List<ColumnRule> columns = new ArrayList<>();
    for (int column = 0; column < schema.fields().size(); column++) {
      Plain function = given.contains(column) ? Plain.KEY : function(set, column);
      columns.add(new ColumnRule(0, function, false));
    }
    return new Completion(
        merge.sequenceFields().stream().map(schema.rowType()::indexOf).toList(),
        merge.sequenceOrder(),
        columns);
  }

  /** Positions of the columns that every row gives: those of the key and of the partition. */
  public static List<Integer> given(TableSchema schema) {
    return IntStream.range(0, schema.fields().size())
        .filter(column -> isGiven(schema, schema.fields().get(column).name()))
        .boxed()
        .toList();
  }

  private static boolean isGiven(TableSchema schema, String column) {
    return schema.primaryKeys().contains(column) || schema.partitionKeys().contains(column);
  }

  private static Plain function(PartialColumns set, int column) {
    if (set instanceof PartialColumns.Named named) {
      return named.columns().contains(column) ? Plain.LAST_VALUE : Plain.FIRST_VALUE;
    }
    return Plain.LAST_NON_NULL_VALUE;
  }

  /** Whether a key that has no row starts from a row of NULLs. */
  static boolean startsFromNulls(PartialColumns set) {
    return set instanceof PartialColumns.Named;
  }
}
