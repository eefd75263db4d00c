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

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.TableVersion;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.table.evolution.TableDefinition;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableInfo;

/**
 * Creates and replaces tables. A replaced table keeps its old snapshots, whose columns are no
 * relatives of the new ones; when the partition columns, the primary key or the kind of buckets
 * change, the old files cannot lie beside the new ones and the table is swapped for a new one.
 */
final class TableCreation {
  /** Of options that say something about the columns of one table. */
  private static final String PRIVATE_PREFIX = "keylake.";

  private final LakeTables tables;
  private final NameResolution names;
  private final Warehouse warehouse;
  private final FileIO io;
  private final Map<String, String> defaults;
  private final Clock clock;
  private final Ids ids;

  TableCreation(
      LakeTables tables,
      NameResolution names,
      Warehouse warehouse,
      FileIO io,
      Surroundings surroundings) {
    this.tables = tables;
    this.names = names;
    this.warehouse = warehouse;
    this.io = io;
    this.defaults = surroundings.tableDefaults();
    this.clock = surroundings.clock();
    this.ids = surroundings.ids();
  }

  /**
   * What is not the table's own.
   *
   * @param tableDefaults options of new tables
   * @param clock tells when a definition was made
   * @param ids names the folder of a table that is being made
   */
  record Surroundings(Map<String, String> tableDefaults, Clock clock, Ids ids) {}

  Table create(Identifier identifier, TableInfo statement) throws TableAlreadyExistsException {
    return create(identifier, statement, Map.of());
  }

  /** As {@link #create}; what the statement leaves open is as in {@code source}, if it is ours. */
  Table createLike(Identifier identifier, TableInfo statement, Table source)
      throws TableAlreadyExistsException {
    return create(identifier, statement, copiedOptions(source));
  }

  private Table create(Identifier identifier, TableInfo statement, Map<String, String> options)
      throws TableAlreadyExistsException {
    LakeName name = newName(identifier);
    TableStorage storage = tables.storage(name);
    boolean created =
        SparkErrors.translating(
            () -> {
              TableSchema schema =
                  definition(name, statement, options).create(storage.name(), clock);
              return !exists(name) && NewTable.publish(storage, schema);
            });
    if (!created) {
      throw SparkErrors.tableAlreadyExists(identifier);
    }
    return tables.table(name, TableVersion.newest(tables.sparkName(name), storage));
  }

  StagedTable stageCreate(Identifier identifier, TableInfo statement)
      throws TableAlreadyExistsException {
    LakeName name = newName(identifier);
    if (exists(name)) {
      throw SparkErrors.tableAlreadyExists(identifier);
    }
    return SparkErrors.translating(() -> stagedNew(name, tables.storage(name), statement));
  }

  StagedTable stageReplace(Identifier identifier, TableInfo statement) throws NoSuchTableException {
    LakeName name = newName(identifier);
    if (!exists(name)) {
      throw SparkErrors.noSuchTable(identifier);
    }
    return SparkErrors.translating(() -> stagedReplacement(name, statement));
  }

  StagedTable stageCreateOrReplace(Identifier identifier, TableInfo statement) {
    LakeName name = newName(identifier);
    return SparkErrors.translating(
        () -> {
          if (!exists(name)) {
            return stagedNew(name, tables.storage(name), statement);
          }
          return SavedTable.namesNoFormat(statement)
              ? stagedSave(name, statement)
              : stagedReplacement(name, statement).whenSaved(() -> stagedSave(name, statement));
        });
  }

  /** What a frame that is saved over the table replaces: its rows, and its columns if others. */
  private StagedLakeTable stagedSave(LakeName name, TableInfo statement) {
    TableStorage storage = tables.storage(name);
    TableVersion current = TableVersion.newest(tables.sparkName(name), storage);
    KeylakeTable table = tables.table(name, current);
    SavedTable saved = new SavedTable(current.schema(), statement);
    return saved.keepsDefinition()
        ? new StagedLakeTable(table, new KeptDefinition(table))
        : staged(name, saved.definition(copiedOptions(table)));
  }

  private StagedTable stagedNew(LakeName name, TableStorage storage, TableInfo statement) {
    TableSchema schema = definition(name, statement, Map.of()).create(storage.name(), clock);
    return new StagedLakeTable(unpublished(name, storage, schema), new NewTable(storage, schema));
  }

  private StagedLakeTable stagedReplacement(LakeName name, TableInfo statement) {
    return staged(name, definition(name, statement, Map.of()));
  }

  private StagedLakeTable staged(LakeName name, TableDefinition definition) {
    TableStorage storage = tables.storage(name);
    TableVersion current = TableVersion.newest(tables.sparkName(name), storage);
    TableSchema replaced = current.schema();
    TableSchema schema = definition.replace(replaced, storage.name(), clock);
    if (TableShape.of(schema).equals(TableShape.of(replaced)) || current.snapshot() == null) {
      KeylakeTable table =
          tables.table(
              name,
              new TableVersion(
                  current.name(), storage, schema, current.snapshot(), current.choice()));
      return new StagedLakeTable(
          table, new ReplacedDefinition(storage, table, replaced, schema, clock));
    }
    SwappedTable.checkNothingElseRefersTo(storage);
    Location folder = warehouse.stagingFolder(ids.next());
    TableStorage aside =
        TableStorage.of(storage.name(), io, TableLayout.of(folder.child(name.table())));
    TableSchema fresh = definition.create(storage.name(), clock);
    return new StagedLakeTable(
        unpublished(name, aside, fresh),
        new SwappedTable(new NewTable(aside, fresh), storage, aside, folder));
  }

  private KeylakeTable unpublished(LakeName name, TableStorage storage, TableSchema schema) {
    return tables.table(
        name,
        new TableVersion(
            tables.sparkName(name), storage, schema, null, TableVersion.Choice.NEWEST));
  }

  private TableDefinition definition(
      LakeName name, TableInfo statement, Map<String, String> options) {
    Map<String, String> open = new HashMap<>(defaults);
    open.putAll(options);
    return RequestedTable.definition(
        tables.sparkName(name).text(),
        statement,
        warehouse.table(name.database(), name.table()),
        open);
  }

  private static Map<String, String> copiedOptions(Table source) {
    if (!(source instanceof KeylakeTable table)) {
      return Map.of();
    }
    Map<String, String> options = new HashMap<>(table.pinned().schema().options());
    options.keySet().removeIf(key -> key.startsWith(PRIVATE_PREFIX));
    return options;
  }

  private boolean exists(LakeName name) {
    return warehouse.tableExists(name.database(), name.table());
  }

  private LakeName newName(Identifier identifier) {
    return names
        .ofNewTable(identifier)
        .orElseThrow(() -> ObjectNames.invalidTable(identifier.name()));
  }
}
