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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * What {@code ALTER TABLE t} does with tags and branches:
 *
 * <pre>
 * CREATE [OR REPLACE] TAG [IF NOT EXISTS] n [AS OF VERSION 3] [RETAIN 7 DAYS]
 * REPLACE TAG n [AS OF VERSION 3] [RETAIN 7 DAYS]
 * CREATE BRANCH [IF NOT EXISTS] n [AS OF TAG m | AS OF VERSION 3]
 * RENAME TAG | BRANCH a TO b
 * DROP TAG | BRANCH [IF EXISTS] n
 * FAST FORWARD [TO] BRANCH n
 * </pre>
 */
final class AlterReferences implements OwnStatement {
  private static final String TRUE = "true";

  /** What has names. */
  private enum Kind {
    TAG,
    BRANCH;

    String parameter() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Set<String> firstWords() {
    return Set.of("ALTER");
  }

  @Override
  public Optional<LogicalPlan> parse(TokenCursor cursor, StatementScope scope)
      throws ParseException {
    if (!cursor.accept("ALTER", "TABLE") || !cursor.seesIdentifier()) {
      return Optional.empty();
    }
    NamedTable table = new NamedTable(cursor.name(), scope);
    return isAboutReferences(cursor) && table.isOurs()
        ? Optional.of(plan(cursor, table))
        : Optional.empty();
  }

  private static boolean isAboutReferences(TokenCursor cursor) {
    for (Kind kind : Kind.values()) {
      String word = kind.name();
      boolean seen =
          cursor.sees("CREATE", word)
              || cursor.sees("CREATE", "OR", "REPLACE", word)
              || cursor.sees("REPLACE", word)
              || cursor.sees("RENAME", word)
              || cursor.sees("DROP", word)
              || cursor.sees("FAST", "FORWARD");
      if (seen) {
        return true;
      }
    }
    return false;
  }

  private static LogicalPlan plan(TokenCursor cursor, NamedTable table) throws ParseException {
    if (cursor.accept("FAST", "FORWARD")) {
      cursor.accept("TO");
      cursor.expect("BRANCH");
      String branch = StatementScope.literal(name(cursor));
      NamedTable.expectEnd(cursor);
      return table.call("fast_forward", Map.of("branch", branch));
    }
    if (cursor.accept("RENAME")) {
      return rename(cursor, table);
    }
    return cursor.accept("DROP") ? drop(cursor, table) : create(cursor, table);
  }

  private static Kind kind(TokenCursor cursor) throws ParseException {
    if (cursor.accept(Kind.TAG.name())) {
      return Kind.TAG;
    }
    cursor.expect(Kind.BRANCH.name());
    return Kind.BRANCH;
  }

  private static LogicalPlan rename(TokenCursor cursor, NamedTable table) throws ParseException {
    Kind kind = kind(cursor);
    String from = StatementScope.literal(name(cursor));
    cursor.expect("TO");
    String to = StatementScope.literal(name(cursor));
    NamedTable.expectEnd(cursor);
    return kind == Kind.TAG
        ? table.call("rename_tag", Map.of("tag", from, "target_tag", to))
        : table.call("rename_branch", Map.of("from_branch", from, "to_branch", to));
  }

  private static LogicalPlan drop(TokenCursor cursor, NamedTable table) throws ParseException {
    Kind kind = kind(cursor);
    Map<String, String> arguments = new LinkedHashMap<>();
    if (cursor.accept("IF", "EXISTS")) {
      arguments.put("if_exists", TRUE);
    }
    Token token = cursor.peek();
    String name = name(cursor);
    if (name.contains(",")) {
      throw cursor.error("one name is expected, and no name has a comma", token);
    }
    arguments.put(kind.parameter(), StatementScope.literal(name));
    NamedTable.expectEnd(cursor);
    return table.call("delete_" + kind.parameter(), arguments);
  }

  private static LogicalPlan create(TokenCursor cursor, NamedTable table) throws ParseException {
    boolean creates = cursor.accept("CREATE");
    boolean replaces = cursor.accept("OR", "REPLACE") || cursor.accept("REPLACE");
    if (replaces && cursor.sees(Kind.BRANCH.name())) {
      throw cursor.error("a branch cannot be replaced: drop it first");
    }
    Kind kind = kind(cursor);
    Map<String, String> arguments = new LinkedHashMap<>();
    if (!replaces && cursor.accept("IF", "NOT", "EXISTS")) {
      arguments.put("if_not_exists", TRUE);
    }
    arguments.put(kind.parameter(), StatementScope.literal(name(cursor)));
    if (kind == Kind.BRANCH) {
      start(cursor, arguments);
      NamedTable.expectEnd(cursor, "AS OF TAG, AS OF VERSION");
      return table.call("create_branch", arguments);
    }
    if (cursor.accept("AS", "OF")) {
      cursor.expect("VERSION");
      arguments.put("snapshot", Long.toString(cursor.expectInteger("the id of a snapshot")));
    }
    if (cursor.accept("RETAIN")) {
      arguments.put("time_retained", StatementScope.literal(span(cursor)));
    }
    NamedTable.expectEnd(cursor, "AS OF VERSION, RETAIN");
    if (creates && replaces) {
      arguments.put("or_replace", TRUE);
    }
    return table.call(creates ? "create_tag" : "replace_tag", arguments);
  }

  private static void start(TokenCursor cursor, Map<String, String> arguments)
      throws ParseException {
    if (!cursor.accept("AS", "OF")) {
      return;
    }
    if (cursor.accept("TAG")) {
      arguments.put("tag", StatementScope.literal(name(cursor)));
    } else {
      cursor.expect("VERSION");
      arguments.put("version", StatementScope.literal(RestoreTable.version(cursor)));
    }
  }

  private static String span(TokenCursor cursor) throws ParseException {
    long number = cursor.expectInteger("a number of days, hours or minutes");
    for (String unit : new String[] {"DAY", "HOUR", "MINUTE"}) {
      if (cursor.accept(unit) || cursor.accept(unit + "S")) {
        String letters = unit.equals("MINUTE") ? "min" : unit.substring(0, 1);
        return number + " " + letters.toLowerCase(Locale.ROOT);
      }
    }
    throw cursor.error("DAYS, HOURS or MINUTES is expected");
  }

  /** A name of a tag or branch: a word, or anything in quotes of either kind. */
  private static String name(TokenCursor cursor) throws ParseException {
    Optional<String> quoted = cursor.string();
    return quoted.isPresent() ? quoted.get() : cursor.identifier();
  }
}
