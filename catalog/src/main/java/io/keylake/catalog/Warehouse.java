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
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import java.util.List;

/**
 * The folders of a file-system warehouse: {@code <warehouse>/<database>.db/<table>}. A database is
 * there when its folder is, a table when its folder holds a schema. Names must be valid by {@link
 * ObjectNames}. Rule source: table format, directory layout.
 */
final class Warehouse {
  private static final String DATABASE_SUFFIX = ".db";
  private static final String STAGING_FOLDER = ".keylake-staging";

  private final FileIO io;
  private final Location root;

  Warehouse(FileIO io, Location root) {
    this.io = io;
    this.root = root;
  }

  /** The names of all databases, sorted. */
  List<String> databases() {
    return io.list(root).stream()
        .filter(status -> status.isDirectory() && isDatabase(status.location().name()))
        .map(status -> databaseName(status.location().name()))
        .filter(ObjectNames::isValid)
        .sorted()
        .toList();
  }

  boolean databaseExists(String database) {
    return ObjectNames.isValid(database)
        && io.status(database(database)).map(FileStatus::isDirectory).orElse(false);
  }

  /** The folder of a database, which need not exist. */
  Location database(String database) {
    return root.child(database + DATABASE_SUFFIX);
  }

  /** The folder of a table, which need not exist. */
  Location table(String database, String table) {
    return database(database).child(table);
  }

  /** The names of all tables of a database, sorted. */
  List<String> tables(String database) {
    return io.list(database(database)).stream()
        .filter(FileStatus::isDirectory)
        .map(status -> status.location().name())
        .filter(name -> ObjectNames.isValid(name) && isTable(table(database, name)))
        .sorted()
        .toList();
  }

  /** Whatever is directly in the folder of a database, tables or not. */
  List<Location> files(String database) {
    return io.list(database(database)).stream().map(FileStatus::location).toList();
  }

  boolean tableExists(String database, String table) {
    return ObjectNames.isValid(database)
        && ObjectNames.isValid(table)
        && isTable(table(database, table));
  }

  void createDatabase(String database) {
    io.createFolder(database(database));
  }

  /** Deletes a database with everything in it. */
  void dropDatabase(String database) {
    io.deleteFolder(database(database));
  }

  /** Whether the folder holds a schema: the first one, or any other when that has gone. */
  private boolean isTable(Location folder) {
    TableLayout layout = TableLayout.of(folder);
    return io.exists(layout.schema(0))
        || io.list(layout.schemaFolder()).stream()
            .anyMatch(
                file ->
                    TableLayout.idOf(TableLayout.SCHEMA_PREFIX, file.location().name())
                        .isPresent());
  }

  /** A folder beside the databases for a table that is being made. */
  Location stagingFolder(String id) {
    return root.child(STAGING_FOLDER).child(id);
  }

  private static boolean isDatabase(String folder) {
    return folder.endsWith(DATABASE_SUFFIX);
  }

  private static String databaseName(String folder) {
    return folder.substring(0, folder.length() - DATABASE_SUFFIX.length());
  }
}
