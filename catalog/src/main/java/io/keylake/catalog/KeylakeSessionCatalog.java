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

package io.keylake.catalog;

import io.keylake.format.errors.Condition;
import io.keylake.spark.convert.SparkErrors;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.DelegatingCatalogExtension;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.ProcedureCatalog;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableCatalogCapability;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The session catalog with tables of the provider {@code keylake} beside Spark's own: {@code
 * spark.sql.catalog.spark_catalog=io.keylake.catalog.KeylakeSessionCatalog}. Everything else is
 * delegated to the catalog it replaces. Namespaces are those of Spark; our tables are in {@code
 * <warehouse>/<namespace>.db/<table>}, the warehouse being the catalog's option or else {@code
 * spark.sql.warehouse.dir}.
 */
public final class KeylakeSessionCatalog extends DelegatingCatalogExtension
    implements StagingTableCatalog, ProcedureCatalog {
  private static final String WAREHOUSE = "warehouse";

  private final KeylakeCatalog ours = new KeylakeCatalog();

  /** Made by Spark, which then calls {@link #setDelegateCatalog} and {@link #initialize}. */
  public KeylakeSessionCatalog() {}

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    Map<String, String> settings = new HashMap<>(options.asCaseSensitiveMap());
    if (!options.containsKey(WAREHOUSE)) {
      settings.put(WAREHOUSE, SparkSession.active().conf().get("spark.sql.warehouse.dir"));
    }
    ours.initialize(name, new CaseInsensitiveStringMap(settings));
  }

  @Override
  public Set<TableCatalogCapability> capabilities() {
    Set<TableCatalogCapability> all = new LinkedHashSet<>(super.capabilities());
    all.addAll(ours.capabilities());
    return all;
  }

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    Identifier[] theirs = super.listTables(namespace);
    if (!ours.namespaceExists(namespace)) {
      return theirs;
    }
    return Stream.concat(Arrays.stream(theirs), Arrays.stream(ours.listTables(namespace)))
        .distinct()
        .toArray(Identifier[]::new);
  }

  @Override
  public Table loadTable(Identifier table) throws NoSuchTableException {
    return ours.tableExists(table) ? ours.loadTable(table) : super.loadTable(table);
  }

  @Override
  public Table loadTable(Identifier table, Set<TableWritePrivilege> privileges)
      throws NoSuchTableException {
    return ours.tableExists(table)
        ? ours.loadTable(table, privileges)
        : super.loadTable(table, privileges);
  }

  @Override
  public Table loadTable(Identifier table, String version) throws NoSuchTableException {
    return ours.tableExists(table)
        ? ours.loadTable(table, version)
        : super.loadTable(table, version);
  }

  @Override
  public Table loadTable(Identifier table, long timestamp) throws NoSuchTableException {
    return ours.tableExists(table)
        ? ours.loadTable(table, timestamp)
        : super.loadTable(table, timestamp);
  }

  @Override
  public Changelog loadChangelog(
      Identifier table, ChangelogContext context, CaseInsensitiveStringMap options)
      throws NoSuchTableException {
    return ours.tableExists(table)
        ? ours.loadChangelog(table, context, options)
        : super.loadChangelog(table, context, options);
  }

  @Override
  public void invalidateTable(Identifier table) {
    super.invalidateTable(table);
    ours.invalidateTable(table);
  }

  @Override
  public boolean tableExists(Identifier table) {
    return ours.tableExists(table) || super.tableExists(table);
  }

  @Override
  public Table createTable(Identifier table, TableInfo definition)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    if (!isOurs(definition.properties())) {
      return super.createTable(
          table, definition.columns(), definition.partitions(), definition.properties());
    }
    prepare(table);
    return ours.createTable(table, definition);
  }

  @Override
  public Table createTableLike(Identifier table, TableInfo definition, Table source)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    if (!isOurs(definition.properties())) {
      return super.createTableLike(table, definition, source);
    }
    prepare(table);
    return ours.createTableLike(table, definition, source);
  }

  @Override
  public boolean useNullableQuerySchema() {
    return ours.useNullableQuerySchema();
  }

  @Override
  public Table alterTable(Identifier table, TableChange... changes) throws NoSuchTableException {
    return ours.tableExists(table)
        ? ours.alterTable(table, changes)
        : super.alterTable(table, changes);
  }

  @Override
  public boolean dropTable(Identifier table) {
    return ours.tableExists(table) ? ours.dropTable(table) : super.dropTable(table);
  }

  @Override
  public boolean purgeTable(Identifier table) {
    return ours.tableExists(table) ? ours.purgeTable(table) : super.purgeTable(table);
  }

  @Override
  public void renameTable(Identifier from, Identifier to)
      throws NoSuchTableException, TableAlreadyExistsException {
    if (!ours.tableExists(from)) {
      super.renameTable(from, to);
      return;
    }
    if (super.tableExists(to)) {
      throw new TableAlreadyExistsException(to);
    }
    ours.ensureNamespace(to.namespace());
    ours.renameTable(from, to);
  }

  @Override
  public @Nullable StagedTable stageCreate(Identifier table, TableInfo definition)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    if (!isOurs(definition.properties())) {
      createTable(table, definition);
      return null;
    }
    prepare(table);
    return ours.stageCreate(table, definition);
  }

  @Override
  public @Nullable StagedTable stageReplace(Identifier table, TableInfo definition)
      throws NoSuchTableException, NoSuchNamespaceException {
    refuseChangeOfProvider(table, definition);
    if (ours.tableExists(table)) {
      return ours.stageReplace(table, definition);
    }
    if (!super.dropTable(table)) {
      throw new NoSuchTableException(table);
    }
    createAnew(table, definition);
    return null;
  }

  @Override
  public @Nullable StagedTable stageCreateOrReplace(Identifier table, TableInfo definition)
      throws NoSuchNamespaceException {
    refuseChangeOfProvider(table, definition);
    if (isOurs(definition.properties())) {
      ours.ensureNamespace(table.namespace());
      return ours.stageCreateOrReplace(table, definition);
    }
    super.dropTable(table);
    createAnew(table, definition);
    return null;
  }

  /** Spark's own tables cannot be staged; they are replaced as Spark replaces them. */
  private void createAnew(Identifier table, TableInfo definition) throws NoSuchNamespaceException {
    try {
      createTable(table, definition);
    } catch (TableAlreadyExistsException e) {
      throw new ConcurrentModificationException(
          "Another session created " + table + " meanwhile. Try again.", e);
    }
  }

  private void refuseChangeOfProvider(Identifier table, TableInfo definition) {
    boolean becomesOurs = isOurs(definition.properties());
    if (becomesOurs ? super.tableExists(table) : ours.tableExists(table)) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Cannot replace "
              + table
              + " by a table of another provider: this cannot be done in one step. Drop it"
              + " first.");
    }
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade)
      throws NoSuchNamespaceException, NonEmptyNamespaceException {
    if (ours.namespaceExists(namespace)) {
      ours.dropNamespace(namespace, cascade);
    }
    return super.dropNamespace(namespace, cascade);
  }

  @Override
  public Identifier[] listFunctions(String[] namespace) throws NoSuchNamespaceException {
    return namespace.length == 0 ? ours.listFunctions(namespace) : super.listFunctions(namespace);
  }

  @Override
  public UnboundFunction loadFunction(Identifier function) throws NoSuchFunctionException {
    return ours.functionExists(function)
        ? ours.loadFunction(function)
        : super.loadFunction(function);
  }

  @Override
  public boolean functionExists(Identifier function) {
    return ours.functionExists(function) || super.functionExists(function);
  }

  @Override
  public UnboundProcedure loadProcedure(Identifier procedure) {
    return ours.loadProcedure(procedure);
  }

  @Override
  public Identifier[] listProcedures(String[] namespace) {
    return ours.listProcedures(namespace);
  }

  private void prepare(Identifier table)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    if (super.tableExists(table)) {
      throw new TableAlreadyExistsException(table);
    }
    if (!namespaceExists(table.namespace())) {
      throw new NoSuchNamespaceException(table.namespace());
    }
    ours.ensureNamespace(table.namespace());
  }

  private static boolean isOurs(Map<String, String> properties) {
    return RequestedTable.isOurs(properties.get(TableCatalog.PROP_PROVIDER));
  }
}
