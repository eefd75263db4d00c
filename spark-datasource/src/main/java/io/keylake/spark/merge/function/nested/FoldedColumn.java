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

package io.keylake.spark.merge.function.nested;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.spark.merge.function.UnsupportedRetraction;

/**
 * Where a fold works, for messages.
 *
 * @param table the table's name
 * @param column the column's name
 */
record FoldedColumn(String table, String column) {
  /** The failure when {@code function} is to take a value back and cannot. */
  InvalidRequestException noRetraction(String function) {
    return UnsupportedRetraction.of(table, column, function);
  }

  /** The failure when a stored value is not what {@code function} takes. */
  InvalidRequestException broken(String function, String needed, Exception cause) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_VALUE,
        "Column "
            + column
            + " of "
            + table
            + " is aggregated by "
            + function
            + ", but a value in it is not "
            + needed
            + " ("
            + cause.getMessage()
            + "). Delete or overwrite the rows that hold it.",
        cause);
  }
}
