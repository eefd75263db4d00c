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

package io.keylake.extensions.statements;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a row of the table and, in MERGE, one of its source.
 *
 * @param sql how a statement says it
 * @param test what it gives: true, false or, as SQL has it, neither
 */
record Condition(String sql, Test test) {
  /** The evaluation of a condition; null = unknown. */
  interface Test {
    @Nullable Boolean of(List<Object> row, List<Object> source);
  }

  /** A value of a row of the table or its source. */
  interface Value {
    @Nullable Object of(List<Object> row, List<Object> source);
  }

  boolean holds(List<Object> row, List<Object> source) {
    return Boolean.TRUE.equals(test.of(row, source));
  }

  boolean holds(List<Object> row) {
    return holds(row, List.of());
  }

  static Condition compare(String left, Value one, String operator, String right, Value other) {
    return new Condition(
        left + " " + operator + " " + right,
        (row, source) -> {
          Object a = one.of(row, source);
          Object b = other.of(row, source);
          if (a == null || b == null) {
            return null;
          }
          int order =
              a instanceof Long number
                  ? Long.compare(number, (Long) b)
                  : a.toString().compareTo((String) b);
          return switch (operator) {
            case "=" -> order == 0;
            case "<>" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
          };
        });
  }

  Condition and(Condition other) {
    return new Condition(
        "(" + sql + " AND " + other.sql + ")",
        (row, source) -> {
          Boolean a = test.of(row, source);
          Boolean b = other.test.of(row, source);
          if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
            return false;
          }
          return a == null || b == null ? null : Boolean.TRUE;
        });
  }

  Condition or(Condition other) {
    return new Condition(
        "(" + sql + " OR " + other.sql + ")",
        (row, source) -> {
          Boolean a = test.of(row, source);
          Boolean b = other.test.of(row, source);
          if (Boolean.TRUE.equals(a) || Boolean.TRUE.equals(b)) {
            return true;
          }
          return a == null || b == null ? null : Boolean.FALSE;
        });
  }

  Condition not() {
    return new Condition(
        "NOT (" + sql + ")",
        (row, source) -> {
          Boolean a = test.of(row, source);
          return a == null ? null : (Boolean) !a;
        });
  }
}
