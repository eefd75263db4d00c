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

package io.keylake.extensions.parser;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** Another way of writing statements, which is asked only about text that Spark refuses. */
public interface Dialect {
  /**
   * What {@code text} is in Spark's syntax; empty when there is nothing of this dialect in it.
   *
   * @throws ParseException when it is of this dialect but has no meaning here; says what to do
   */
  Optional<Rewritten> rewrite(String text, StatementScope scope) throws ParseException;

  /**
   * A statement in Spark's syntax.
   *
   * @param edits the changes of the user's text
   * @param finish what has to be done to the plan, because Spark's syntax has no place for it
   */
  record Rewritten(TextEdits edits, UnaryOperator<LogicalPlan> finish) {}
}
