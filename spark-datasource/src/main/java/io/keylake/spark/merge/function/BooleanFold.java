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

/**
 * bool_and and bool_or, NULLs left out. A value decides when it is the one that the function looks
 * for: false for bool_and, true for bool_or.
 *
 * <p>Rule source: table behaviour, aggregate functions. Pinned by {@code KeyFolderModelTest}.
 */
final class BooleanFold implements ColumnFold {
  private final FoldedColumn column;
  private final boolean deciding;
  private final boolean skipsRetracts;

  BooleanFold(FoldedColumn column, boolean deciding, boolean skipsRetracts) {
    this.column = column;
    this.deciding = deciding;
    this.skipsRetracts = skipsRetracts;
  }

  @Override
  public void fold(WritableColumnVector values, FoldSteps.Lane steps, WritableColumnVector target) {
    int start = target.getElementsAppended();
    int keys = steps.keys();
    target.reserve(start + keys);
    for (int key = 0; key < keys; key++) {
      int end = steps.end(key);
      boolean acc = false;
      boolean present = false;
      for (int entry = steps.begin(key); entry < end; entry++) {
        int version = steps.version(entry);
        boolean isNull = values.isNullAt(version);
        switch (steps.step(entry)) {
          case FoldSteps.ADD, FoldSteps.ADD_LATE -> {
            if (!isNull && !(present && acc == deciding)) {
              acc = values.getBoolean(version);
              present = true;
            }
          }
          case FoldSteps.RESET -> {
            present = !isNull;
            acc = present && values.getBoolean(version);
          }
          case FoldSteps.RETRACT -> {
            if (!skipsRetracts) {
              throw column.cannotRetract();
            }
          }
          default -> {}
        }
      }
      if (present) {
        target.putBoolean(start + key, acc);
      } else {
        target.putNull(start + key);
      }
    }
    target.addElementsAppended(keys);
  }
}
