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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** {@code OPTIMIZE t [WHERE p] [ZORDER BY (a, b)]}. */
final class OptimizeTable implements OwnStatement {
  @Override
  public Set<String> firstWords() {
    return Set.of("OPTIMIZE");
  }

  @Override
  public Optional<LogicalPlan> parse(TokenCursor cursor, StatementScope scope)
      throws ParseException {
    cursor.expect("OPTIMIZE");
    Optional<NamedTable> table = NamedTable.read(cursor, scope);
    if (table.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> arguments = new LinkedHashMap<>();
    if (cursor.accept("WHERE")) {
      arguments.put("where", StatementScope.literal(condition(cursor, scope)));
    }
    if (cursor.accept("ZORDER")) {
      cursor.expect("BY");
      arguments.put("zorder_by", StatementScope.literal(columns(cursor)));
    }
    NamedTable.expectEnd(cursor, arguments.isEmpty() ? "WHERE, ZORDER BY" : "ZORDER BY");
    return Optional.of(table.get().call("optimize", arguments));
  }

  /** An expression, which is parsed here so that its errors are shown at their place. */
  private static String condition(TokenCursor cursor, StatementScope scope) throws ParseException {
    int start = cursor.peek().getStartIndex();
    String condition = cursor.expression("ZORDER");
    String before =
        cursor
            .text(0, start)
            .codePoints()
            .map(c -> c == '\n' || c == '\r' ? c : ' ')
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    ParserInterface parser = scope.session().sessionState().sqlParser();
    try {
      parser.parseExpression(before + condition);
    } catch (ParseException e) {
      throw new ParseException(
          Option.apply(cursor.text()),
          e.start(),
          e.getCondition(),
          scala.collection.immutable.Map.from(
              CollectionConverters.asScala(e.getMessageParameters())),
          new QueryContext[0]);
    }
    return condition;
  }

  private static String columns(TokenCursor cursor) throws ParseException {
    List<String> names = new ArrayList<>();
    boolean inParentheses = cursor.accept("(");
    do {
      Token token = cursor.peek();
      List<String> name = cursor.name();
      if (name.stream().anyMatch(part -> part.contains(","))) {
        throw cursor.error("a column without a comma in its name is expected", token);
      }
      names.add(StatementScope.quoted(name));
    } while (cursor.accept(","));
    if (inParentheses) {
      cursor.expect(")");
    }
    return String.join(", ", names);
  }
}
