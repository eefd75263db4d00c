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
 * Sum and product of FLOAT and DOUBLE.
 *
 * <ol>
 *   <li>NULL and a value: the value. Every step is rounded to the width of the column; division by
 *       zero is infinite.
 *   <li>Taking back NULL changes nothing. Sum: NULL less a value is the negated value. Product:
 *       NULL stays NULL.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions. Pinned by {@code KeyFolderModelTest}.
 */
final class FloatingFold implements ColumnFold {
  /** The width of the numbers. */
  enum Width {
    SINGLE,
    DOUBLE;

    double get(WritableColumnVector values, int row) {
      return this == SINGLE ? values.getFloat(row) : values.getDouble(row);
    }

    /**
     * What arithmetic of this width gives. For one operation on two FLOATs it is the same to
     * calculate in DOUBLE first.
     */
    double round(double value) {
      return this == SINGLE ? (float) value : value;
    }

    void put(WritableColumnVector target, int row, double value) {
      if (this == SINGLE) {
        target.putFloat(row, (float) value);
      } else {
        target.putDouble(row, value);
      }
    }
  }

  private final Width width;
  private final Arithmetic arithmetic;
  private final boolean skipsRetracts;

  FloatingFold(Width width, Arithmetic arithmetic, boolean skipsRetracts) {
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
      double acc = 0;
      boolean present = false;
      for (int entry = steps.begin(key); entry < end; entry++) {
        int version = steps.version(entry);
        byte step = steps.step(entry);
        if (hasNull && values.isNullAt(version)) {
          present &= step != FoldSteps.RESET;
          continue;
        }
        double value = width.get(values, version);
        switch (step) {
          case FoldSteps.ADD, FoldSteps.ADD_LATE -> {
            acc = present ? combine(acc, value) : value;
            present = true;
          }
          case FoldSteps.RETRACT, FoldSteps.RETRACT_LATE -> {
            if (!skipsRetracts && (present || arithmetic == Arithmetic.SUM)) {
              acc = present ? takeBack(acc, value) : -value;
              present = true;
            }
          }
          case FoldSteps.RESET -> {
            acc = value;
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

  private double combine(double acc, double value) {
    return width.round(arithmetic == Arithmetic.SUM ? acc + value : acc * value);
  }

  private double takeBack(double acc, double value) {
    return width.round(arithmetic == Arithmetic.SUM ? acc - value : acc / value);
  }
}
