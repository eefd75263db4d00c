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
 * Sum of DECIMALs of up to 18 digits, which are integers in their vectors.
 *
 * <ol>
 *   <li>NULL and a value: the value. Taking back NULL changes nothing; NULL less a value is the
 *       negated value.
 *   <li>The precision of the column is no limit: 99.00 + 5.00 in DECIMAL(4,2) is 104.00. A step
 *       beyond 64 bits gives NULL, and so does a result that the column's storage (32 bits for up
 *       to 9 digits) cannot hold.
 * </ol>
 *
 * Rule source: observed behaviour of the reference implementation, 1.4.2, except for results beyond
 * 32 bits, of which the reference stores the lowest bits. Pinned by {@code KeyFolderTest} and
 * {@code KeyFolderOracleTest}.
 */
final class CompactDecimalSum implements ColumnFold {
  private final IntegerWidth width;
  private final boolean skipsRetracts;

  CompactDecimalSum(IntegerWidth width, boolean skipsRetracts) {
    this.width = width;
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
        if (step == FoldSteps.RESET) {
          acc = width.get(values, version);
          present = true;
        } else if (takesPart(step)) {
          long change = width.get(values, version);
          if (step == FoldSteps.RETRACT || step == FoldSteps.RETRACT_LATE) {
            change = -change;
          }
          long sum = present ? acc + change : change;
          present = !present || ((acc ^ sum) & (change ^ sum)) >= 0;
          acc = sum;
        }
      }
      if (present && width.wrap(acc) == acc) {
        width.put(target, start + key, acc);
      } else {
        target.putNull(start + key);
      }
    }
    target.addElementsAppended(keys);
  }

  private boolean takesPart(byte step) {
    return switch (step) {
      case FoldSteps.ADD, FoldSteps.ADD_LATE -> true;
      case FoldSteps.RETRACT, FoldSteps.RETRACT_LATE -> !skipsRetracts;
      default -> false;
    };
  }
}
