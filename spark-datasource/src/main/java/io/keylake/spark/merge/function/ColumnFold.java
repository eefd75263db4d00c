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

import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/** Folds the versions of keys in one column. For one thread. */
public interface ColumnFold {
  /**
   * Appends the folded value of each key to {@code target}.
   *
   * @param values the column's values, in plain vectors (no dictionary) of the versions' own
   * @param steps what the versions do, for the lane of this column
   * @param target takes one value per key
   * @throws io.keylake.format.errors.InvalidRequestException when a version is retracted and the
   *     function cannot, or the result does not exist (division by zero)
   */
  void fold(WritableColumnVector values, FoldSteps.Lane steps, WritableColumnVector target);
}
