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
 * The choices that look at steps and NULLs only, so that they serve columns of any type.
 *
 * <ol>
 *   <li>key: all versions have the same value.
 *   <li>order of a group, value of a group: see the functions' own documentation.
 *   <li>last_value: the last version, NULL included; NULL once a version is taken back; late ones
 *       do nothing.
 *   <li>last_non_null_value: the last value that is not NULL; NULL once a value that is not NULL is
 *       taken back; late ones only replace NULL.
 *   <li>first_value: the first version, NULL included; a late one becomes the first.
 *   <li>first_non_null_value: the first value that is not NULL; a late one becomes the first,
 *       unless it is NULL.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions; for late NULLs see the list of deviations.
 * Pinned by {@code KeyFolderTest} and {@code KeyFolderModelTest}.
 */
final class VersionChoices {
  private VersionChoices() {}

  static void key(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
    for (int key = 0; key < steps.keys(); key++) {
      chosen[key] = steps.version(steps.begin(key));
    }
  }

  static void groupOrder(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
    for (int key = 0; key < steps.keys(); key++) {
      int begin = steps.begin(key);
      chosen[key] = VersionChoice.NONE;
      for (int entry = steps.end(key) - 1; entry >= begin; entry--) {
        byte step = steps.step(entry);
        if (step == FoldSteps.ADD || step == FoldSteps.RETRACT || step == FoldSteps.RESET) {
          chosen[key] = steps.version(entry);
          break;
        }
      }
    }
  }

  static void groupValue(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
    for (int key = 0; key < steps.keys(); key++) {
      int begin = steps.begin(key);
      chosen[key] = VersionChoice.NONE;
      for (int entry = steps.end(key) - 1; entry >= begin; entry--) {
        byte step = steps.step(entry);
        if (step == FoldSteps.ADD || step == FoldSteps.RESET) {
          chosen[key] = steps.version(entry);
          break;
        } else if (step == FoldSteps.RETRACT) {
          break;
        }
      }
    }
  }

  /** The choice of last_value. */
  record LastValue(boolean skipsRetracts) implements VersionChoice {
    @Override
    public void choose(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
      for (int key = 0; key < steps.keys(); key++) {
        int end = steps.end(key);
        int value = NONE;
        for (int entry = steps.begin(key); entry < end; entry++) {
          switch (steps.step(entry)) {
            case FoldSteps.ADD, FoldSteps.RESET -> value = steps.version(entry);
            case FoldSteps.RETRACT, FoldSteps.RETRACT_LATE -> value = skipsRetracts ? value : NONE;
            default -> {}
          }
        }
        chosen[key] = value;
      }
    }
  }

  /** The choice of last_non_null_value. */
  record LastNonNullValue(boolean skipsRetracts) implements VersionChoice {
    @Override
    public void choose(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
      boolean hasNull = values.hasNull();
      for (int key = 0; key < steps.keys(); key++) {
        int end = steps.end(key);
        int value = NONE;
        for (int entry = steps.begin(key); entry < end; entry++) {
          int version = steps.version(entry);
          boolean isNull = hasNull && values.isNullAt(version);
          switch (steps.step(entry)) {
            case FoldSteps.ADD -> value = isNull ? value : version;
            case FoldSteps.ADD_LATE -> value = isNull || value != NONE ? value : version;
            case FoldSteps.RETRACT, FoldSteps.RETRACT_LATE ->
                value = isNull || skipsRetracts ? value : NONE;
            case FoldSteps.RESET -> value = isNull ? NONE : version;
            default -> {}
          }
        }
        chosen[key] = value;
      }
    }
  }

  /** The choice of first_value. */
  record FirstValue(FoldedColumn column, boolean skipsRetracts) implements VersionChoice {
    @Override
    public void choose(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
      for (int key = 0; key < steps.keys(); key++) {
        int end = steps.end(key);
        int value = NONE;
        boolean found = false;
        for (int entry = steps.begin(key); entry < end; entry++) {
          switch (steps.step(entry)) {
            case FoldSteps.ADD -> {
              value = found ? value : steps.version(entry);
              found = true;
            }
            case FoldSteps.ADD_LATE -> {
              value = found ? steps.version(entry) : value;
              found = true;
            }
            case FoldSteps.RESET -> value = steps.version(entry);
            case FoldSteps.RETRACT -> refuse(column, skipsRetracts);
            default -> {}
          }
        }
        chosen[key] = value;
      }
    }
  }

  /** The choice of first_non_null_value. */
  record FirstNonNullValue(FoldedColumn column, boolean skipsRetracts) implements VersionChoice {
    @Override
    public void choose(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
      boolean hasNull = values.hasNull();
      for (int key = 0; key < steps.keys(); key++) {
        int end = steps.end(key);
        int value = NONE;
        boolean found = false;
        for (int entry = steps.begin(key); entry < end; entry++) {
          int version = steps.version(entry);
          boolean isNull = hasNull && values.isNullAt(version);
          switch (steps.step(entry)) {
            case FoldSteps.ADD -> {
              value = isNull || found ? value : version;
              found |= !isNull;
            }
            case FoldSteps.ADD_LATE -> {
              boolean isFirst = !isNull && (found || value == NONE);
              found |= value != NONE;
              value = isFirst ? version : value;
            }
            case FoldSteps.RESET -> value = isNull ? NONE : version;
            case FoldSteps.RETRACT -> refuse(column, skipsRetracts);
            default -> {}
          }
        }
        chosen[key] = value;
      }
    }
  }

  private static void refuse(FoldedColumn column, boolean skipsRetracts) {
    if (!skipsRetracts) {
      throw column.cannotRetract();
    }
  }
}
