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
import java.util.stream.Collectors;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParameterContext;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.parser.PositionMapper;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
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

  /** Puts {@code statements} and {@code dialect} on top of {@code delegate}. */
  public KeylakeParser(
      SparkSession session,
      ParserInterface delegate,
      List<OwnStatement> statements,
      Dialect dialect) {
    this.delegate = delegate;
    this.statements = List.copyOf(statements);
    this.firstWords =
        statements.stream()
            .flatMap(statement -> statement.firstWords().stream())
            .collect(Collectors.toUnmodifiableSet());
    this.dialect = dialect;
    this.scope = new StatementScope(session, delegate);
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

  /** How the parser below is asked for the user's text, and for the same without parameters. */
  private record Ways<T>(Parse<T> asWritten, Parse<T> rewritten) {}

  @Override
  public LogicalPlan parsePlan(String sqlText) throws ParseException {
    return plan(sqlText, null, new Ways<>(delegate::parsePlan, delegate::parsePlan));
  }

  @Override
  public LogicalPlan parsePlanWithParameters(String sqlText, ParameterContext parameters)
      throws ParseException {
    Parse<LogicalPlan> withParameters = text -> delegate.parsePlanWithParameters(text, parameters);
    return plan(
        sqlText,
        parameters,
        new Ways<>(withParameters, parametersStay() ? withParameters : delegate::parsePlan));
  }

  @Override
  public LogicalPlan parseQuery(String sqlText) throws ParseException {
    return parse(
        sqlText,
        null,
        new Ways<>(delegate::parseQuery, delegate::parseQuery),
        KeylakeParser::finished);
  }

  @Override
  public Expression parseExpression(String sqlText) throws ParseException {
    return parse(
        sqlText,
        null,
        new Ways<>(delegate::parseExpression, delegate::parseExpression),
        (expression, rewritten) -> expression);
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
      String sqlText, @Nullable ParameterContext parameters, Ways<LogicalPlan> ways)
      throws ParseException {
    Optional<LogicalPlan> own = ownStatement(sqlText, parameters);
    return own.isPresent() ? own.get() : parse(sqlText, parameters, ways, KeylakeParser::finished);
  }

  private static LogicalPlan finished(LogicalPlan plan, Dialect.Rewritten rewritten) {
    return rewritten.finish().apply(plan);
  }

  private Optional<LogicalPlan> ownStatement(String sqlText, @Nullable ParameterContext parameters)
      throws ParseException {
    if (!firstWords.contains(firstWord(new TokenCursor(sqlText)))) {
      return Optional.empty();
    }
    Substituted text = substituted(sqlText, parameters);
    for (OwnStatement statement : statements) {
      TokenCursor cursor = new TokenCursor(text.text());
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

  private <T> T parse(
      String sqlText, @Nullable ParameterContext parameters, Ways<T> ways, Finish<T> finish)
      throws ParseException {
    try {
      return ways.asWritten().of(sqlText);
    } catch (ParseException refused) {
      Substituted text = substituted(sqlText, parameters);
      Optional<Dialect.Rewritten> rewritten = dialect.rewrite(text.text(), scope);
      if (rewritten.isEmpty()) {
        throw refused;
      }
      return finish.of(
          rewritten(sqlText, text, rewritten.get().edits(), ways.rewritten()), rewritten.get());
    }
  }

  /** What plans quote in their errors is the user's text, not ours. */
  private static <T> T rewritten(String sqlText, Substituted text, TextEdits edits, Parse<T> parse)
      throws ParseException {
    Origin before = CurrentOrigin.get();
    CurrentOrigin.set(TextEdits.quoting(before, edits.positions(sqlText, text.positions())));
    try {
      return parse.of(edits.edited());
    } catch (ParseException e) {
      throw new ParseException(
          Option.apply(text.text()),
          edits.originalPlace(e.start()),
          e.getCondition(),
          scala.collection.immutable.Map.from(
              CollectionConverters.asScala(e.getMessageParameters())),
          new QueryContext[0]);
    } finally {
      CurrentOrigin.set(before);
    }
  }

  /** The user's text with values in the place of variables and parameters. */
  private record Substituted(String text, PositionMapper positions) {}

  private static Substituted substituted(String sqlText, @Nullable ParameterContext parameters) {
    String text = new VariableSubstitution().substitute(sqlText);
    if (parameters == null || parametersStay()) {
      return new Substituted(text, PositionMapper.identity(text));
    }
    TextEdits values = ParameterMarkers.substituted(text, parameters);
    return new Substituted(
        values.edited(), values.positions(sqlText, PositionMapper.identity(text)));
  }

  private static boolean parametersStay() {
    return SQLConf.get().legacyParameterSubstitutionConstantsOnly();
  }
}
