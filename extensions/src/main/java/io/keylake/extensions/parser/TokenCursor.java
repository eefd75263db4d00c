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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;
import org.apache.spark.sql.catalyst.parser.ParseErrorListener$;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.apache.spark.sql.catalyst.parser.UpperCaseCharStream;
import org.apache.spark.sql.catalyst.util.SparkParserUtils$;
import org.apache.spark.sql.internal.SQLConf;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Reads a statement token by token, as Spark's own lexer sees it: comments and white space are not
 * there, a hint is. Tokens are made when they are asked for, so a look at the first word of a long
 * text costs one token. Not thread safe.
 */
public final class TokenCursor {
  private final String text;
  private final SqlBaseLexer lexer;
  private final List<Token> tokens = new ArrayList<>();
  private int position;

  /** Stands on the first token of {@code text}. */
  public TokenCursor(String text) {
    this.text = text;
    this.lexer = new SqlBaseLexer(new UpperCaseCharStream(CharStreams.fromString(text)));
    lexer.removeErrorListeners();
    lexer.addErrorListener(ParseErrorListener$.MODULE$);
  }

  /** The whole text. */
  public String text() {
    return text;
  }

  /** The number of tokens passed, for {@link #moveTo}. */
  public int position() {
    return position;
  }

  /** Goes to a token by its number. */
  public void moveTo(int token) {
    position = token;
  }

  /** A token by its number. */
  public Token at(int number) {
    return peek(number - position);
  }

  /** Whether the token of this number is one of these words or signs. */
  public boolean isAt(int number, String... words) {
    if (number < 0) {
      return false;
    }
    String text = at(number).getText();
    for (String word : words) {
      if (text.equalsIgnoreCase(word)) {
        return true;
      }
    }
    return false;
  }

  /** Passes what stands in the parentheses at the cursor, and them. */
  public void skipParentheses() throws ParseException {
    expect("(");
    int depth = 1;
    while (depth > 0) {
      if (isEnd(peek())) {
        throw error("')' is expected");
      }
      depth += depth(next());
    }
  }

  /** The coming token. */
  public Token peek() {
    return peek(0);
  }

  /** The token {@code ahead} places after the coming one; the end of the text goes on forever. */
  public Token peek(int ahead) {
    int wanted = position + ahead;
    while (tokens.size() <= wanted && (tokens.isEmpty() || !isEnd(tokens.get(tokens.size() - 1)))) {
      Token token = lexer.nextToken();
      if (token.getChannel() == Token.DEFAULT_CHANNEL) {
        tokens.add(token);
      }
    }
    return tokens.get(Math.min(wanted, tokens.size() - 1));
  }

  private static boolean isEnd(Token token) {
    return token.getType() == Token.EOF;
  }

  /** Passes and gives the coming token. */
  public Token next() {
    Token token = peek();
    position++;
    return token;
  }

  /** Whether only semicolons remain. */
  public boolean atEnd() {
    int ahead = 0;
    while (peek(ahead).getType() == SqlBaseLexer.SEMICOLON) {
      ahead++;
    }
    return isEnd(peek(ahead));
  }

