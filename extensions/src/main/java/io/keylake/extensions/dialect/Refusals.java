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

package io.keylake.extensions.dialect;

import io.keylake.format.errors.Condition;
import io.keylake.spark.convert.KeylakeException;
import io.keylake.spark.convert.SparkErrors;
import org.antlr.v4.runtime.Token;

/** Failures of statements that are understood, but have no meaning here. */
final class Refusals {
  private Refusals() {}

  /** {@code message} says what, where and what to do; the place in the text is added to it. */
  static KeylakeException at(Token token, Condition condition, String message) {
    return SparkErrors.failure(
        condition,
        message
            + " (line "
            + token.getLine()
            + ", position "
            + (token.getCharPositionInLine() + 1)
            + ")");
  }
}
