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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** {@code RESTORE [TABLE] t [TO] VERSION AS OF 3 | TIMESTAMP AS OF '2024-01-31 12:00:00'}. */
final class RestoreTable implements OwnStatement {
  @Override
  public Set<String> firstWords() {
    return Set.of("RESTORE");
  }

  @Override
  public Optional<LogicalPlan> parse(TokenCursor cursor, StatementScope scope)
      throws ParseException {
    cursor.expect("RESTORE");
    cursor.accept("TABLE");
    Optional<NamedTable> table = NamedTable.read(cursor, scope);
    if (table.isEmpty()) {
      return Optional.empty();
    }
    cursor.accept("TO");
    String parameter;
    String value;
    if (cursor.accept("TIMESTAMP")) {
      cursor.expect("AS", "OF");
      parameter = "timestamp";
      value = cursor.expectString("a time such as '2024-01-31 12:00:00'");
    } else {
      cursor.expect("VERSION", "AS", "OF");
      parameter = "version";
      value = version(cursor);
    }
    NamedTable.expectEnd(cursor);
    return Optional.of(
        table.get().call("restore", Map.of(parameter, StatementScope.literal(value))));
  }

  /** A version: the id of a snapshot, or a tag in quotes. */
  static String version(TokenCursor cursor) throws ParseException {
    OptionalLong id = cursor.integer();
    return id.isPresent()
        ? Long.toString(id.getAsLong())
        : cursor.expectString("the id of a snapshot or a tag");
  }
}
