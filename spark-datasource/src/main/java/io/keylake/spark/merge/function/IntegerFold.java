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
 * Sum and product of integers, which wrap in their own width.
 *
 * <ol>
 *   <li>NULL and a value: the value.
 *   <li>Taking back NULL changes nothing. Sum: NULL less a value is the negated value. Product:
 *       NULL stays NULL; otherwise integer division.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions. Pinned by {@code KeyFolderModelTest}.
 */
final class IntegerFold implements ColumnFold {
  private final FoldedColumn column;
  private final IntegerWidth width;
  private final Arithmetic arithmetic;
  private final boolean skipsRetracts;

  IntegerFold(
      FoldedColumn column, IntegerWidth width, Arithmetic arithmetic, boolean skipsRetracts) {
    this.column = column;
    this.width = width;
    this.arithmetic = arithmetic;
    this.skipsRetracts = skipsRetracts;
  }

  @Override
  public void fold(WritableColumnVector values, FoldSteps.Lane steps, WritableColumnVector target) {
    int start = target.getElementsAppended();
    int keys = steps.keys();
    target.reserve(start + keys);
    boolean hasNull = values.hasNull();
    for (int key = 0; key < keys; key++) {
      int end = steps.end(key);
      long acc = 0;
      boolean present = false;
      for (int entry = steps.begin(key); entry < end; entry++) {
        int version = steps.version(entry);
        byte step = steps.step(entry);
        if (hasNull && values.isNullAt(version)) {
          present &= step != FoldSteps.RESET;
          continue;
        }
        switch (step) {
          case FoldSteps.ADD, FoldSteps.ADD_LATE -> {
            long value = width.get(values, version);
            acc = present ? combine(acc, value) : value;
            present = true;
          }
          case FoldSteps.RETRACT, FoldSteps.RETRACT_LATE -> {
            if (!skipsRetracts && (present || arithmetic == Arithmetic.SUM)) {
              acc = takeBack(present ? acc : 0, width.get(values, version));
              present = true;
            }
          }
          case FoldSteps.RESET -> {
            acc = width.get(values, version);
            present = true;
          }
          default -> {}
        }
      }
      if (present) {
        width.put(target, start + key, acc);
      } else {
        target.putNull(start + key);
      }
    }
    target.addElementsAppended(keys);
  }

  private long combine(long acc, long value) {
    return width.wrap(arithmetic == Arithmetic.SUM ? acc + value : acc * value);
  }

  private long takeBack(long acc, long value) {
    if (arithmetic == Arithmetic.SUM) {
      return width.wrap(acc - value);
    }
    if (value == 0) {
      throw column.noQuotient(acc + " / 0", "has no result");
    }
    return width.wrap(acc / value);
  }
}
