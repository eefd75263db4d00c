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

package io.keylake.spark.sort;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Whether rows of one bucket have the same key, as the order of rows has it. */
public final class KeyEquality {
  private final RowOrder keys;

  /** Equality of the keys of rows in this order. */
  public KeyEquality(SortOrder order) {
    this.keys = new RowOrder(order.keys(), order.arity());
  }

  /** Whether the keys are equal. */
  public boolean isSame(UnsafeRow left, UnsafeRow right) {
    return keys.compare(
            left.getBaseObject(),
            left.getBaseOffset(),
            right.getBaseObject(),
            right.getBaseOffset())
        == 0;
  }
}
