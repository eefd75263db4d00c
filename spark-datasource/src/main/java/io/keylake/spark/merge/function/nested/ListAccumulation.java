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

import io.keylake.spark.merge.function.nested.ElementRules.LateRows;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * An array or a map made of elements of the versions.
 *
 * <ol>
 *   <li>When one of the operands is NULL, the other one is the result. Example: {@code NULL, [1]}
 *       gives {@code [1]}.
 *   <li>A late row is the earlier operand. Example: {@code [1]}, then late {@code [2]}, gives
 *       {@code [2, 1]} for nested_update. For collect it is the later one.
 *   <li>Retracting from NULL, or retracting NULL, changes nothing.
 *   <li>Else the rules of the function decide.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions. Pinned by {@code ListFoldsTest}.
 */
final class ListAccumulation implements Accumulation {
  private final ElementRules rules;
  private final ElementCopy copy;
  private Elements accumulator = new Elements();
  private Elements input = new Elements();

  ListAccumulation(ElementRules rules, ElementCopy copy) {
    this.rules = rules;
    this.copy = copy;
  }

  @Override
  public void open(WritableColumnVector values) {
    rules.open(values);
  }

  @Override
  public void clear() {
    accumulator.setNull();
    rules.clear();
  }

  @Override
  public void set(WritableColumnVector values, int row) {
    accumulator.load(values, row);
  }

  @Override
  public void add(WritableColumnVector values, int row) {
    if (loadBoth(values, row)) {
      rules.add(accumulator, input);
    }
  }

  @Override
  public void addLate(WritableColumnVector values, int row) {
    if (loadBoth(values, row)) {
      if (rules.lateRows() == LateRows.COME_FIRST) {
        Elements later = accumulator;
        accumulator = input;
        input = later;
      }
      rules.add(accumulator, input);
    }
  }

  /** Loads the input; false when an operand is NULL, so that the other one is the result. */
  private boolean loadBoth(WritableColumnVector values, int row) {
    if (values.isNullAt(row)) {
      return false;
    }
    if (accumulator.isNull()) {
      accumulator.load(values, row);
      rules.first(accumulator);
      return false;
    }
    input.load(values, row);
    return true;
  }

  @Override
  public void retract(WritableColumnVector values, int row) {
    input.load(values, row);
    if (!accumulator.isNull() && !input.isNull()) {
      rules.retract(accumulator, input);
    } else {
      rules.requireRetraction();
    }
  }

  @Override
  public void append(WritableColumnVector values, WritableColumnVector target) {
    if (accumulator.isNull()) {
      target.appendNull();
      return;
    }
    int size = accumulator.size();
    target.appendArray(size);
    for (int i = 0; i < size; i++) {
      copy.append(values, accumulator.get(i), target);
    }
  }
}
