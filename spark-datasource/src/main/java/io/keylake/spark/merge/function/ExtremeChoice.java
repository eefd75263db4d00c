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

import io.keylake.spark.vector.ValueOrder;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/**
 * The choices of max and min: the version with the largest or smallest value, NULLs left out. The
 * common types of fixed width have loops of their own.
 *
 * <p>Rule source: table behaviour, aggregate functions. Pinned by {@code KeyFolderModelTest}.
 */
final class ExtremeChoice implements VersionChoice {
  private final FoldedColumn column;
  private final boolean skipsRetracts;
  private final int sign;
  private final ValueOrder order;

  /**
   * A choice.
   *
   * @param sign 1 for max, -1 for min
   */
  ExtremeChoice(FoldedColumn column, boolean skipsRetracts, int sign, ValueOrder order) {
    this.column = column;
    this.skipsRetracts = skipsRetracts;
    this.sign = sign;
    this.order = order;
  }

  @Override
  public void choose(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
    DataType type = values.dataType();
    if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      longs(values, steps, chosen);
    } else if (type instanceof IntegerType || type instanceof DateType) {
      ints(values, steps, chosen);
    } else if (type instanceof DoubleType) {
      doubles(values, steps, chosen);
    } else {
      others(values, steps, chosen);
    }
  }

  private void longs(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
    for (int key = 0; key < steps.keys(); key++) {
      int end = steps.end(key);
      int best = NONE;
      for (int entry = steps.begin(key); entry < end; entry++) {
        int candidate = candidate(values, steps, entry, best);
        if (candidate == NONE
            || best == NONE
            || steps.step(entry) == FoldSteps.RESET
            || sign * Long.compare(values.getLong(candidate), values.getLong(best)) > 0) {
          best = candidate;
        }
      }
      chosen[key] = best;
    }
  }

  private void ints(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
    for (int key = 0; key < steps.keys(); key++) {
      int end = steps.end(key);
      int best = NONE;
      for (int entry = steps.begin(key); entry < end; entry++) {
        int candidate = candidate(values, steps, entry, best);
        if (candidate == NONE
            || best == NONE
            || steps.step(entry) == FoldSteps.RESET
            || sign * Integer.compare(values.getInt(candidate), values.getInt(best)) > 0) {
          best = candidate;
        }
      }
      chosen[key] = best;
    }
  }

  private void doubles(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
    for (int key = 0; key < steps.keys(); key++) {
      int end = steps.end(key);
      int best = NONE;
      for (int entry = steps.begin(key); entry < end; entry++) {
        int candidate = candidate(values, steps, entry, best);
        if (candidate == NONE
            || best == NONE
            || steps.step(entry) == FoldSteps.RESET
            || sign * Double.compare(values.getDouble(candidate), values.getDouble(best)) > 0) {
          best = candidate;
        }
      }
      chosen[key] = best;
    }
  }

  private void others(WritableColumnVector values, FoldSteps.Lane steps, int[] chosen) {
    for (int key = 0; key < steps.keys(); key++) {
      int end = steps.end(key);
      int best = NONE;
      for (int entry = steps.begin(key); entry < end; entry++) {
        int candidate = candidate(values, steps, entry, best);
        if (candidate == NONE
            || best == NONE
            || steps.step(entry) == FoldSteps.RESET
            || sign * order.compare(values, candidate, values, best) > 0) {
          best = candidate;
        }
      }
      chosen[key] = best;
    }
  }

  /** The version that an entry offers instead of {@code best}; {@code best} when it offers none. */
  private int candidate(WritableColumnVector values, FoldSteps.Lane steps, int entry, int best) {
    int version = steps.version(entry);
    return switch (steps.step(entry)) {
      case FoldSteps.ADD, FoldSteps.ADD_LATE -> values.isNullAt(version) ? best : version;
      case FoldSteps.RESET -> values.isNullAt(version) ? NONE : version;
      case FoldSteps.RETRACT -> {
        if (!skipsRetracts) {
          throw column.cannotRetract();
        }
        yield best;
      }
      default -> best;
    };
  }
}
