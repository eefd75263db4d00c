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
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.procedures.Procedures;
import io.keylake.spark.convert.SparkErrors;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.ProcedureCatalog;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalogCapability;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.TableSummary;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * A catalog over a file-system warehouse: {@code
 * spark.sql.catalog.<name>=io.keylake.catalog.KeylakeCatalog} and {@code
 * spark.sql.catalog.<name>.warehouse=<folder>}. Namespaces have one level. A table is reached as
 * {@code database.table}, its metadata tables as {@code table$snapshots} or {@code
 * table.snapshots}, a branch as {@code table$branch_<name>}.
 *
 * <p>One instance serves one session; nothing is cached in it, so that every statement sees what
 * other sessions have committed.
 */
public final class KeylakeCatalog
    implements StagingTableCatalog, SupportsNamespaces, FunctionCatalog, ProcedureCatalog {
  private static final Set<TableCatalogCapability> CAPABILITIES =
      Set.of(
          TableCatalogCapability.SUPPORT_COLUMN_DEFAULT_VALUE,
          TableCatalogCapability.SUPPORT_TABLE_CONSTRAINT);

  private @Nullable Opened opened;

  /** Made by Spark, which then calls {@link #initialize}. */
  public KeylakeCatalog() {}

  /** What an initialized catalog is made of. */
  private record Opened(
      String name,
      CatalogOptions options,
      Warehouse warehouse,
      Namespaces namespaces,
      LakeTables tables,
      TableCreation creation) {}

  @Override
  public void initialize(String name, CaseInsensitiveStringMap settings) {
    CatalogOptions options = CatalogOptions.of(name, settings);
    HadoopFileIO io = HadoopFileIO.of(options.configuration(hadoopConfiguration()));
    Warehouse warehouse = new Warehouse(io, options.warehouse());
    NameResolution names = new NameResolution(name, warehouse);
    Clock clock = Clock.systemUTC();
    LakeTables tables = new LakeTables(names, warehouse, io, clock);
    opened =
        new Opened(
            name,
            options,
            warehouse,
            new Namespaces(name, options.defaultDatabase(), warehouse, new NamespaceProperties(io)),
            tables,
            new TableCreation(
                tables,
                names,
                warehouse,
                io,
                new TableCreation.Surroundings(options.tableDefaults(), clock, Ids.random())));
  }

  private static Configuration hadoopConfiguration() {
    org.apache.spark.sql.classic.SparkSession session =
        (org.apache.spark.sql.classic.SparkSession) SparkSession.active();
    return session.sessionState().newHadoopConf();
  }

  private Opened opened() {
    if (opened == null) {
      throw new IllegalStateException("The catalog is not initialized");
    }
    return opened;
  }

  private LakeTables tables() {
    return opened().tables();
  }

  private Namespaces namespaces() {
    return opened().namespaces();
  }

  @Override
  public String name() {
    return opened().name();
  }

  @Override
  public String[] defaultNamespace() {
    return new String[] {opened().options().defaultDatabase()};
  }

  @Override
  public Set<TableCatalogCapability> capabilities() {
    return CAPABILITIES;
  }

  // Tables

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    String database = namespaces().existing(namespace);
    return tables().list(database).stream()
        .map(table -> Identifier.of(namespace, table))
        .toArray(Identifier[]::new);
  }

  @Override
  public TableSummary[] listTableSummaries(String[] namespace) throws NoSuchNamespaceException {
    String database = namespaces().existing(namespace);
    return tables().list(database).stream()
        .map(
            table ->
                TableSummary.of(Identifier.of(namespace, table), TableSummary.MANAGED_TABLE_TYPE))
        .toArray(TableSummary[]::new);
  }

  @Override
  public Table loadTable(Identifier table) throws NoSuchTableException {
    return tables().load(table);
  }

  @Override
  public Table loadTable(Identifier table, String version) throws NoSuchTableException {
    return tables().loadVersion(table, version);
  }

  @Override
  public Table loadTable(Identifier table, long micros) throws NoSuchTableException {
    return tables().loadTimestamp(table, micros);
  }

  @Override
  public Changelog loadChangelog(
      Identifier table, ChangelogContext context, CaseInsensitiveStringMap options)
      throws NoSuchTableException {
    return tables().loadChangelog(table, context, options);
  }

  @Override
  public boolean tableExists(Identifier table) {
    return tables().exists(table);
  }

  @Override
  public Table createTable(Identifier table, TableInfo definition)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    namespaces().existing(table.namespace());
    return opened().creation().create(table, definition);
  }

  @Override
  public Table createTableLike(Identifier table, TableInfo definition, Table source)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    namespaces().existing(table.namespace());
    return opened().creation().createLike(table, definition, source);
  }

  @Override
  public Table alterTable(Identifier table, TableChange... changes) throws NoSuchTableException {
    return tables().alter(table, changes);
  }

  @Override
  public boolean dropTable(Identifier table) {
    return tables().drop(table);
  }

  /** The same as {@link #dropTable}: a dropped table's files are deleted at once. */
  @Override
  public boolean purgeTable(Identifier table) {
    return tables().drop(table);
  }

  @Override
  public void renameTable(Identifier from, Identifier to)
      throws NoSuchTableException, TableAlreadyExistsException {
    tables().rename(from, to);
  }

  @Override
  public StagedTable stageCreate(Identifier table, TableInfo definition)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    namespaces().existing(table.namespace());
    return opened().creation().stageCreate(table, definition);
  }

  @Override
  public StagedTable stageReplace(Identifier table, TableInfo definition)
      throws NoSuchTableException, NoSuchNamespaceException {
    namespaces().existing(table.namespace());
    return opened().creation().stageReplace(table, definition);
  }

  @Override
  public StagedTable stageCreateOrReplace(Identifier table, TableInfo definition)
      throws NoSuchNamespaceException {
    namespaces().existing(table.namespace());
    return opened().creation().stageCreateOrReplace(table, definition);
  }

  // Namespaces

  @Override
  public String[][] listNamespaces() {
    return namespaces().listAll();
  }

  @Override
  public String[][] listNamespaces(String[] parent) {
    return namespaces().list(parent);
  }

  @Override
  public boolean namespaceExists(String[] namespace) {
    return namespaces().exists(namespace);
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace)
      throws NoSuchNamespaceException {
    return namespaces().load(namespace);
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata)
      throws NamespaceAlreadyExistsException {
    namespaces().create(namespace, metadata);
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes)
      throws NoSuchNamespaceException {
    namespaces().alter(namespace, changes);
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade)
      throws NonEmptyNamespaceException {
    return namespaces().drop(namespace, cascade ? Namespaces.Cascade.YES : Namespaces.Cascade.NO);
  }

  /** Makes the folder of a namespace that exists in another catalog. */
  void ensureNamespace(String[] namespace) {
    if (namespace.length == 1 && ObjectNames.isValid(namespace[0])) {
      opened().warehouse().createDatabase(namespace[0]);
    }
  }

  // Functions and procedures

  @Override
  public Identifier[] listFunctions(String[] namespace) throws NoSuchNamespaceException {
    if (namespace.length > 0) {
      namespaces().existing(namespace);
      return new Identifier[0];
    }
    return Functions.list();
  }

  @Override
  public UnboundFunction loadFunction(Identifier function) throws NoSuchFunctionException {
    return Functions.load(function);
  }

  @Override
  public boolean functionExists(Identifier function) {
    return Functions.exists(function);
  }

  @Override
  public UnboundProcedure loadProcedure(Identifier procedure) {
    String[] namespace = procedure.namespace();
    if (namespace.length != 1 || !ObjectNames.PROCEDURE_NAMESPACES.contains(namespace[0])) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_INVALID_REQUEST,
          "There is no procedure " + procedure + ". Procedures are in the namespace sys.");
    }
    return Procedures.load(this, procedure.name());
  }

  @Override
  public Identifier[] listProcedures(String[] namespace) {
    if (namespace.length != 1 || !ObjectNames.PROCEDURE_NAMESPACES.contains(namespace[0])) {
      return new Identifier[0];
    }
    return Procedures.names().stream()
        .map(procedure -> Identifier.of(namespace, procedure))
        .toArray(Identifier[]::new);
  }
}
