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
import java.util.Set;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * A statement that Spark does not have. It is asked before the parser of the session, so it must
 * tell itself by its first words and by its table: a table of another catalog is another's
 * statement.
 */
public interface OwnStatement {
  /** The first words of the statements it may be, in upper case. */
  Set<String> firstWords();

  /**
   * The plan of the statement at {@code cursor}, which stands on its first token; empty when it is
   * another statement or one on a table that is not ours, see {@link StatementScope#isLake}. The
   * cursor need not be put back.
   *
   * @throws ParseException when it is this statement but not well formed: see {@link
   *     TokenCursor#error}
   */
  Optional<LogicalPlan> parse(TokenCursor cursor, StatementScope scope) throws ParseException;
}
