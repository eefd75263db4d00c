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

package io.keylake.suites;

import io.keylake.catalog.KeylakeCatalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableCatalogCapability;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.TableSummary;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.catalog.constraints.PrimaryKey;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.VariantType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * {@link KeylakeCatalog}, where tables are created so that Spark's suites apply to them:
 *
 * <ol>
 *   <li>The suites name providers that exist nowhere ({@code USING _}, {@code USING foo}) or that
 *       have tables of their own ({@code USING json}), which we refuse: tables are created as if
 *       USING were left out.
 *   <li>Where tables are to have a primary key, {@link TableKind#KEYED}, each one that is created
 *       without has one: its partition columns and the first other column that can be part of a
 *       key. A table that has no such column is created as it is.
 * </ol>
 */
public final class SuiteCatalog
    implements StagingTableCatalog, SupportsNamespaces, FunctionCatalog {
  /** The option that says which parts of tables are shown plainly, see {@link PlainTable}. */
  static final String PLAIN = "plain";

  private final KeylakeCatalog lake = new KeylakeCatalog();
  private Set<PlainTable.Part> plainParts = Set.of();

  /** Made by Spark. */
  public SuiteCatalog() {}

  private TableInfo adapted(TableInfo table) {
    Map<String, String> properties = new HashMap<>(table.properties());
    String provider = properties.remove(TableCatalog.PROP_PROVIDER);
    if (plainParts.contains(PlainTable.Part.PROPERTIES) && provider != null) {
      properties.put(PlainTable.PROVIDER, provider);
    }
    return new TableInfo.Builder()
        .withColumns(table.columns())
        .withPartitions(table.partitions())
        .withProperties(properties)
        .withConstraints(
            switch (TableKind.current()) {
              case APPEND -> table.constraints();
              case KEYED -> keyed(table);
            })
        .build();
  }

  private static Constraint[] keyed(TableInfo table) {
    if (Arrays.stream(table.constraints()).anyMatch(PrimaryKey.class::isInstance)) {
      return table.constraints();
    }
    List<String> key = new ArrayList<>();
    Arrays.stream(table.partitions())
        .flatMap(transform -> Arrays.stream(transform.references()))
        .forEach(reference -> key.add(reference.fieldNames()[0]));
    int partitions = key.size();
    Arrays.stream(table.columns())
        .filter(column -> isKey(column) && key.stream().noneMatch(column.name()::equalsIgnoreCase))
        .findFirst()
        .ifPresent(column -> key.add(column.name()));
    if (key.size() == partitions) {
      return table.constraints();
    }
    NamedReference[] references =
        key.stream()
            .map(name -> Expressions.column("`" + name + "`"))
            .toArray(NamedReference[]::new);
    Constraint primaryKey = Constraint.primaryKey("pk", references).enforced(false).build();
    return Stream.concat(Arrays.stream(table.constraints()), Stream.of(primaryKey))
        .toArray(Constraint[]::new);
  }

  private static boolean isKey(Column column) {
    return column.dataType() instanceof AtomicType
        && !(column.dataType() instanceof BinaryType)
        && !(column.dataType() instanceof VariantType);
  }

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    lake.initialize(name, options);
    plainParts =
        Stream.of(options.getOrDefault(PLAIN, "").split(",", -1))
            .filter(part -> !part.isEmpty())
            .map(PlainTable.Part::valueOf)
            .collect(Collectors.toSet());
  }

  @Override
  public String name() {
    return lake.name();
  }

  @Override
  public String[] defaultNamespace() {
    return lake.defaultNamespace();
  }

  @Override
  public Set<TableCatalogCapability> capabilities() {
    return lake.capabilities();
  }

  @Override
  public Table createTable(Identifier table, TableInfo definition)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    return lake.createTable(table, adapted(definition));
  }

  @Override
  public Table createTableLike(Identifier table, TableInfo definition, Table source)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    return lake.createTableLike(table, adapted(definition), source);
  }

  @Override
  public StagedTable stageCreate(Identifier table, TableInfo definition)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    return lake.stageCreate(table, adapted(definition));
  }

  @Override
  public StagedTable stageReplace(Identifier table, TableInfo definition)
      throws NoSuchTableException, NoSuchNamespaceException {
    return lake.stageReplace(table, adapted(definition));
  }

  @Override
  public StagedTable stageCreateOrReplace(Identifier table, TableInfo definition)
      throws NoSuchNamespaceException {
    return lake.stageCreateOrReplace(table, adapted(definition));
  }

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    return lake.listTables(namespace);
  }

  @Override
  public TableSummary[] listTableSummaries(String[] namespace) throws NoSuchNamespaceException {
    return lake.listTableSummaries(namespace);
  }

  @Override
  public Table loadTable(Identifier table) throws NoSuchTableException {
    return shown(lake.loadTable(table));
  }

  @Override
  public Table loadTable(Identifier table, Set<TableWritePrivilege> privileges)
      throws NoSuchTableException {
    return shown(lake.loadTable(table, privileges));
  }

  private Table shown(Table table) {
    return PlainTable.of(table, plainParts);
  }

  @Override
  public boolean tableExists(Identifier table) {
    return lake.tableExists(table);
  }

  @Override
  public Table alterTable(Identifier table, TableChange... changes) throws NoSuchTableException {
    return lake.alterTable(table, changes);
  }

  @Override
  public boolean dropTable(Identifier table) {
    return lake.dropTable(table);
  }

  @Override
  public boolean purgeTable(Identifier table) {
    return lake.purgeTable(table);
  }

  @Override
  public void renameTable(Identifier from, Identifier to)
      throws NoSuchTableException, TableAlreadyExistsException {
    lake.renameTable(from, to);
  }

  @Override
  public String[][] listNamespaces() {
    return lake.listNamespaces();
  }

  @Override
  public String[][] listNamespaces(String[] parent) throws NoSuchNamespaceException {
    return lake.listNamespaces(parent);
  }

  @Override
  public boolean namespaceExists(String[] namespace) {
    return lake.namespaceExists(namespace);
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace)
      throws NoSuchNamespaceException {
    return lake.loadNamespaceMetadata(namespace);
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata)
      throws NamespaceAlreadyExistsException {
    lake.createNamespace(namespace, metadata);
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes)
      throws NoSuchNamespaceException {
    lake.alterNamespace(namespace, changes);
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade)
      throws NonEmptyNamespaceException {
    return lake.dropNamespace(namespace, cascade);
  }

  @Override
  public Identifier[] listFunctions(String[] namespace) throws NoSuchNamespaceException {
    return lake.listFunctions(namespace);
  }

  @Override
  public UnboundFunction loadFunction(Identifier function) throws NoSuchFunctionException {
    return lake.loadFunction(function);
  }

  @Override
  public boolean functionExists(Identifier function) {
    return lake.functionExists(function);
  }
}
