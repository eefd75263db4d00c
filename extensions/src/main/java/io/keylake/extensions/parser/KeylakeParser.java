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
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParameterContext;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.internal.VariableSubstitution;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The parser of a session with our extensions, on top of the one below, which is Spark's or another
 * extension's. In order:
 *
 * <ol>
 *   <li>a statement of our own, if the first word may be one;
 *   <li>the parser below: what it understands is left alone;
 *   <li>only for what it refuses, the other dialect: its text in Spark's syntax goes to the parser
 *       below. If that is refused too, the error is shown at its place in the user's text; if there
 *       is nothing of the dialect in it, the first error stays.
 * </ol>
 *
 * <p>Thread safe, as Spark's parsers are.
 */
public final class KeylakeParser implements ParserInterface {
  private final ParserInterface delegate;
  private final List<OwnStatement> statements;
  private final Set<String> firstWords;
  private final Dialect dialect;
  private final StatementScope scope;
  private final EarlyRules early;

  /**
   * Puts {@code statements} and {@code dialect} on top of {@code delegate}.
   *
   * @param early rules that plans need before their tables are looked up
   */
  public KeylakeParser(
      SparkSession session,
      ParserInterface delegate,
      List<OwnStatement> statements,
      Dialect dialect,
      List<Function<org.apache.spark.sql.SparkSession, Rule<LogicalPlan>>> early) {
    this.delegate = delegate;
    this.statements = List.copyOf(statements);
    this.firstWords =
        statements.stream()
            .flatMap(statement -> statement.firstWords().stream())
            .collect(Collectors.toUnmodifiableSet());
    this.dialect = dialect;
    this.scope = new StatementScope(session, delegate);
    this.early = new EarlyRules(session, early);
  }

  /** How the parser below makes something of a text. */
  @FunctionalInterface
  private interface Parse<T> {
    T of(String text) throws ParseException;
  }

  /** What is done to a plan. */
  @FunctionalInterface
  private interface Finish<T> {
    T of(T parsed, Dialect.Rewritten rewritten);
  }

  @Override
  public LogicalPlan parsePlan(String sqlText) throws ParseException {
    return plan(sqlText, null, delegate::parsePlan);
  }

  @Override
  public LogicalPlan parsePlanWithParameters(String sqlText, ParameterContext parameters)
      throws ParseException {
    return plan(sqlText, parameters, text -> delegate.parsePlanWithParameters(text, parameters));
  }

  @Override
  public LogicalPlan parseQuery(String sqlText) throws ParseException {
    return parse(sqlText, delegate::parseQuery, KeylakeParser::finished);
  }

  @Override
  public Expression parseExpression(String sqlText) throws ParseException {
    return parse(sqlText, delegate::parseExpression, (expression, rewritten) -> expression);
  }

  @Override
  public TableIdentifier parseTableIdentifier(String sqlText) throws ParseException {
    return delegate.parseTableIdentifier(sqlText);
  }

  @Override
  public FunctionIdentifier parseFunctionIdentifier(String sqlText) throws ParseException {
    return delegate.parseFunctionIdentifier(sqlText);
  }

  @Override
  public Seq<String> parseMultipartIdentifier(String sqlText) throws ParseException {
    return delegate.parseMultipartIdentifier(sqlText);
  }

  @Override
  public StructType parseRoutineParam(String sqlText) throws ParseException {
    return delegate.parseRoutineParam(sqlText);
  }

  @Override
  public StructType parseTableSchema(String sqlText) throws ParseException {
    return delegate.parseTableSchema(sqlText);
  }

  @Override
  public DataType parseDataType(String sqlText) throws ParseException {
    return delegate.parseDataType(sqlText);
  }

  private LogicalPlan plan(
      String sqlText, @Nullable ParameterContext parameters, Parse<LogicalPlan> parse)
      throws ParseException {
    Optional<LogicalPlan> own = ownStatement(sqlText, parameters);
    return own.isPresent()
        ? own.get()
        : early.applied(parse(sqlText, parse, KeylakeParser::finished));
  }

  private static LogicalPlan finished(LogicalPlan plan, Dialect.Rewritten rewritten) {
    return rewritten.finish().apply(plan);
  }

  private Optional<LogicalPlan> ownStatement(String sqlText, @Nullable ParameterContext parameters)
      throws ParseException {
    if (!firstWords.contains(firstWord(new TokenCursor(sqlText)))) {
      return Optional.empty();
    }
    String text = withVariables(sqlText);
    if (parameters != null) {
      text = ParameterMarkers.substituted(text, parameters).edited();
    }
    for (OwnStatement statement : statements) {
      TokenCursor cursor = new TokenCursor(text);
      if (statement.firstWords().contains(firstWord(cursor))) {
        Optional<LogicalPlan> plan = statement.parse(cursor, scope);
        if (plan.isPresent()) {
          return plan;
        }
      }
    }
    return Optional.empty();
  }

  private static String firstWord(TokenCursor cursor) {
    return cursor.peek().getText().toUpperCase(Locale.ROOT);
  }

  private <T> T parse(String sqlText, Parse<T> parse, Finish<T> finish) throws ParseException {
    try {
      return parse.of(sqlText);
    } catch (ParseException refused) {
      String text = withVariables(sqlText);
      Optional<Dialect.Rewritten> rewritten = dialect.rewrite(text, scope);
      if (rewritten.isEmpty()) {
        throw refused;
      }
      return finish.of(rewritten(text, rewritten.get().edits(), parse), rewritten.get());
    }
  }

  /** What plans quote in their errors is the user's text, not ours. */
  private static <T> T rewritten(String text, TextEdits edits, Parse<T> parse)
      throws ParseException {
    Origin before = CurrentOrigin.get();
    CurrentOrigin.set(TextEdits.quoting(before, edits.positions()));
    try {
      return parse.of(edits.edited());
    } catch (ParseException e) {
      throw new ParseException(
          Option.apply(text),
          edits.originalPlace(e.start()),
          e.getCondition(),
          scala.collection.immutable.Map.from(
              CollectionConverters.asScala(e.getMessageParameters())),
          new QueryContext[0]);
    } finally {
      CurrentOrigin.set(before);
    }
  }

  /** The text with values in the place of {@code ${variable}}, as Spark's parser puts them in. */
  private static String withVariables(String sqlText) {
    return new VariableSubstitution().substitute(sqlText);
  }
}
