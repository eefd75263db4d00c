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

package io.keylake.spark.stream;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.stream.task.RowCondition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.AliasIdentifier;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.PythonFuncExpression;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.optimizer.BooleanSimplification$;
import org.apache.spark.sql.catalyst.optimizer.ConstantFolding$;
import org.apache.spark.sql.catalyst.optimizer.ReplaceExpressions$;
import org.apache.spark.sql.catalyst.optimizer.UnwrapCastInBinaryComparison$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Strategy$;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The condition of {@code read.filter}. Spark parses the text, resolves it against a relation that
 * has the table's columns and nothing else, and evaluates it on rows: the text is never part of a
 * larger statement. Refused are subqueries, aggregates, Python functions, and functions that may
 * answer differently each time, since a batch that is read again must have the same rows.
 *
 * @param condition the condition on {@code attributes}
 * @param attributes the table's columns
 */
record StreamFilter(Expression condition, List<Attribute> attributes) {
  StreamFilter {
    attributes = List.copyOf(attributes);
  }

  /**
   * The filter of a text.
   *
   * @throws InvalidRequestException when the text is no condition on rows of the table
   */
  static StreamFilter parse(SparkSession session, StreamTarget target, String text) {
    Expression parsed;
    try {
      parsed = session.sessionState().sqlParser().parseExpression(text);
    } catch (AnalysisException e) {
      throw invalid(target, text, "Spark cannot parse it: " + e.getSimpleMessage(), e);
    }
    if (parsed.exists(part -> part instanceof PlanExpression<?>)) {
      throw invalid(target, text, "it has a subquery. Write the values out.", null);
    }
    List<Attribute> attributes = attributes(target);
    LogicalPlan analyzed;
    try {
      analyzed = analyzed(session, target, parsed, attributes);
    } catch (AnalysisException e) {
      throw invalid(target, text, "Spark cannot resolve it: " + e.getSimpleMessage(), e);
    }
    Expression condition = ((Filter) simplified(analyzed)).condition();
    check(target, text, condition);
    return new StreamFilter(condition, attributes);
  }

  private static List<Attribute> attributes(StreamTarget target) {
    StructType columns =
        CharVarcharUtils.replaceCharVarcharWithStringInSchema(
            SparkTypes.toSpark(target.schema().rowType()));
    List<Attribute> attributes = new ArrayList<>();
    CollectionConverters.asJava(DataTypeUtils.toAttributes(columns)).forEach(attributes::add);
    return attributes;
  }

  /** Scala does not declare that Spark throws. */
  private static LogicalPlan analyzed(
      SparkSession session, StreamTarget target, Expression condition, List<Attribute> attributes)
      throws AnalysisException {
    LogicalPlan relation =
        new LocalRelation(
            CollectionConverters.asScala(attributes).toSeq(),
            CollectionConverters.asScala(List.<org.apache.spark.sql.catalyst.InternalRow>of())
                .toSeq(),
            false,
            Option.empty());
    LogicalPlan named = new SubqueryAlias(AliasIdentifier.apply(target.name().table()), relation);
    return Dataset.ofRows(session, new Filter(condition, named)).queryExecution().analyzed();
  }

  /** As Spark's optimizer would have it, as far as the relation does not matter. */
  private static LogicalPlan simplified(LogicalPlan analyzed) {
    LogicalPlan plan = ReplaceExpressions$.MODULE$.apply(analyzed);
    plan = ConstantFolding$.MODULE$.apply(plan);
    plan = UnwrapCastInBinaryComparison$.MODULE$.apply(plan);
    return BooleanSimplification$.MODULE$.apply(plan);
  }

  private static void check(StreamTarget target, String text, Expression condition) {
    if (condition.exists(PythonFuncExpression.class::isInstance)) {
      throw invalid(target, text, "it calls a function in Python. Use a function of SQL.", null);
    }
    boolean isFixed =
        condition.deterministic()
            && !condition.exists(
                part -> part instanceof Unevaluable && !(part instanceof Attribute));
    if (!isFixed) {
      throw invalid(
          target,
          text,
          "it may answer differently each time, or needs more than one row. Use deterministic"
              + " functions of one row.",
          null);
    }
  }

  private static InvalidRequestException invalid(
      StreamTarget target, String text, String problem, @Nullable Throwable cause) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_OPTION,
        "The option 'read.filter' = '"
            + text
            + "' is no condition on rows of "
            + target.name().text()
            + ": "
            + problem,
        cause);
  }

  /** The names of the columns that it looks at. */
  Set<String> columns() {
    Set<String> names = new LinkedHashSet<>();
    CollectionConverters.asJava(condition.references().toSeq())
        .forEach(attribute -> names.add(attribute.name()));
    return names;
  }

  /** Conditions that skip partitions, files and row groups; some parts may be missing. */
  Predicate[] pushed() {
    List<Predicate> pushed = new ArrayList<>();
    for (Expression part : conjuncts(condition)) {
      Option<Predicate> translated = DataSourceV2Strategy$.MODULE$.translateFilterV2(part);
      if (translated.isDefined()) {
        pushed.add(translated.get());
      }
    }
    return pushed.toArray(Predicate[]::new);
  }

  private static List<Expression> conjuncts(Expression condition) {
    if (condition instanceof And and) {
      List<Expression> all = new ArrayList<>(conjuncts(and.left()));
      all.addAll(conjuncts(and.right()));
      return all;
    }
    return List.of(condition);
  }

  /** What tasks evaluate on rows that have these columns. */
  RowCondition on(StructType data) {
    List<Attribute> inputs = new ArrayList<>();
    for (String name : data.fieldNames()) {
      inputs.add(
          attributes.stream()
              .filter(attribute -> attribute.name().equals(name))
              .findFirst()
              .orElseGet(() -> unused(data, name)));
    }
    return new RowCondition(condition, inputs);
  }

  private static Attribute unused(StructType data, String name) {
    return DataTypeUtils.toAttribute(data.apply(name));
  }
}
