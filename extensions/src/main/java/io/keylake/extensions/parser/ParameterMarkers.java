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

package io.keylake.extensions.parser;

import java.util.List;
import java.util.Optional;
import org.antlr.v4.runtime.Token;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.HybridParameterContext;
import org.apache.spark.sql.catalyst.parser.NamedParameterContext;
import org.apache.spark.sql.catalyst.parser.ParameterContext;
import org.apache.spark.sql.catalyst.parser.ParameterHandler;
import org.apache.spark.sql.catalyst.parser.PositionalParameterContext;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Puts values in the place of markers such as {@code :name} and {@code ?}. Spark does that for text
 * that its grammar knows; this one looks at tokens only, so it can be done for any.
 *
 * <ol>
 *   <li>A question mark is the next positional parameter, while there are any.
 *   <li>A colon is a marker if the name of a parameter follows and no name, parenthesis or bracket
 *       ends just before it: that is a path into a variant.
 *   <li>Anything else stays, for the parser to refuse.
 * </ol>
 */
final class ParameterMarkers {
  private static final String QUERY = "SELECT ";

  private final ParameterContext parameters;
  private int positional;

  private ParameterMarkers(ParameterContext parameters) {
    this.parameters = parameters;
  }

  /** {@code text} with values for markers. */
  static TextEdits substituted(String text, ParameterContext parameters) {
    TextEdits edits = new TextEdits(text);
    if (text.indexOf(':') >= 0 || text.indexOf('?') >= 0) {
      new ParameterMarkers(parameters).substitute(new TokenCursor(text), edits);
    }
    return edits;
  }

  private void substitute(TokenCursor cursor, TextEdits edits) {
    Token before = null;
    while (cursor.peek().getType() != Token.EOF) {
      Token token = cursor.next();
      Token name = cursor.peek();
      if (token.getType() == SqlBaseLexer.QUESTION) {
        positional(positional++)
            .ifPresent(
                value -> edits.replace(token.getStartIndex(), token.getStopIndex() + 1, value));
      } else if (token.getType() == SqlBaseLexer.COLON && !isPath(before, token)) {
        named(name.getText())
            .ifPresent(
                value -> edits.replace(token.getStartIndex(), name.getStopIndex() + 1, value));
      }
      before = token;
    }
  }

  private static boolean isPath(@Nullable Token before, Token colon) {
    if (before == null || before.getStopIndex() + 1 != colon.getStartIndex()) {
      return false;
    }
    int last = before.getText().codePointBefore(before.getText().length());
    return Character.isLetterOrDigit(last) || "_`)]".indexOf(last) >= 0;
  }

  private Optional<String> named(String name) {
    if (parameters instanceof NamedParameterContext named) {
      return named.params().contains(name)
          ? Optional.of(value(named.params().apply(name)))
          : Optional.empty();
    }
    if (parameters instanceof HybridParameterContext hybrid) {
      int index = hybrid.paramNames().indexOf(name);
      return index < 0 ? Optional.empty() : Optional.of(value(hybrid.args().apply(index)));
    }
    return Optional.empty();
  }

  private Optional<String> positional(int index) {
    if (parameters instanceof PositionalParameterContext list) {
      return at(list.params(), index);
    }
    return parameters instanceof HybridParameterContext hybrid
        ? at(hybrid.args(), index)
        : Optional.empty();
  }

  private static Optional<String> at(Seq<Expression> values, int index) {
    return index < values.size() ? Optional.of(value(values.apply(index))) : Optional.empty();
  }

  /** A value as Spark writes it. */
  private static String value(Expression value) {
    Seq<Expression> one = CollectionConverters.asScala(List.of(value)).toSeq();
    return ParameterHandler.substituteParameters(QUERY + "?", new PositionalParameterContext(one))
        ._1()
        .substring(QUERY.length());
  }
}
