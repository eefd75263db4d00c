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

package io.keylake.extensions.planning;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Casts between integer types: they keep the number, or fail, or wrap around. */
final class Integers {
  private static final List<DataType> BY_WIDTH =
      List.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);

  private Integers() {}

  static boolean isInteger(DataType type) {
    return BY_WIDTH.contains(type);
  }

  /** Whether a cast is from an integer type to a wider one. */
  static boolean widens(Cast cast) {
    int from = BY_WIDTH.indexOf(cast.child().dataType());
    return from >= 0 && from < BY_WIDTH.indexOf(cast.dataType());
  }

  /** Whether a cast between integer types gives the same number or fails. */
  static boolean keepsNumber(Cast cast) {
    return isInteger(cast.child().dataType())
        && isInteger(cast.dataType())
        && (widens(cast) || cast.evalMode().equals(EvalMode.ANSI()));
  }

  /** The expression whose number widening casts hand on. */
  static Expression beforeWidening(Expression expression) {
    return expression instanceof Cast cast && widens(cast)
        ? beforeWidening(cast.child())
        : expression;
  }

  /** The expression whose number casts hand on or fail. */
  static Expression beforeCasts(Expression expression) {
    return expression instanceof Cast cast && keepsNumber(cast)
        ? beforeCasts(cast.child())
        : expression;
  }
}
