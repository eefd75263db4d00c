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

import io.keylake.extensions.parser.StatementScope;
import io.keylake.spark.KeylakeTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper$;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias$;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * Keeps the options of a table that a statement names more than once, and those of the target of a
 * DELETE, UPDATE or MERGE: Spark resolves a table once and gives all of its places the options of
 * the first, and forgets those of such a target.
 *
 * <pre>
 * SELECT * FROM t WITH ('scan.snapshot-id' = '1') EXCEPT SELECT * FROM t
 * </pre>
 *
 * Only tables of ours that have different options in a statement are resolved here, all places of
 * one from one loaded table, so that they see one snapshot unless their options choose another.
 */
public final class RelationOptions extends Rule<LogicalPlan> {
  private final StatementScope scope;

  /** The rule of a session. */
  public RelationOptions(SparkSession session) {
    this.scope = StatementScope.of((org.apache.spark.sql.classic.SparkSession) session);
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    Map<List<String>, Set<Map<String, String>>> tables = new HashMap<>();
    Set<List<String>> targets = new HashSet<>();
    plan.foreachWithSubqueries(
        node -> {
          if (node instanceof UnresolvedRelation relation) {
            note(tables, relation);
            if (isTarget(relation) && !options(relation).isEmpty()) {
              targets.add(name(relation));
            }
          } else if (node instanceof InsertIntoStatement insert
              && insert.table() instanceof UnresolvedRelation target) {
            note(tables, target);
          }
          return BoxedUnit.UNIT;
        });
    tables
        .entrySet()
        .removeIf(table -> table.getValue().size() < 2 && !targets.contains(table.getKey()));
    tables.keySet().removeIf(name -> !scope.isLake(name));
    return tables.isEmpty()
        ? plan
        : AnalysisHelper$.MODULE$.allowInvokingTransformsInAnalyzer(
            () -> plan.transformUpWithSubqueries(new Resolved(tables.keySet())));
  }

  private void note(
      Map<List<String>, Set<Map<String, String>>> tables, UnresolvedRelation relation) {
    if (!relation.isStreaming()) {
      tables
          .computeIfAbsent(name(relation), name -> new HashSet<>())
          .add(options(relation).asCaseSensitiveMap());
    }
  }

  /** Whether a DELETE, UPDATE or MERGE changes it: other targets are no children of a plan. */
  private static boolean isTarget(UnresolvedRelation relation) {
    return relation.options().containsKey(UnresolvedRelation.REQUIRED_WRITE_PRIVILEGES());
  }

  private static List<String> name(UnresolvedRelation relation) {
    return List.copyOf(CollectionConverters.asJava(relation.multipartIdentifier()));
  }

  private static CaseInsensitiveStringMap options(UnresolvedRelation relation) {
    return relation.clearWritePrivileges().options();
  }

  /** Replaces the places of some tables. */
  private final class Resolved extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    private final Set<List<String>> names;
    private final Map<List<String>, Table> loaded = new HashMap<>();

    Resolved(Set<List<String>> names) {
      this.names = Set.copyOf(names);
    }

    @Override
    public boolean isDefinedAt(LogicalPlan node) {
      return isOne(node) || (node instanceof InsertIntoStatement insert && isOne(insert.table()));
    }

    private boolean isOne(LogicalPlan node) {
      return node instanceof UnresolvedRelation relation
          && !relation.isStreaming()
          && names.contains(name(relation))
          && !isVersioned(options(relation));
    }

    /** Spark looks for the version itself, and does not mix such a table up with others. */
    private static boolean isVersioned(CaseInsensitiveStringMap options) {
      return options.containsKey("versionAsOf") || options.containsKey("timestampAsOf");
    }

    @Override
    public LogicalPlan apply(LogicalPlan node) {
      if (node instanceof InsertIntoStatement insert) {
        UnresolvedRelation target = (UnresolvedRelation) insert.table();
        return resolved(target)
            .<LogicalPlan>map(
                table ->
                    insert.copy(
                        table,
                        insert.partitionSpec(),
                        insert.userSpecifiedCols(),
                        insert.query(),
                        insert.overwrite(),
                        insert.ifPartitionNotExists(),
                        insert.byName(),
                        insert.replaceCriteriaOpt(),
                        insert.withSchemaEvolution()))
            .orElse(insert);
      }
      UnresolvedRelation relation = (UnresolvedRelation) node;
      return resolved(relation).<LogicalPlan>map(table -> aliased(relation, table)).orElse(node);
    }

    private LogicalPlan aliased(UnresolvedRelation relation, DataSourceV2Relation table) {
      List<String> name = new ArrayList<>();
      name.add(scope.catalogName(name(relation)));
      name.addAll(scope.withinCatalog(name(relation)));
      return SubqueryAlias$.MODULE$.apply(CollectionConverters.asScala(name).toSeq(), table);
    }

    private Optional<DataSourceV2Relation> resolved(UnresolvedRelation relation) {
      CatalogPlugin catalog = scope.catalog(name(relation));
      List<String> inside = scope.withinCatalog(name(relation));
      Identifier identifier =
          Identifier.of(
              inside.subList(0, inside.size() - 1).toArray(String[]::new),
              inside.get(inside.size() - 1));
      Table table = loaded.get(inside);
      if (table == null) {
        try {
          table = ((TableCatalog) catalog).loadTable(identifier);
        } catch (NoSuchTableException e) {
          return Optional.empty();
        }
        loaded.put(inside, table);
      }
      if (isTarget(relation) && table instanceof KeylakeTable ours) {
        table = ours.withRowLevelOptions(options(relation).asCaseSensitiveMap());
      }
      return Optional.of(
          DataSourceV2Relation.create(
              table,
              Option.apply(catalog),
              Option.apply(identifier),
              options(relation),
              Option.empty()));
    }
  }
}
