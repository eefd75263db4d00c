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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.types.DataField;
import io.keylake.table.options.engine.AggregateFunction;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import java.util.Locale;

/**
 * A column that is folded, for messages.
 *
 * @param table the table's name
 * @param name the column's name
 * @param function the name of its function as options have it
 */
public record FoldedColumn(String table, String name, String function) {
  /** A column by its function. */
  public static FoldedColumn of(String table, DataField column, AggregateFunction function) {
    return new FoldedColumn(table, column.name(), nameOf(function));
  }

  private static String nameOf(AggregateFunction function) {
    if (function == Plain.ROARING_32) {
      return "rbm32";
    } else if (function == Plain.ROARING_64) {
      return "rbm64";
    } else if (function instanceof Plain plain) {
      return plain.name().toLowerCase(Locale.ROOT);
    } else if (function instanceof AggregateFunction.ListAgg) {
      return "listagg";
    } else if (function instanceof AggregateFunction.Collect) {
      return "collect";
    } else if (function instanceof AggregateFunction.MergeMapWithKeyTime) {
      return "merge_map_with_keytime";
    }
    return function instanceof AggregateFunction.NestedUpdate
        ? "nested_update"
        : "nested_partial_update";
  }

  /** Says that the function cannot take a value back. */
  public InvalidRequestException cannotRetract() {
    return UnsupportedRetraction.of(table, name, function);
  }

  /** Says that a value cannot be taken back because a division has no result. */
  InvalidRequestException noQuotient(String quotient, String reason) {
    return new InvalidRequestException(
        Condition.KEYLAKE_NO_AGGREGATE,
        "Cannot take back a value of column "
            + name
            + " of table "
            + table
            + ": its aggregate function is "
            + function
            + ", and "
            + quotient
            + " "
            + reason
            + ". Correct the rows, or set fields."
            + name
            + ".ignore-retract = true to keep the aggregate in this case.");
  }
}
