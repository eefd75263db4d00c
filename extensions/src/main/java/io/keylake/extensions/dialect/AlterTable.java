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

import io.keylake.extensions.parser.StatementScope;
import io.keylake.extensions.parser.TextEdits;
import io.keylake.extensions.parser.TokenCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.parser.ParseException;

/** {@code ALTER TABLE t SET ('k' = 'v')} and {@code RESET ('k')}. */
final class AlterTable {
  private AlterTable() {}

  static void rewrite(TokenCursor cursor, TextEdits edits, StatementScope scope)
      throws ParseException {
    if (!cursor.accept("ALTER", "TABLE")) {
      return;
    }
    boolean ifExists = cursor.accept("IF", "EXISTS");
    if (!cursor.seesIdentifier()) {
      return;
    }
    List<String> table = cursor.name();
    if (ifExists || !scope.isLake(table)) {
      return;
    }
    int start = cursor.peek().getStartIndex();
    if (cursor.sees("SET", "(")) {
      cursor.accept("SET");
      Map<String, String> written = cursor.properties();
      Map<String, String> own = ConnectorKeys.withoutThem(written, String.join(".", table));
      edits.replace(
          start,
          end(cursor),
          own.isEmpty()
              ? unset(List.copyOf(written.keySet()))
              : "SET TBLPROPERTIES " + Properties.sql(own));
    } else if (cursor.sees("RESET", "(")) {
      cursor.accept("RESET");
      List<String> keys = keys(cursor);
      edits.replace(start, end(cursor), unset(keys));
    }
  }

  private static List<String> keys(TokenCursor cursor) throws ParseException {
    List<String> keys = new ArrayList<>();
    cursor.expect("(");
    do {
      keys.add(cursor.propertyKey());
    } while (cursor.accept(","));
    cursor.expect(")");
    return keys;
  }

  /** Also what is left of a SET of nothing that is the table's: it changes nothing. */
  private static String unset(List<String> keys) {
    return keys.stream()
        .map(StatementScope::literal)
        .collect(Collectors.joining(", ", "UNSET TBLPROPERTIES IF EXISTS (", ")"));
  }

  private static int end(TokenCursor cursor) {
    return cursor.at(cursor.position() - 1).getStopIndex() + 1;
  }
}
