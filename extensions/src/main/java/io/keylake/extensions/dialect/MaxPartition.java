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

package io.keylake.extensions.dialect;

import io.keylake.extensions.parser.StatementScope;
import io.keylake.format.errors.Condition;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.TableVersion;
import io.keylake.spark.convert.KeylakeException;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.metadata.LivePartitions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreePattern$;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.Ordering;
import scala.runtime.AbstractPartialFunction;

/**
 * {@code sys.max_pt('t')} is the largest value of the first partition column of {@code t} among the
 * partitions that have files, when the statement is analysed.
 *
 * <ol>
 *   <li>It is a constant of the column's type, so a condition with it chooses partitions.
 *   <li>{@code t} is named as in FROM; {@code lake.sys.max_pt('db.t')} looks in the catalog {@code
 *       lake}.
 *   <li>NULL is no value. A table without partition columns, or without partitions, is refused.
 * </ol>
 */
public final class MaxPartition extends Rule<LogicalPlan> {
  private static final String FUNCTION = "max_pt";
  private static final Set<String> NAMESPACES = Set.of("sys", "system");

  private final StatementScope scope;

  /** The rule of a session. */
  public MaxPartition(SparkSession session) {
    org.apache.spark.sql.classic.SparkSession classic =
        (org.apache.spark.sql.classic.SparkSession) session;
    this.scope = StatementScope.of(classic);
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.containsPattern(TreePattern$.MODULE$.UNRESOLVED_FUNCTION())
        ? AnalysisHelper$.MODULE$.allowInvokingTransformsInAnalyzer(
            () -> plan.transformAllExpressionsWithSubqueries(new ToValue()))
        : plan;
  }

  private final class ToValue extends AbstractPartialFunction<Expression, Expression> {
    @Override
    public boolean isDefinedAt(Expression expression) {
      return expression instanceof UnresolvedFunction function && isMaxPartition(function);
    }

    @Override
    public Expression apply(Expression expression) {
      return value((UnresolvedFunction) expression);
    }
  }

  private boolean isMaxPartition(UnresolvedFunction function) {
    List<String> name = CollectionConverters.asJava(function.nameParts());
    int last = name.size() - 1;
    return last >= 1
        && last <= 2
        && name.get(last).equalsIgnoreCase(FUNCTION)
        && NAMESPACES.stream().anyMatch(name.get(last - 1)::equalsIgnoreCase)
        && scope.isLake(name);
  }

  private Literal value(UnresolvedFunction function) {
    List<String> called = CollectionConverters.asJava(function.nameParts());
    String argument = argument(function);
    List<String> table = parts(argument);
    if (called.size() == 3 && !table.get(0).equalsIgnoreCase(called.get(0))) {
      List<String> full = new ArrayList<>(List.of(called.get(0)));
      full.addAll(table.size() == 1 ? scope.withinCatalog(table) : table);
      table = full;
    }
    return largest(argument, load(argument, table));
  }

  private static String argument(UnresolvedFunction function) {
    if (function.arguments().size() == 1
        && function.arguments().head() instanceof Literal literal
        && literal.value() != null) {
      return literal.value().toString();
    }
    throw invalid("takes the name of a table as a text.");
  }

  private List<String> parts(String name) {
    try {
      return CollectionConverters.asJava(scope.multipartName(name));
    } catch (ParseException e) {
      throw invalid("takes the name of a table, which '" + name + "' is not.");
    }
  }

  private TableVersion load(String argument, List<String> name) {
    List<String> inside = scope.withinCatalog(name);
    Identifier identifier =
        Identifier.of(
            inside.subList(0, inside.size() - 1).toArray(String[]::new),
            inside.get(inside.size() - 1));
    if (!(scope.catalog(name) instanceof TableCatalog catalog)) {
      throw invalid("takes a table of Keylake, which '" + argument + "' is not.");
    }
    Table table;
    try {
      table = catalog.loadTable(identifier);
    } catch (NoSuchTableException e) {
      throw invalid("cannot find the table '" + argument + "'. Check its name.");
    }
    if (table instanceof KeylakeTable ours) {
      return ours.pinned();
    }
    throw invalid("takes a table of Keylake, which '" + argument + "' is not.");
  }

  private static Literal largest(String argument, TableVersion version) {
    TableSchema schema = version.schema();
    if (schema.partitionKeys().isEmpty()) {
      throw invalid("takes a partitioned table; '" + argument + "' has no partition columns.");
    }
    String column = schema.partitionKeys().get(0);
    DataType type = SparkTypes.toSpark(column, schema.partitionType().field(0).type());
    return new Literal(
        largest(version, schema, type)
            .orElseThrow(
                () ->
                    invalid(
                        "finds no partition in '"
                            + argument
                            + "' that has rows. Write some first.")),
        type);
  }

  private static Optional<Object> largest(TableVersion version, TableSchema schema, DataType type) {
    PartitionRows rows = new PartitionRows(schema.partitionType());
    Ordering<Object> order = TypeUtils.getInterpretedOrdering(type);
    @Nullable Object largest = null;
    for (BinaryRow partition : LivePartitions.of(version.metadata())) {
      InternalRow row = rows.rowToSpark(partition);
      @Nullable Object value = row.isNullAt(0) ? null : row.get(0, type);
      if (value != null && (largest == null || order.compare(value, largest) > 0)) {
        largest = value;
      }
    }
    return Optional.ofNullable(largest);
  }

  private static KeylakeException invalid(String why) {
    return SparkErrors.failure(
        Condition.KEYLAKE_INVALID_REQUEST, "The function sys." + FUNCTION + " " + why);
  }
}
