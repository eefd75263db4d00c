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
 * What the versions of one key have become so far, in one column. A version is a row of {@code
 * values}, which is the same vector for all keys of a batch. For one thread.
 */
interface Accumulation {
  /** Begins a batch. */
  default void open(WritableColumnVector values) {}

  /** Begins a key: the accumulator is NULL. */
  void clear();

  /** acc := value. */
  void set(WritableColumnVector values, int row);

  /** acc := f(acc, value). */
  void add(WritableColumnVector values, int row);

  /** acc := f(value, acc). */
  void addLate(WritableColumnVector values, int row);

  /**
   * acc := retract(acc, value).
   *
   * @throws io.keylake.format.errors.InvalidRequestException KEYLAKE_UNSUPPORTED_RETRACTION
   */
  void retract(WritableColumnVector values, int row);

  /** Appends the accumulator to {@code target}. */
  void append(WritableColumnVector values, WritableColumnVector target);
}
