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

import io.keylake.spark.merge.function.ColumnFold;
import io.keylake.spark.merge.function.FoldSteps;
import io.keylake.table.options.engine.ColumnRule;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/** Carries out the steps of each key on an accumulation. For one thread. */
final class StepFold implements ColumnFold {
  private final Accumulation accumulation;
  private final boolean canRetract;
  private final boolean skipsRetracts;

  StepFold(Accumulation accumulation, ColumnRule rule) {
    this.accumulation = accumulation;
    this.canRetract = rule.function().canRetract();
    this.skipsRetracts = rule.skipsRetracts();
  }

  @Override
  public void fold(WritableColumnVector values, FoldSteps.Lane steps, WritableColumnVector target) {
    accumulation.open(values);
    for (int key = 0; key < steps.keys(); key++) {
      accumulation.clear();
      int end = steps.end(key);
      for (int entry = steps.begin(key); entry < end; entry++) {
        apply(steps.step(entry), values, steps.version(entry));
      }
      accumulation.append(values, target);
    }
  }

  private void apply(byte step, WritableColumnVector values, int version) {
    switch (step) {
      case FoldSteps.SKIP -> {}
      case FoldSteps.ADD -> accumulation.add(values, version);
      case FoldSteps.ADD_LATE -> accumulation.addLate(values, version);
      case FoldSteps.RETRACT -> {
        if (!skipsRetracts) {
          accumulation.retract(values, version);
        }
      }
      case FoldSteps.RETRACT_LATE -> {
        if (!skipsRetracts && canRetract) {
          accumulation.retract(values, version);
        }
      }
      case FoldSteps.RESET -> accumulation.set(values, version);
      default -> throw new IllegalArgumentException("No such step: " + step);
    }
  }
}
