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

package io.keylake.procedures.call;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.maintenance.PartitionChoice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.AliasIdentifier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.PythonFuncExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * The partitions for which a condition in SQL holds. Spark parses the text, resolves it against a
 * relation that has the partition columns and nothing else, and evaluates it on the values of each
 * partition: the text is never part of a larger statement.
 *
 * <p>Refused are conditions that name other columns, or that have subqueries, aggregates, Python
 * functions, or functions that may answer differently each time. Pinned by {@code
 * CompactProcedureSparkTest}.
 */
public final class PartitionCondition implements PartitionChoice {
  private final SparkSession session;
  private final TableName table;
  private final TableSchema schema;
  private final Expression condition;
  private final StructType columns;
  private final PartitionRows rows;

  private PartitionCondition(
      SparkSession session, TableName table, TableSchema schema, Expression condition) {
    this.session = session;
    this.table = table;
    this.schema = schema;
    this.condition = condition;
    this.columns =
        CharVarcharUtils.replaceCharVarcharWithStringInSchema(
            SparkTypes.toSpark(schema.partitionType()));
    this.rows = new PartitionRows(schema.partitionType());
  }

  /**
   * The partitions for which {@code text} holds.
   *
   * @throws InvalidRequestException when the text is no condition on partition columns
   */
  public static PartitionCondition parse(
      SparkSession session, TableName table, TableSchema schema, String text) {
    if (schema.partitionKeys().isEmpty()) {
      throw PartitionSpecs.unpartitioned(table.text());
    }
    Expression parsed;
    try {
      parsed = session.sessionState().sqlParser().parseExpression(text);
    } catch (AnalysisException e) {
      throw invalid(table, text, "Spark cannot parse it: " + e.getSimpleMessage(), e);
    }
    PartitionCondition condition = new PartitionCondition(session, table, schema, parsed);
    condition.check(text);
    return condition;
  }

  private void check(String text) {
    if (condition.exists(part -> part instanceof PlanExpression<?>)) {
      throw invalid(table, text, "it has a subquery. Write the values out.", null);
    }
    LogicalPlan analyzed;
    try {
      analyzed = analyzed();
    } catch (AnalysisException e) {
      throw unresolved(text, e);
    }
    for (Expression part : CollectionConverters.asJava(analyzed.expressions())) {
      if (part.exists(PythonFuncExpression.class::isInstance)) {
        throw invalid(table, text, "it calls a function in Python. Use a function of SQL.", null);
      }
      if (!part.deterministic()) {
        throw invalid(
            table, text, "it may answer differently each time. Use deterministic functions.", null);
      }
    }
  }

  /** Scala does not declare that Spark throws. */
  private LogicalPlan analyzed() throws AnalysisException {
    LogicalPlan filter = new Filter(condition, relation(List.of()));
    return Dataset.ofRows(session, filter).queryExecution().analyzed();
  }

  private InvalidRequestException unresolved(String text, AnalysisException cause) {
    List<String> others = new ArrayList<>();
    condition.foreach(
        part -> {
          if (part instanceof UnresolvedAttribute attribute) {
            String name = attribute.nameParts().last();
            boolean isOther =
                schema.fields().stream().anyMatch(field -> field.name().equalsIgnoreCase(name))
                    && schema.partitionKeys().stream().noneMatch(name::equalsIgnoreCase);
            if (isOther) {
              others.add(name);
            }
          }
          return BoxedUnit.UNIT;
        });
    String columns = String.join(", ", schema.partitionKeys());
    if (!others.isEmpty()) {
      return invalid(
          table,
          text,
          "it names the column '"
              + others.get(0)
              + "', which is no partition column. Use only the partition columns "
              + columns
              + ".",
          cause);
    }
    String found = cause.getCondition();
    if (found != null && found.startsWith("UNRESOLVED_COLUMN")) {
      return new InvalidRequestException(
          Condition.KEYLAKE_COLUMN_NOT_FOUND,
          "The condition '"
              + text
              + "' on partitions of "
              + table.text()
              + " names a column that does not exist. The partition columns are "
              + columns
              + ". Spark says: "
              + cause.getSimpleMessage(),
          cause);
    }
    return invalid(table, text, "Spark cannot resolve it: " + cause.getSimpleMessage(), cause);
  }

  private LogicalPlan relation(List<InternalRow> values) {
    List<Attribute> attributes = new ArrayList<>();
    CollectionConverters.asJava(DataTypeUtils.toAttributes(columns)).forEach(attributes::add);
    LogicalPlan relation =
        new LocalRelation(
            CollectionConverters.asScala(attributes).toSeq(),
            CollectionConverters.asScala(values).toSeq(),
            false,
            Option.empty());
    return new SubqueryAlias(AliasIdentifier.apply(table.table()), relation);
  }

  @Override
  public List<BinaryRow> chosen(Collection<BinaryRow> partitions) {
    List<BinaryRow> ordered = List.copyOf(partitions);
    List<InternalRow> values = new ArrayList<>();
    for (BinaryRow partition : ordered) {
      InternalRow row = rows.rowToSpark(partition);
      Object[] cells = new Object[columns.length()];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = row.isNullAt(i) ? null : row.get(i, columns.fields()[i].dataType());
      }
      values.add(new GenericInternalRow(cells));
    }
    List<Row> answers =
        Dataset.ofRows(session, relation(values))
            .select(ExpressionUtils.column(condition))
            .collectAsList();
    List<BinaryRow> chosen = new ArrayList<>();
    for (int i = 0; i < ordered.size(); i++) {
      if (!answers.get(i).isNullAt(0) && answers.get(i).getBoolean(0)) {
        chosen.add(ordered.get(i));
      }
    }
    return chosen;
  }

  private static InvalidRequestException invalid(
      TableName table, String text, String problem, @Nullable Throwable cause) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "The condition '"
            + text
            + "' does not choose partitions of "
            + table.text()
            + ": "
            + problem,
        cause);
  }
}
