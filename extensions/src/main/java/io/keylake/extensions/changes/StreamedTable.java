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

package io.keylake.extensions.changes;

import io.keylake.extensions.plans.Replacing;
import io.keylake.spark.KeylakeTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias$;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.streaming.StreamingRelationV2;
import org.apache.spark.sql.catalyst.streaming.Unassigned$;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Table;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Lets {@code spark.readStream.table} read a table of ours with CHAR or VARCHAR columns. Spark 4.2
 * reads such columns as STRING in batches, but refuses streams of them as an internal error. Runs
 * before relations are resolved, and resolves these.
 */
public final class StreamedTable extends Rule<LogicalPlan> {
  private final org.apache.spark.sql.classic.SparkSession session;

  /** The rule of a session. */
  public StreamedTable(SparkSession session) {
    this.session = (org.apache.spark.sql.classic.SparkSession) session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperators(new Replacing<>(UnresolvedRelation.class, this::resolved));
  }

  private Optional<LogicalPlan> resolved(UnresolvedRelation relation) {
    if (!relation.isStreaming()) {
      return Optional.empty();
    }
    return CatalogRelation.find(session, relation)
        .flatMap(
            found ->
                streamed(found)
                    .map(
                        table ->
                            aliased(
                                found,
                                new StreamingRelationV2(
                                    Option.empty(),
                                    table.name(),
                                    table,
                                    relation.options(),
                                    DataTypeUtils.toAttributes(table.columns()),
                                    Option.apply(found.catalog()),
                                    Option.apply(found.table()),
                                    Option.empty(),
                                    Unassigned$.MODULE$))));
  }

  private static Optional<KeylakeTable> streamed(CatalogRelation found) {
    try {
      Table table = found.catalog().loadTable(found.table());
      return table instanceof KeylakeTable ours
              && Arrays.stream(ours.columns())
                  .map(Column::dataType)
                  .anyMatch(CharVarcharUtils::hasCharVarchar)
          ? Optional.of(ours.streamed())
          : Optional.empty();
    } catch (NoSuchTableException e) {
      return Optional.empty();
    }
  }

  private static LogicalPlan aliased(CatalogRelation found, LogicalPlan plan) {
    List<String> name = new ArrayList<>();
    name.add(found.catalog().name());
    name.addAll(List.of(found.table().namespace()));
    name.add(found.table().name());
    return SubqueryAlias$.MODULE$.apply(CollectionConverters.asScala(name).toSeq(), plan);
  }
}