  /** Whether the coming tokens are these words or signs, whatever their case. */
  public boolean sees(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!peek(i).getText().equalsIgnoreCase(words[i])) {
        return false;
      }
    }
    return true;
  }

  /** Passes the coming tokens if they are these words or signs. */
  public boolean accept(String... words) {
    boolean seen = sees(words);
    if (seen) {
      position += words.length;
    }
    return seen;
  }

  /** Passes these words or signs, which must come. */
  public void expect(String... words) throws ParseException {
    for (String word : words) {
      if (!accept(word)) {
        throw error("'" + word + "' is expected");
      }
    }
  }

  /** Whether the coming token is of {@code type}, see {@link SqlBaseLexer}. */
  public boolean sees(int type) {
    return peek().getType() == type;
  }

  /** Whether the coming token can be an identifier: a word or a quoted name. */
  public boolean seesIdentifier() {
    Token token = peek();
    return token.getType() == SqlBaseLexer.BACKQUOTED_IDENTIFIER
        || (isQuotedIdentifier(token) || isWord(token.getText()));
  }

  private static boolean isQuotedIdentifier(Token token) {
    return token.getType() == SqlBaseLexer.DOUBLEQUOTED_STRING
        && SQLConf.get().doubleQuotedIdentifiers();
  }

  private static boolean isWord(String word) {
    return !word.isEmpty()
        && (Character.isLetter(word.codePointAt(0)) || word.charAt(0) == '_')
        && word.codePoints().allMatch(c -> Character.isLetterOrDigit(c) || c == '_');
  }

  /** Passes and gives an identifier, without its quotes. */
  public String identifier() throws ParseException {
    if (!seesIdentifier()) {
      throw error("a name is expected");
    }
    Token token = next();
    String name = token.getText();
    return switch (token.getType()) {
      case SqlBaseLexer.BACKQUOTED_IDENTIFIER -> unquoted(name, "`");
      case SqlBaseLexer.DOUBLEQUOTED_STRING -> unquoted(name, "\"");
      default -> name;
    };
  }

  private static String unquoted(String name, String quote) {
    return name.substring(1, name.length() - 1).replace(quote + quote, quote);
  }

  /** Passes and gives a name of one or more parts, such as {@code lake.`db`.t}. */
  public List<String> name() throws ParseException {
    List<String> parts = new ArrayList<>();
    do {
      parts.add(identifier());
    } while (accept("."));
    return List.copyOf(parts);
  }

  /** Passes and gives a string, if one comes. */
  public Optional<String> string() {
    if (!seesString()) {
      return Optional.empty();
    }
    return Optional.of(value(next()));
  }

  private boolean seesString() {
    Token token = peek();
    return token.getType() == SqlBaseLexer.STRING_LITERAL
        || (token.getType() == SqlBaseLexer.DOUBLEQUOTED_STRING && !isQuotedIdentifier(token));
  }

  private static String value(Token token) {
    String text = token.getText();
    return SQLConf.get().escapedStringLiterals()
        ? text.substring(1, text.length() - 1)
        : SparkParserUtils$.MODULE$.unescapeSQLString(text, false);
  }

  /** Passes and gives a string, which must come. */
  public String expectString(String what) throws ParseException {
    ParseException missing = error(what + " is expected, in quotes");
    return string().orElseThrow(() -> missing);
  }

  /** Passes and gives a number without a fraction, if one comes. */
  public OptionalLong integer() throws ParseException {
    boolean negative = sees("-") && isInteger(peek(1));
    Token number = negative ? peek(1) : peek();
    if (!isInteger(number)) {
      return OptionalLong.empty();
    }
    String digits = number.getText().replaceFirst("[lL]$", "");
    try {
      long value = Long.parseLong((negative ? "-" : "") + digits);
      position += negative ? 2 : 1;
      return OptionalLong.of(value);
    } catch (NumberFormatException e) {
      throw error("the number " + digits + " is too large");
    }
  }

  private static boolean isInteger(Token token) {
    return token.getType() == SqlBaseLexer.INTEGER_VALUE
        || token.getType() == SqlBaseLexer.BIGINT_LITERAL;
  }

  /** Passes and gives a number without a fraction, which must come. */
  public long expectInteger(String what) throws ParseException {
    ParseException missing = error(what + " is expected, a whole number");
    return integer().orElseThrow(() -> missing);
  }

  /** Passes and gives {@code ('key' = 'value', ...)} in the order it is written. */
  public Map<String, String> properties() throws ParseException {
    Map<String, String> properties = new LinkedHashMap<>();
    expect("(");
    do {
      String key = propertyKey();
      expect("=");
      if (properties.put(key, propertyValue()) != null) {
        throw error("'" + key + "' is given twice");
      }
    } while (accept(","));
    expect(")");
    return properties;
  }

  /** Passes and gives a key of a property: a string, or words with dots. */
  public String propertyKey() throws ParseException {
    Optional<String> key = string();
    return key.isPresent() ? key.get() : String.join(".", name());
  }

  private String propertyValue() throws ParseException {
    Optional<String> value = string();
    if (value.isPresent()) {
      return value.get();
    }
    if (isEnd(peek()) || sees(",") || sees(")")) {
      throw error("a value is expected");
    }
    return (accept("-") ? "-" : "") + next().getText();
  }

  /**
   * Passes an expression and gives its text as it is written: all up to the coming token, outside
   * of parentheses, that is one of {@code endWords}, or to the end of the statement.
   */
  public String expression(String... endWords) throws ParseException {
    Token first = peek();
    Token last = null;
    int depth = 0;
    while (!atEnd() && (depth > 0 || !seesAny(endWords))) {
      depth += depth(peek());
      if (depth < 0) {
        break;
      }
      last = next();
    }
    if (last == null) {
      throw error("an expression is expected");
    }
    return text(first.getStartIndex(), last.getStopIndex() + 1);
  }

  private boolean seesAny(String... words) {
    for (String word : words) {
      if (sees(word)) {
        return true;
      }
    }
    return false;
  }

  private static int depth(Token token) {
    return switch (token.getType()) {
      case SqlBaseLexer.LEFT_PAREN, SqlBaseLexer.LEFT_BRACKET -> 1;
      case SqlBaseLexer.RIGHT_PAREN, SqlBaseLexer.RIGHT_BRACKET -> -1;
      default -> 0;
    };
  }

  /** The code points {@code [start, end)} of the text. */
  public String text(int start, int end) {
    return text.substring(text.offsetByCodePoints(0, start), text.offsetByCodePoints(0, end));
  }

  /** {@link #error(String, Token)} at the coming token. */
  public ParseException error(String what) {
    return error(what, peek());
  }

  /** The failure of a statement that is not well formed at {@code token}. */
  public ParseException error(String what, Token token) {
    return new ParseException(
        Option.apply(text),
        TextEdits.place(token.getLine(), token.getCharPositionInLine()),
        "PARSE_SYNTAX_ERROR",
        scala.collection.immutable.Map.from(
            CollectionConverters.asScala(
                Map.of(
                    "error",
                    isEnd(token) ? "end of input" : "'" + token.getText() + "'",
                    "hint",
                    ": " + what))));
  }

  /** {@code text} as a string literal that this session's lexer reads back. */
  static String literal(String text) {
    String escaped = SQLConf.get().escapedStringLiterals() ? text : text.replace("\\", "\\\\");
    return "'" + escaped.replace("'", "\\'") + "'";
  }
}
