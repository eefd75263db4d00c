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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.jspecify.annotations.Nullable;

/**
 * What Flink writes behind the name of a table.
 *
 * <ol>
 *   <li>{@code t / *+ OPTIONS('k' = 'v') * /} is {@code t WITH ('k' = 'v')}, behind a version if
 *       there is one. The target of DELETE, UPDATE and MERGE has no such clause in Spark: its
 *       options are put into the plan, see {@link TargetOptions}.
 *   <li>{@code t FOR SYSTEM_TIME AS OF o.time} is the newest version of {@code t}. A time that is
 *       no column is left to Spark, which travels there.
 *   <li>Hints of tables in other catalogs, and of views, are left alone.
 * </ol>
 */
final class Relations {
  private static final String OPTIONS = "OPTIONS";

  private final TokenCursor cursor;
  private final TextEdits edits;
  private final StatementScope scope;
  private final Set<String> commonTables;
  private TargetOptions target = TargetOptions.NONE;

  private Relations(TokenCursor cursor, TextEdits edits, StatementScope scope) {
    this.cursor = cursor;
    this.edits = edits;
    this.scope = scope;
    this.commonTables = commonTables(cursor);
  }

  /** Rewrites all relations of a statement. */
  static TargetOptions rewrite(TokenCursor cursor, TextEdits edits, StatementScope scope)
      throws ParseException {
    Relations relations = new Relations(cursor, edits, scope);
    for (int i = 0; cursor.at(i).getType() != Token.EOF; i++) {
      if (cursor.at(i).getType() == SqlBaseLexer.HENT_START) {
        relations.hint(i);
      } else if (relations.isVersion(i) && cursor.at(i - 1).getType() != SqlBaseLexer.HENT_END) {
        relations.version(i);
      }
    }
    return relations.target;
  }

  /** The name of a table and what stands before it. */
  private record Named(List<String> name, int first) {}

  private void hint(int start) throws ParseException {
    Named table = nameBefore(start);
    if (!cursor.isAt(start + 1, OPTIONS) || table == null || !scope.isLake(table.name())) {
      return;
    }
    Token place = cursor.at(start);
    checkIsTable(table, place);
    cursor.moveTo(start + 2);
    Map<String, String> written = cursor.properties();
    if (!cursor.sees(SqlBaseLexer.HENT_END)) {
      throw cursor.error("'*/' is expected");
    }
    int end = cursor.position();
    HintOptions.Use use = use(table.first());
    Map<String, String> options =
        new HintOptions(String.join(".", table.name()), use, place).accepted(written);
    edits.remove(place.getStartIndex(), cursor.next().getStopIndex() + 1);
    int behind = isVersion(end + 1) ? version(end + 1) : cursor.at(end).getStopIndex() + 1;
    if (options.isEmpty()) {
      return;
    }
    if (use == HintOptions.Use.ROW_LEVEL) {
      target = new TargetOptions(table.name(), options);
    } else {
      edits.insert(behind, " WITH " + Properties.sql(options) + " ");
    }
  }

  private void checkIsTable(Named table, Token place) {
    if (table.name().size() == 1
        && commonTables.contains(table.name().get(0).toLowerCase(Locale.ROOT))) {
      throw Refusals.at(
          place,
          Condition.KEYLAKE_INVALID_REQUEST,
          "The hint OPTIONS is on "
              + table.name().get(0)
              + ", which WITH defines as a query. Put it behind the name of a table in that"
              + " query.");
    }
  }

  private boolean isVersion(int number) {
    return number > 0
        && cursor.isAt(number, "FOR")
        && cursor.isAt(number + 1, "SYSTEM_TIME")
        && cursor.isAt(number + 2, "AS")
        && cursor.isAt(number + 3, "OF");
  }

  /** Takes a version out that is the time of another row; where what follows it begins. */
  private int version(int start) throws ParseException {
    cursor.moveTo(start + 4);
    boolean column =
        cursor.seesIdentifier() && cursor.isAt(start + 5, ".") && isOurs(nameBeforeHint(start));
    if (!column) {
      cursor.expression("AS", "ON", "WHERE", "JOIN", "LEFT", "INNER", "GROUP", "ORDER", ",");
      return cursor.at(cursor.position() - 1).getStopIndex() + 1;
    }
    cursor.name();
    int end = cursor.at(cursor.position() - 1).getStopIndex() + 1;
    edits.remove(cursor.at(start).getStartIndex(), end);
    return end;
  }

  private boolean isOurs(@Nullable Named table) {
    return table != null && scope.isLake(table.name());
  }

  private @Nullable Named nameBeforeHint(int start) throws ParseException {
    int here = cursor.position();
    int end = start;
    if (cursor.at(end - 1).getType() == SqlBaseLexer.HENT_END) {
      while (cursor.at(end).getType() != SqlBaseLexer.HENT_START) {
        end--;
      }
    }
    Named name = nameBefore(end);
    cursor.moveTo(here);
    return name;
  }

  /** The name that ends before a token, if it can be a table. */
  private @Nullable Named nameBefore(int end) throws ParseException {
    int first = end - 1;
    while (first >= 2 && cursor.isAt(first - 1, ".")) {
      first -= 2;
    }
    if (first < 1
        || !cursor.isAt(
            first - 1,
            "FROM",
            "JOIN",
            ",",
            "INTO",
            "OVERWRITE",
            "TABLE",
            "UPDATE",
            "USING",
            "STREAM")) {
      return null;
    }
    cursor.moveTo(first);
    if (!cursor.seesIdentifier()) {
      return null;
    }
    List<String> name = cursor.name();
    return cursor.position() == end ? new Named(name, first) : null;
  }

  private HintOptions.Use use(int first) {
    int before = cursor.isAt(first - 1, "TABLE") ? first - 2 : first - 1;
    if (cursor.isAt(before, "OVERWRITE")) {
      return HintOptions.Use.OVERWRITE;
    }
    boolean rowLevel =
        cursor.isAt(before, "UPDATE")
            || (cursor.isAt(before, "FROM") && cursor.isAt(before - 1, "DELETE"))
            || (cursor.isAt(before, "INTO") && !cursor.isAt(before - 1, "INSERT"));
    if (rowLevel) {
      return HintOptions.Use.ROW_LEVEL;
    }
    return cursor.isAt(before, "INTO") ? HintOptions.Use.INSERT : HintOptions.Use.READ;
  }

  /** The names that {@code WITH} defines, in lower case. */
  private static Set<String> commonTables(TokenCursor cursor) {
    Set<String> names = new HashSet<>();
    boolean defines = false;
    for (int i = 0; cursor.at(i).getType() != Token.EOF; i++) {
      if (cursor.isAt(i, "WITH") && cursor.isAt(i + 2, "AS", "(")) {
        defines = true;
      }
      boolean begins = cursor.isAt(i, "WITH", ",");
      boolean isQuery = cursor.isAt(i + 2, "AS") && cursor.isAt(i + 3, "(");
      if (defines && begins && isQuery) {
        names.add(cursor.at(i + 1).getText().replace("`", "").toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }
}
