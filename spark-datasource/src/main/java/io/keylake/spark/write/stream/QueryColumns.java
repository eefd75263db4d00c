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

package io.keylake.spark.write.stream;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkTypes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TableOutputResolver;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The columns of a streaming query as those of the table: found by name, cast as any write casts,
 * defaults where the query has none. Spark compares the columns of batch writes itself; those of
 * streams it hands over as they are.
 */
public final class QueryColumns {
  private final String table;
  private final TableSchema schema;
  private final StructType query;

  /** The columns of a query that is written to a table. */
  public QueryColumns(String table, TableSchema schema, StructType query) {
    this.table = table;
    this.schema = schema;
    this.query = query;
  }

  /**
   * How rows are aligned; empty when they are as the table has them.
   *
   * <p>Where the columns do not fit the table Spark's own condition is thrown.
   */
  Optional<AlignedRows> aligned(Table target) {
    List<Attribute> wanted =
        new ArrayList<>(
            CollectionConverters.asJava(
                DataSourceV2Relation.create(target, Option.empty(), Option.empty()).output()));
    List<Attribute> given =
        new ArrayList<>(CollectionConverters.asJava(DataTypeUtils.toAttributes(query)));
    LocalRelation rows =
        new LocalRelation(
            CollectionConverters.asScala(given).toSeq(),
            CollectionConverters.asScala(List.<InternalRow>of()).toSeq(),
            false,
            Option.empty());
    LogicalPlan resolved =
        TableOutputResolver.resolveOutputColumns(
            table,
            CollectionConverters.asScala(wanted).toSeq(),
            rows,
            true,
            SQLConf.get(),
            TableOutputResolver.DefaultValueFillMode$.MODULE$.FILL());
    if (!(resolved instanceof Project project)) {
      return Optional.empty();
    }
    List<Expression> values = new ArrayList<>();
    for (NamedExpression value : CollectionConverters.asJava(project.projectList())) {
      values.add((Expression) value);
    }
    return Optional.of(new AlignedRows(values, given));
  }

  /**
   * Whether Spark computes of the query's columns the very buckets that the table has: the columns
   * that decide about them are there with the same types.
   *
   * @param bucketKeys the columns that buckets are computed of
   * @throws InvalidRequestException KEYLAKE_COLUMN_NOT_FOUND when one is missing
   */
  public boolean placeRows(List<String> bucketKeys) {
    Set<String> names = new LinkedHashSet<>(schema.partitionKeys());
    names.addAll(bucketKeys);
    boolean areSame = true;
    for (String name : names) {
      StructField given =
          find(name)
              .orElseThrow(
                  () ->
                      new InvalidRequestException(
                          Condition.KEYLAKE_COLUMN_NOT_FOUND,
                          "The streaming query that is written to table "
                              + table
                              + " has no column '"
                              + name
                              + "', which decides where a row goes. Add it to the query, whose"
                              + " columns are: "
                              + String.join(", ", query.fieldNames())
                              + "."));
      areSame &=
          SparkTypes.toSpark(name, schema.rowType().field(name).orElseThrow().type())
              .equals(given.dataType());
    }
    return areSame;
  }

  /** A column of the query by its name, compared as the session compares names. */
  Optional<StructField> find(String name) {
    for (StructField field : query.fields()) {
      if ((Boolean) SQLConf.get().resolver().apply(field.name(), name)) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }

  /** The place of a column of {@link #find}. */
  int position(StructField field) {
    return query.fieldIndex(field.name());
  }

  /** The columns as the query has them. */
  String names() {
    return String.join(", ", query.fieldNames());
  }
}
