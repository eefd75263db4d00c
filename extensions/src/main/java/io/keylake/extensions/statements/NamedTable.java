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

import io.keylake.extensions.parser.StatementScope;
import io.keylake.extensions.parser.TokenCursor;
import io.keylake.spark.KeylakeTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;

/**
 * The table that a statement names, and what the statement asks of it.
 *
 * @param name as it is written
 * @param scope tells what the name means
 */
record NamedTable(List<String> name, StatementScope scope) {
  /** The name at the cursor; empty when there is none or the table is not ours. */
  static Optional<NamedTable> read(TokenCursor cursor, StatementScope scope) throws ParseException {
    return cursor.seesIdentifier()
        ? Optional.of(new NamedTable(cursor.name(), scope)).filter(NamedTable::isOurs)
        : Optional.empty();
  }

  /** In Spark's own catalog only tables that exist, and are ours, are. */
  boolean isOurs() {
    return scope.isLake(name) && (!scope.isSessionCatalog(name) || isKeylakeTable());
  }

  private boolean isKeylakeTable() {
    List<String> parts = scope.withinCatalog(name);
    int last = parts.size() - 1;
    try {
      return ((TableCatalog) scope.catalog(name))
              .loadTable(
                  Identifier.of(parts.subList(0, last).toArray(String[]::new), parts.get(last)))
          instanceof KeylakeTable;
    } catch (NoSuchTableException e) {
      return false;
    }
  }

  /** The CALL of a procedure on this table; arguments are SQL. */
  LogicalPlan call(String procedure, Map<String, String> arguments) throws ParseException {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("table", StatementScope.literal(StatementScope.quoted(fullName())));
    all.putAll(arguments);
    return scope.call(scope.catalogName(name), procedure, all);
  }

  private List<String> fullName() {
    List<String> parts = scope.withinCatalog(name);
    if (parts.size() == 1) {
      return parts;
    }
    List<String> full = new ArrayList<>(List.of(scope.catalogName(name)));
    full.addAll(parts);
    return full;
  }

  /** All rows of one of this table's metadata tables. */
  LogicalPlan metadata(String table) throws ParseException {
    List<String> parts = new ArrayList<>(name);
    parts.add(parts.remove(parts.size() - 1) + "$" + table);
    return scope.plan("SELECT * FROM " + StatementScope.quoted(parts));
  }

  /** Nothing may follow in the statement. */
  static void expectEnd(TokenCursor cursor) throws ParseException {
    if (!cursor.atEnd()) {
      throw cursor.error("the end of the statement is expected");
    }
  }

  /** Nothing may follow in the statement where {@code what} might have. */
  static void expectEnd(TokenCursor cursor, String what) throws ParseException {
    if (!cursor.atEnd()) {
      throw cursor.error(what + " or the end of the statement is expected");
    }
  }
}
