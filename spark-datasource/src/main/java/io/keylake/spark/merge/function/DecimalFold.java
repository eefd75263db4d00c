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

import io.keylake.format.types.AtomicType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/**
 * Products of DECIMALs, and sums of those of more than 18 digits.
 *
 * <ol>
 *   <li>NULL and a value: the value. A result is rounded half up to the scale of the column and
 *       NULL when it has more digits than the column.
 *   <li>Taking back NULL changes nothing. Sum: NULL less a value is the negated value. Product:
 *       NULL stays NULL; otherwise an exact division, which is refused when there is no exact
 *       quotient.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions. Pinned by {@code KeyFolderModelTest}.
 */
final class DecimalFold implements ColumnFold {
  private final FoldedColumn column;
  private final AtomicType type;
  private final Arithmetic arithmetic;
  private final boolean skipsRetracts;

  DecimalFold(FoldedColumn column, AtomicType type, Arithmetic arithmetic, boolean skipsRetracts) {
    this.column = column;
    this.type = type;
    this.arithmetic = arithmetic;
    this.skipsRetracts = skipsRetracts;
  }

  @Override
  public void fold(WritableColumnVector values, FoldSteps.Lane steps, WritableColumnVector target) {
    int start = target.getElementsAppended();
    int keys = steps.keys();
    target.reserve(start + keys);
    for (int key = 0; key < keys; key++) {
      BigDecimal folded = fold(values, steps, key);
      if (folded == null) {
        target.putNull(start + key);
      } else {
        target.putDecimal(
            start + key, Decimal.apply(folded, type.precision(), type.scale()), type.precision());
      }
    }
    target.addElementsAppended(keys);
  }

  private @Nullable BigDecimal fold(WritableColumnVector values, FoldSteps.Lane steps, int key) {
    BigDecimal acc = null;
    int end = steps.end(key);
    for (int entry = steps.begin(key); entry < end; entry++) {
      int version = steps.version(entry);
      byte step = steps.step(entry);
      if (step == FoldSteps.SKIP) {
        continue;
      }
      if (values.isNullAt(version)) {
        acc = step == FoldSteps.RESET ? null : acc;
        continue;
      }
      BigDecimal value =
          values.getDecimal(version, type.precision(), type.scale()).toJavaBigDecimal();
      if (step == FoldSteps.RESET) {
        acc = value;
      } else if (step == FoldSteps.ADD || step == FoldSteps.ADD_LATE) {
        acc = acc == null ? value : combine(acc, value);
      } else if (!skipsRetracts) {
        acc = takeBack(acc, value);
      }
    }
    return acc;
  }

  private @Nullable BigDecimal combine(BigDecimal acc, BigDecimal value) {
    return fit(arithmetic == Arithmetic.SUM ? acc.add(value) : acc.multiply(value));
  }

  private @Nullable BigDecimal takeBack(@Nullable BigDecimal acc, BigDecimal value) {
    if (arithmetic == Arithmetic.SUM) {
      return acc == null ? value.negate() : fit(acc.subtract(value));
    }
    if (acc == null) {
      return null;
    }
    String quotient = acc.toPlainString() + " / " + value.toPlainString();
    if (value.signum() == 0) {
      throw column.noQuotient(quotient, "has no result");
    }
    try {
      return fit(acc.divide(value));
    } catch (ArithmeticException endless) {
      throw column.noQuotient(quotient, "has no exact result");
    }
  }

  private @Nullable BigDecimal fit(BigDecimal value) {
    BigDecimal rounded = value.setScale(type.scale(), RoundingMode.HALF_UP);
    return rounded.precision() > type.precision() ? null : rounded;
  }
}
