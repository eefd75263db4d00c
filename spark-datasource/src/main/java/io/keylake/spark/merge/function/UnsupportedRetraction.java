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

/** The failure of a fold that is told to take a value back and cannot. */
public final class UnsupportedRetraction {
  private UnsupportedRetraction() {}

  /**
   * The failure for a column.
   *
   * @param function the function as users write it, such as {@code max}
   */
  public static InvalidRequestException of(String table, String column, String function) {
    return new InvalidRequestException(
        Condition.KEYLAKE_UNSUPPORTED_RETRACTION,
        "Column "
            + column
            + " of "
            + table
            + " is aggregated by "
            + function
            + ", which cannot take back the value of a row of kind -U or -D. Set fields."
            + column
            + ".ignore-retract = true to leave the column as it is, or use a function that can"
            + " (sum, product, count, collect, merge_map, nested_update, last_value,"
            + " last_non_null_value).");
  }
}
