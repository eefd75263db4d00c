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

import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * How the elements of two arrays or maps combine. {@link ListAccumulation} says what becomes of
 * NULL. For one thread.
 */
interface ElementRules {
  /** Whether a late row is added as any other. */
  enum LateRows {
    /** It is the earlier operand. */
    COME_FIRST,
    /** It is the later operand, as it would be if it were not late. */
    COME_LAST
  }

  /** What a late row is. */
  default LateRows lateRows() {
    return LateRows.COME_FIRST;
  }

  /** Begins a batch: elements are rows of the children of {@code values}. */
  void open(WritableColumnVector values);

  /** Begins a key. */
  default void clear() {}

  /** The first value of a key has become its accumulator. */
  default void first(Elements accumulator) {}

  /** accumulator := f(accumulator, input); neither is NULL. */
  void add(Elements accumulator, Elements input);

  /**
   * Checks that there is a retraction; it is called when an operand is NULL.
   *
   * @throws io.keylake.format.errors.InvalidRequestException KEYLAKE_UNSUPPORTED_RETRACTION
   */
  default void requireRetraction() {}

  /**
   * accumulator := retract(accumulator, input); neither is NULL.
   *
   * @throws io.keylake.format.errors.InvalidRequestException KEYLAKE_UNSUPPORTED_RETRACTION
   */
  void retract(Elements accumulator, Elements input);
}
