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

package io.keylake.spark.write.overwrite;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/**
 * Reads the text of the option {@code replaceWhere} with the session's parser, as {@code WHERE} of
 * a query on the table: names, types, functions and settings are those of the session.
 */
final class ReplaceWhere {
  private ReplaceWhere() {}

  /**
   * The condition that {@code text} states on rows of the table.
   *
   * @throws InvalidRequestException when its value is not known before rows are seen
   */
  static RowCondition parse(String text, TableSchema schema, String table) {
    Dataset<Row> filtered = noRows(schema).filter(text);
    LogicalPlan analyzed = filtered.queryExecution().analyzed();
    for (Expression part : CollectionConverters.asJava(analyzed.expressions())) {
      if (SubqueryExpression.hasSubquery(part) || !part.deterministic()) {
        throw new InvalidRequestException(
            Condition.KEYLAKE_INVALID_OPTION,
            "The option 'replaceWhere' = '"
                + text
                + "' of a write to "
                + table
                + " must depend on the row alone: subqueries and functions such as rand() cannot"
                + " select what is replaced. Compute the values first.");
      }
    }
    return new RowCondition(conjuncts(filtered.queryExecution().optimizedPlan()), text);
  }

  /** A condition as {@code WHERE} of a query on the table has it, with all types in it known. */
  static RowCondition resolve(RowCondition condition, TableSchema schema) {
    LogicalPlan filtered = new Filter(condition.named(), noRows(schema).logicalPlan());
    return new RowCondition(
        conjuncts(Dataset.ofRows(SparkSession.active(), filtered).queryExecution().optimizedPlan()),
        condition.text());
  }

  private static Dataset<Row> noRows(TableSchema schema) {
    StructType declared = new StructType();
    for (Column column : SparkTypes.toColumns(schema.fields())) {
      declared = declared.add(column.name(), column.dataType(), column.nullable());
    }
    StructType columns = CharVarcharUtils.replaceCharVarcharWithStringInSchema(declared);
    SparkSession session = SparkSession.active();
    RDD<InternalRow> none = session.sparkContext().emptyRDD(ClassTag.apply(InternalRow.class));
    return session.internalCreateDataFrame(none, columns, false);
  }

  /** A plan without a filter keeps all rows, or has been found to keep none. */
  private static List<Expression> conjuncts(LogicalPlan optimized) {
    List<Expression> conjuncts = new ArrayList<>();
    LogicalPlan plan = optimized;
    while (plan instanceof Filter filter) {
      conjuncts.add(filter.condition());
      plan = filter.child();
    }
    if (plan instanceof LocalRelation) {
      conjuncts.add(Literal.FalseLiteral());
    }
    return conjuncts;
  }
}
