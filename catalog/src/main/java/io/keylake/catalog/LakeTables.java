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
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.KeylakeTable;
import io.keylake.spark.TableVersion;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.convert.KeylakeException;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.schema.SchemaChanges;
import io.keylake.table.maintenance.TableDrop;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The tables of a catalog that exist: finds, changes, renames and drops them. */
final class LakeTables {
  private final Warehouse warehouse;
  private final FileIO io;
  private final Clock clock;
  private final NameResolution names;

  LakeTables(NameResolution names, Warehouse warehouse, FileIO io, Clock clock) {
    this.warehouse = warehouse;
    this.io = io;
    this.clock = clock;
    this.names = names;
  }

  /** What a version of a table is loaded from. */
  @FunctionalInterface
  private interface Choice {
    TableVersion of(TableName name, TableStorage storage);
  }

  List<String> list(String database) {
    return warehouse.tables(database);
  }

  /** Whether the identifier can be loaded. */
  boolean exists(Identifier identifier) {
    Optional<LakeName> name = names.find(identifier);
    if (name.isEmpty() || name.get().isPlain()) {
      return name.isPresent();
    }
    try {
      load(identifier);
      return true;
    } catch (NoSuchTableException | KeylakeException e) {
      return false;
    }
  }

  Table load(Identifier identifier) throws NoSuchTableException {
    return load(identifier, TableVersion::newest);
  }

  Table loadVersion(Identifier identifier, String version) throws NoSuchTableException {
    return load(identifier, (name, storage) -> TableVersion.of(name, storage, version));
  }

  Table loadTimestamp(Identifier identifier, long micros) throws NoSuchTableException {
    return load(identifier, (name, storage) -> TableVersion.at(name, storage, micros));
  }

  Changelog loadChangelog(
      Identifier identifier, ChangelogContext context, CaseInsensitiveStringMap options)
      throws NoSuchTableException {
    LakeName name = existing(identifier);
    if (name.metadataTable().isPresent()) {
      throw refuse("read the changes of", name, "it is a metadata table. Read those of the table.");
    }
    TableStorage storage = storage(name);
    if (name.branch().isPresent() && storage.schemas().latestId().isEmpty()) {
      throw SparkErrors.noSuchTable(identifier);
    }
    return SparkErrors.translating(
        () ->
            table(name, TableVersion.newest(sparkName(name), storage)).changelog(context, options));
  }

  private Table load(Identifier identifier, Choice choice) throws NoSuchTableException {
    LakeName name = existing(identifier);
    LakeName shown = name.withoutMetadataTable();
    TableStorage storage = storage(shown);
    if (name.branch().isPresent() && storage.schemas().latestId().isEmpty()) {
      throw SparkErrors.noSuchTable(identifier);
    }
    KeylakeTable table =
        SparkErrors.translating(() -> table(shown, choice.of(sparkName(shown), storage)));
    if (name.metadataTable().isEmpty()) {
      return table;
    }
    return table
        .metadataTable(name.metadataTable().get())
        .orElseThrow(() -> SparkErrors.noSuchTable(identifier));
  }

  /** The version of a table as Spark sees it. */
  KeylakeTable table(LakeName name, TableVersion version) {
    return new KeylakeTable(
        version,
        Map.of(
            TableCatalog.PROP_PROVIDER,
            "keylake",
            TableCatalog.PROP_LOCATION,
            root(name).path(),
            TableCatalog.PROP_IS_MANAGED_LOCATION,
            "true"));
  }

  /** The name by which Spark and settings know a table. */
  TableName sparkName(LakeName name) {
    return new TableName(names.catalog(), List.of(name.database()), name.written());
  }

  /** The files of a table, seen through the branch that the name says. */
  TableStorage storage(LakeName name) {
    TableLayout layout = TableLayout.of(root(name));
    return TableStorage.of(
        sparkName(name).text(), io, name.branch().map(layout::onBranch).orElse(layout));
  }

  private Location root(LakeName name) {
    return warehouse.table(name.database(), name.table());
  }

  /** The name of a table, branch or metadata table that must exist. */
  private LakeName existing(Identifier identifier) throws NoSuchTableException {
    return names.find(identifier).orElseThrow(() -> SparkErrors.noSuchTable(identifier));
  }

  /** The name of a table that must exist and is no metadata table. */
  private LakeName changeable(Identifier identifier, String what) throws NoSuchTableException {
    LakeName name = existing(identifier);
    if (name.metadataTable().isPresent()) {
      throw refuse(what, name, "it is a metadata table, which shows what the table's files say.");
    }
    return name;
  }

  /** The name of a table that must exist and is neither a branch nor a metadata table. */
  private LakeName whole(Identifier identifier, String what) throws NoSuchTableException {
    LakeName name = changeable(identifier, what);
    if (name.branch().isPresent()) {
      throw refuse(what, name, "it is a branch. Use the procedures for branches.");
    }
    return name;
  }

  Table alter(Identifier identifier, TableChange... changes) throws NoSuchTableException {
    LakeName name = changeable(identifier, "alter");
    TableStorage storage = storage(name);
    SparkErrors.translate(
        () -> {
          KeylakeTable table = table(name, TableVersion.newest(sparkName(name), storage));
          SchemaChanges.commit(
              storage, table.pinned().schema(), table.constraints(), clock, changes);
        });
    return load(identifier);
  }

  /** Deletes a table with all its files; false when it does not exist. */
  boolean drop(Identifier identifier) {
    try {
      TableDrop.drop(storage(whole(identifier, "drop")));
      return true;
    } catch (NoSuchTableException e) {
      return false;
    }
  }

  void rename(Identifier from, Identifier to)
      throws NoSuchTableException, TableAlreadyExistsException {
    LakeName source = whole(from, "rename");
    LakeName target = names.ofNewTable(to).orElseThrow(() -> ObjectNames.invalidTable(to.name()));
    if (!warehouse.databaseExists(target.database())) {
      throw refuse("rename", source, "there is no namespace " + target.database() + ".");
    }
    if (io.exists(root(target))) {
      throw SparkErrors.tableAlreadyExists(to);
    }
    io.renameFolder(root(source), root(target), TableLayout.of(root(source)).schemaFolder().name());
  }

  private static KeylakeException refuse(String what, LakeName name, String reason) {
    return SparkErrors.failure(
        Condition.KEYLAKE_UNSUPPORTED_OPERATION, "Cannot " + what + " " + name + ": " + reason);
  }
}
