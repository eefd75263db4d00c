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

import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CheckOverflowInTableInsert;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.objects.AssertNotNull;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.util.CharVarcharCodegenUtils;

/**
 * What a MERGE writes into a key column, compared with what its ON condition finds the row by.
 *
 * <p>Both are the same when the written value is the compared one, but for what storing it adds:
 * the checks for NULL, overflow and a VARCHAR's length, and casts that keep the value or fail. A
 * value that is found in the table passes these unchanged, so the row that is written has the key
 * of the row that is found.
 */
final class WrittenKey {
  private static final String VARCHAR_CHECK = "varcharTypeWriteSideCheck";

  private WrittenKey() {}

  /** Whether {@code written} stores the value of {@code compared}. */
  static boolean isSame(Expression compared, Expression written) {
    Expression stored = withoutChecks(written);
    if (compared.semanticEquals(stored)) {
      return true;
    }
    if (compared instanceof Cast wanted && stored instanceof Cast found) {
      boolean keepsValue =
          wanted.dataType().sameType(found.dataType())
              && Cast.canUpCast(wanted.child().dataType(), wanted.dataType());
      if (keepsValue && wanted.child().semanticEquals(found.child())) {
        return true;
      }
    }
    return Integers.isInteger(compared.dataType())
        && Integers.beforeWidening(compared).semanticEquals(Integers.beforeCasts(stored));
  }

  /** What is written when all checks pass. */
  private static Expression withoutChecks(Expression written) {
    if (written instanceof AssertNotNull check) {
      return withoutChecks(check.child());
    }
    if (written instanceof CheckOverflowInTableInsert check) {
      return withoutChecks(check.child());
    }
    if (written instanceof Cast cast) {
      Expression value = withoutChecks(cast.child());
      return value.dataType().sameType(cast.dataType()) ? value : cast.withNewChildInternal(value);
    }
    if (written instanceof StaticInvoke call
        && call.staticObject().equals(CharVarcharCodegenUtils.class)
        && call.functionName().equals(VARCHAR_CHECK)) {
      return withoutChecks(call.arguments().apply(0));
    }
    return written;
  }
}
