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

import io.keylake.spark.vector.VectorCopy;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/** A fold whose value is that of one of the versions: all are chosen, then copied at once. */
final class ChoiceFold implements ColumnFold {
  private final VersionChoice choice;
  private final VectorCopy copy;
  private int[] chosen = new int[0];

  ChoiceFold(VersionChoice choice, VectorCopy copy) {
    this.choice = choice;
    this.copy = copy;
  }

  @Override
  public void fold(WritableColumnVector values, FoldSteps.Lane steps, WritableColumnVector target) {
    int keys = steps.keys();
    if (chosen.length < keys) {
      chosen = new int[keys];
    }
    choice.choose(values, steps, chosen);
    copy.append(values, chosen, keys, target);
  }
}
