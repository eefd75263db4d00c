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

package io.keylake.spark.vector;

import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Copies one value of a source vector to the end of a target vector, possibly changing its type.
 * Made by {@link ValueAppenders}.
 */
@FunctionalInterface
public interface ValueAppender {
  /** Appends the value of {@code source} at {@code row}, NULL included, to {@code target}. */
  void append(WritableColumnVector source, int row, WritableColumnVector target);

  /** Appends NULL, giving every child of a struct a NULL too, so that they stay in step. */
  static void appendNull(WritableColumnVector target) {
    int row = next(target);
    target.putNull(row);
    if (VectorCompaction.hasChildren(target.dataType())) {
      for (int child = 0; child < target.getNumChildren(); child++) {
        appendNull(target.getChild(child));
      }
    }
  }

  /** Appends a struct that is not NULL; the caller appends to each of its children. */
  static void appendStruct(WritableColumnVector target) {
    int row = next(target);
    target.putNotNull(row);
  }

  private static int next(WritableColumnVector target) {
    int row = target.getElementsAppended();
    target.reserve(row + 1);
    target.addElementsAppended(1);
    return row;
  }
}
