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

package io.keylake.extensions.planning;

import io.keylake.catalog.KeylakeCatalog;
import io.keylake.catalog.KeylakeSessionCatalog;
import io.keylake.extensions.plans.Replacing;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.table.options.CommitKeys;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.AppendData;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OverwriteByExpression;
import org.apache.spark.sql.catalyst.plans.logical.OverwritePartitionsDynamic;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.internal.SessionState;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Option;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Switches Spark's schema evolution on for INSERT and frames' writes to tables of ours where {@code
 * write.merge-schema} (or {@code mergeSchema} among the options of the write) says so: as if the
 * statement said {@code WITH SCHEMA EVOLUTION}. Runs before relations are resolved, because Spark
 * compares columns as soon as they are.
 */
public final class MergedSchema extends Rule<LogicalPlan> {
  private static final String MERGE_SCHEMA = "mergeSchema";

  private final org.apache.spark.sql.classic.SparkSession session;

  /** The rule of a session. */
  public MergedSchema(SparkSession session) {
    this.session = (org.apache.spark.sql.classic.SparkSession) session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperators(new Replacing<>(AppendData.class, this::append))
        .resolveOperators(new Replacing<>(OverwriteByExpression.class, this::overwrite))
        .resolveOperators(new Replacing<>(OverwritePartitionsDynamic.class, this::overwrite))
        .resolveOperators(new Replacing<>(InsertIntoStatement.class, this::insert));
  }

  private Optional<AppendData> append(AppendData write) {
    if (write.withSchemaEvolution()) {
      return Optional.empty();
    }
    return evolving((LogicalPlan) write.table(), write.writeOptions())
        .map(
            table ->
                write.copy(
                    table,
                    write.query(),
                    write.writeOptions(),
                    write.isByName(),
                    true,
                    write.write(),
                    write.analyzedQuery()));
  }

  private Optional<OverwriteByExpression> overwrite(OverwriteByExpression write) {
    if (write.withSchemaEvolution()) {
      return Optional.empty();
    }
    return evolving((LogicalPlan) write.table(), write.writeOptions())
        .map(
            table ->
                write.copy(
                    table,
                    write.deleteExpr(),
                    write.query(),
                    write.writeOptions(),
                    write.isByName(),
                    true,
                    write.write(),
                    write.analyzedQuery()));
  }

  private Optional<OverwritePartitionsDynamic> overwrite(OverwritePartitionsDynamic write) {
    if (write.withSchemaEvolution()) {
      return Optional.empty();
    }
    return evolving((LogicalPlan) write.table(), write.writeOptions())
        .map(
            table ->
                write.copy(
                    table,
                    write.query(),
                    write.writeOptions(),
                    write.isByName(),
                    true,
                    write.write()));
  }

  private Optional<InsertIntoStatement> insert(InsertIntoStatement write) {
    if (write.withSchemaEvolution()) {
      return Optional.empty();
    }
    return evolving(write.table(), CollectionConverters.asScala(Map.<String, String>of()))
        .map(
            table ->
                write.copy(
                    table,
                    write.partitionSpec(),
                    write.userSpecifiedCols(),
                    write.query(),
                    write.overwrite(),
                    write.ifPartitionNotExists(),
                    write.byName(),
                    write.replaceCriteriaOpt(),
                    true));
  }

  /** The table of a write that merges schemas, loaded; empty when it does not. */
  private Optional<DataSourceV2Relation> evolving(
      LogicalPlan table, scala.collection.Map<String, String> writeOptions) {
    return relation(table)
        .filter(relation -> relation.table() instanceof KeylakeTable)
        .flatMap(relation -> evolving(relation, (KeylakeTable) relation.table(), writeOptions));
  }

  private static Optional<DataSourceV2Relation> evolving(
      DataSourceV2Relation relation,
      KeylakeTable table,
      scala.collection.Map<String, String> writeOptions) {
    Map<String, String> statement = new HashMap<>(relation.options().asCaseSensitiveMap());
    statement.putAll(CollectionConverters.asJava(writeOptions));
    CaseInsensitiveStringMap options = new CaseInsensitiveStringMap(statement);
    Map<String, String> effective = new HashMap<>(table.effectiveOptions(options));
    if (options.containsKey(MERGE_SCHEMA)) {
      effective.put(CommitKeys.MERGE_SCHEMA.name(), options.get(MERGE_SCHEMA));
    }
    if (!SparkErrors.translating(() -> CommitKeys.MERGE_SCHEMA.read(effective))) {
      return Optional.empty();
    }
    return Optional.of(
        SparkErrors.translating(() -> CommitKeys.MERGE_SCHEMA_EXPLICIT_CAST.read(effective))
            ? DataSourceV2Relation.create(
                table.withExplicitCasts(),
                relation.catalog(),
                relation.identifier(),
                relation.options(),
                Option.empty())
            : relation);
  }

  private Optional<DataSourceV2Relation> relation(LogicalPlan table) {
    if (table instanceof DataSourceV2Relation loaded) {
      return Optional.of(loaded);
    }
    return table instanceof UnresolvedRelation named ? load(named) : Optional.empty();
  }

  private Optional<DataSourceV2Relation> load(UnresolvedRelation named) {
    SessionState state = session.sessionState();
    if (state.catalog().isTempView(named.multipartIdentifier())) {
      return Optional.empty();
    }
    Option<Tuple2<CatalogPlugin, Identifier>> found =
        state.analyzer().CatalogAndIdentifier().unapply(named.multipartIdentifier());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    CatalogPlugin catalog = found.get()._1();
    if (!(catalog instanceof KeylakeCatalog || catalog instanceof KeylakeSessionCatalog)) {
      return Optional.empty();
    }
    Identifier identifier = found.get()._2();
    try {
      return Optional.of(
          DataSourceV2Relation.create(
              ((TableCatalog) catalog).loadTable(identifier),
              Option.apply(catalog),
              Option.apply(identifier),
              named.clearWritePrivileges().options(),
              Option.empty()));
    } catch (NoSuchTableException missing) {
      return Optional.empty();
    }
  }
}
