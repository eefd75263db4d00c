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
import io.keylake.format.errors.Condition;
import io.keylake.format.schema.TypeJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.jspecify.annotations.Nullable;

/**
 * {@code CREATE TABLE t (columns) COMMENT ... PARTITIONED BY (...) WITH (...) [LIKE s | AS query]}.
 *
 * <ol>
 *   <li>{@code WITH} becomes {@code TBLPROPERTIES}, without the keys that only tell Flink how to
 *       reach a table, see {@link ConnectorKeys}.
 *   <li>Types are named as Spark does; one that Spark has no name for travels as the property
 *       {@code column-type.<column>}.
 *   <li>{@code DISTRIBUTED BY (c) INTO n BUCKETS} are the options {@code bucket} and {@code
 *       bucket-key}.
 *   <li>Computed and metadata columns, watermarks and temporary tables are refused.
 * </ol>
 */
final class CreateTable {
  private static final Set<String> CONSTRAINTS =
      Set.of("PRIMARY", "CONSTRAINT", "UNIQUE", "CHECK", "FOREIGN");

  private final TokenCursor cursor;
  private final TextEdits edits;
  private final StatementScope scope;
  private final Map<String, String> added = new LinkedHashMap<>();
  private List<String> table = List.of();
  private TableClauses clauses = new TableClauses();

  private CreateTable(TokenCursor cursor, TextEdits edits, StatementScope scope) {
    this.cursor = cursor;
    this.edits = edits;
    this.scope = scope;
  }

  /** Rewrites the statement at the cursor, if it makes a table of ours. */
  static void rewrite(TokenCursor cursor, TextEdits edits, StatementScope scope)
      throws ParseException {
    new CreateTable(cursor, edits, scope).rewrite();
  }

  private void rewrite() throws ParseException {
    Token temporary = null;
    if (cursor.accept("CREATE")) {
      cursor.accept("OR", "REPLACE");
      temporary = cursor.sees("TEMPORARY") ? cursor.next() : null;
    } else if (!cursor.accept("REPLACE")) {
      return;
    }
    if (!cursor.accept("TABLE")) {
      return;
    }
    cursor.accept("IF", "NOT", "EXISTS");
    if (!cursor.seesIdentifier()) {
      return;
    }
    table = cursor.name();
    if (!scope.isLake(table)) {
      return;
    }
    checkIsKept(temporary);
    int columns = cursor.position();
    if (cursor.sees("(")) {
      cursor.skipParentheses();
    }
    boolean hasColumns = cursor.position() > columns;
    clauses = TableClauses.read(cursor);
    if (clauses.isOfAnotherProvider()) {
      return;
    }
    if (clauses.like() != null) {
      new LikeTable(name(), edits, clauses).rewrite(columns(columns, hasColumns));
      return;
    }
    if (hasColumns) {
      cursor.moveTo(columns);
      columns();
    }
    properties();
  }

  private Token columns(int number, boolean present) {
    return cursor.at(present ? number : number - 1);
  }

  private void checkIsKept(@Nullable Token temporary) {
    if (temporary != null) {
      throw Refusals.at(
          temporary,
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Cannot create the temporary table "
              + name()
              + ": tables of this catalog are kept. Leave TEMPORARY out, or use CREATE TEMPORARY"
              + " VIEW ... USING for a table of another system.");
    }
  }

  private String name() {
    return String.join(".", table);
  }

  private void columns() throws ParseException {
    cursor.expect("(");
    do {
      column();
    } while (cursor.accept(","));
    cursor.expect(")");
  }

  private void column() throws ParseException {
    Token first = cursor.peek();
    String word = first.getText().toUpperCase(Locale.ROOT);
    if (word.equals("WATERMARK") && cursor.peek(1).getText().equalsIgnoreCase("FOR")) {
      throw refused(
          first,
          "has a watermark, which tables do not store",
          "Leave it out; say withWatermark in the query that reads the stream.");
    }
    boolean isConstraint =
        CONSTRAINTS.contains(word)
            && (cursor.peek(1).getText().equals("(")
                || !word.equals("UNIQUE") && !word.equals("CHECK"));
    if (!isConstraint) {
      define(cursor.identifier());
    }
    passRest();
  }

  private void define(String column) throws ParseException {
    Token start = cursor.peek();
    if (cursor.sees("AS")) {
      throw refused(
          start,
          "has the computed column " + column + ", which the table format does not have",
          "Compute it in the query that writes or reads the table, or in a view.");
    }
    FlinkType type =
        new FlinkTypes(
                cursor, clauses.areSparks() ? FlinkTypes.Names.SPARK : FlinkTypes.Names.FLINK)
            .read(column);
    int end = cursor.at(cursor.position() - 1).getStopIndex() + 1;
    if (!edits.slice(start.getStartIndex(), end).equalsIgnoreCase(type.sql())) {
      edits.replace(start.getStartIndex(), end, type.sql());
    }
    if (!type.isExact()) {
      added.put("column-type." + column, TypeJson.write(type.stored()));
    }
    if (cursor.sees("METADATA")) {
      throw refused(
          cursor.peek(),
          "has the metadata column " + column + ", which the table format does not have",
          "Leave it out, or make it a column that the query writes.");
    }
    if (cursor.sees("NULL")) {
      Token none = cursor.next();
      edits.remove(none.getStartIndex(), none.getStopIndex() + 1);
    }
  }

  private void passRest() throws ParseException {
    while (!cursor.sees(",") && !cursor.sees(")")) {
      if (cursor.atEnd()) {
        throw cursor.error("')' is expected");
      }
      if (cursor.sees("(")) {
        cursor.skipParentheses();
      } else {
        cursor.next();
      }
    }
  }

  private void properties() {
    Map<String, String> all =
        new LinkedHashMap<>(ConnectorKeys.withoutThem(clauses.properties(), name()));
    clauses.distribution().forEach(all::putIfAbsent);
    all.putAll(added);
    String provider =
        scope.isSessionCatalog(table) && !clauses.hasProvider() ? " USING keylake" : "";
    clauses.remove(edits);
    boolean unchanged = added.isEmpty() && clauses.keepsProperties();
    if (unchanged) {
      return;
    }
    String sql = provider + (all.isEmpty() ? "" : " TBLPROPERTIES " + Properties.sql(all)) + " ";
    clauses.replaceProperties(edits, sql);
  }

  private RuntimeException refused(Token token, String what, String advice) {
    return Refusals.at(
        token,
        Condition.KEYLAKE_UNSUPPORTED_FEATURE,
        "Table " + name() + " " + what + ". " + advice);
  }
}
