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
import java.util.Set;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * {@code DESCRIBE HISTORY t [LIMIT n]} and {@code DESCRIBE DETAIL t}. Spark would read them as the
 * column t of a table named history or detail, which {@code DESCRIBE TABLE} still describes.
 */
final class DescribeVersions implements OwnStatement {
  @Override
  public Set<String> firstWords() {
    return Set.of("DESCRIBE", "DESC");
  }

  @Override
  public Optional<LogicalPlan> parse(TokenCursor cursor, StatementScope scope)
      throws ParseException {
    cursor.next();
    boolean history = cursor.accept("HISTORY");
    boolean isOther =
        !history && !cursor.accept("DETAIL")
            || cursor.sees("AS", "JSON")
            || cursor.sees("PARTITION", "(");
    Optional<NamedTable> table = isOther ? Optional.empty() : NamedTable.read(cursor, scope);
    if (table.isEmpty()) {
      return Optional.empty();
    }
    if (!history) {
      NamedTable.expectEnd(cursor);
      return Optional.of(table.get().call("detail", Map.of()));
    }
    Map<String, String> arguments =
        cursor.accept("LIMIT")
            ? Map.of("limit", Long.toString(cursor.expectInteger("a number of versions")))
            : Map.of();
    NamedTable.expectEnd(cursor, "LIMIT");
    return Optional.of(table.get().call("history", arguments));
  }
}
