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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** {@code VACUUM t [RETAIN n HOURS] [DRY RUN]}. */
final class VacuumTable implements OwnStatement {
  @Override
  public Set<String> firstWords() {
    return Set.of("VACUUM");
  }

  @Override
  public Optional<LogicalPlan> parse(TokenCursor cursor, StatementScope scope)
      throws ParseException {
    cursor.expect("VACUUM");
    Optional<NamedTable> table = NamedTable.read(cursor, scope);
    if (table.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> arguments = new LinkedHashMap<>();
    if (cursor.accept("RETAIN")) {
      arguments.put("retain_hours", Long.toString(cursor.expectInteger("a number of hours")));
      if (!cursor.accept("HOURS")) {
        cursor.expect("HOUR");
      }
    }
    if (cursor.accept("DRY")) {
      cursor.expect("RUN");
      arguments.put("dry_run", "true");
    }
    NamedTable.expectEnd(cursor, arguments.isEmpty() ? "RETAIN, DRY RUN" : "DRY RUN");
    return Optional.of(table.get().call("vacuum", arguments));
  }
}
