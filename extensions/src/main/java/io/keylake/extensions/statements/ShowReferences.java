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

import io.keylake.extensions.parser.OwnStatement;
import io.keylake.extensions.parser.StatementScope;
import io.keylake.extensions.parser.TokenCursor;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** {@code SHOW TAGS [FROM | IN] t} and {@code SHOW BRANCHES [FROM | IN] t}. */
final class ShowReferences implements OwnStatement {
  @Override
  public Set<String> firstWords() {
    return Set.of("SHOW");
  }

  @Override
  public Optional<LogicalPlan> parse(TokenCursor cursor, StatementScope scope)
      throws ParseException {
    if (!cursor.sees("SHOW", "TAGS") && !cursor.sees("SHOW", "BRANCHES")) {
      return Optional.empty();
    }
    cursor.next();
    String metadata = cursor.next().getText().toLowerCase(Locale.ROOT);
    if (!cursor.accept("FROM")) {
      cursor.accept("IN");
    }
    Optional<NamedTable> table = NamedTable.read(cursor, scope);
    if (table.isEmpty()) {
      return Optional.empty();
    }
    NamedTable.expectEnd(cursor);
    return Optional.of(table.get().metadata(metadata));
  }
}
