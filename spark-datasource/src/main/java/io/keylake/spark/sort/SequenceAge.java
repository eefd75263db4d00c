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

/** Which of two rows of a key is older by the user's sequence fields. */
public final class SequenceAge {
  private final RowOrder sequence;

  /** The age of rows in this order. */
  public SequenceAge(SortOrder order) {
    this.sequence = new RowOrder(order.sequence(), order.arity());
  }

  /** Whether {@code row} is older than {@code other}; equal fields are not. */
  public boolean isOlder(UnsafeRow row, UnsafeRow other) {
    return sequence.compare(
            row.getBaseObject(), row.getBaseOffset(), other.getBaseObject(), other.getBaseOffset())
        < 0;
  }
}
