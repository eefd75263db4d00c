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
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces of a catalog: one level, each a database of the warehouse. The location of a database
 * follows from its name and cannot be chosen. The default one always exists: its folder is made
 * when something is put into it.
 */
final class Namespaces {
  private final String catalog;
  private final String defaultDatabase;
  private final Warehouse warehouse;
  private final NamespaceProperties properties;

  /**
   * The namespaces of a catalog.
   *
   * @param catalog its name, for messages
   * @param defaultDatabase the namespace that is current after {@code USE <catalog>}
   * @param warehouse holds the databases
   * @param properties of the databases
   */
  Namespaces(
      String catalog, String defaultDatabase, Warehouse warehouse, NamespaceProperties properties) {
    this.catalog = catalog;
    this.defaultDatabase = defaultDatabase;
    this.warehouse = warehouse;
    this.properties = properties;
  }

  /** All namespaces. */
  String[][] listAll() {
    return Stream.concat(Stream.of(defaultDatabase), warehouse.databases().stream())
        .distinct()
        .sorted()
        .map(database -> new String[] {database})
        .toArray(String[][]::new);
  }

  /** The namespaces below {@code parent}: all for the root, none below anything else. */
  String[][] list(String[] parent) {
    return parent.length == 0 ? listAll() : new String[0][];
  }

  boolean exists(String[] namespace) {
    return namespace.length == 0 || (namespace.length == 1 && databaseExists(namespace[0]));
  }

  private boolean databaseExists(String database) {
    return database.equals(defaultDatabase) || warehouse.databaseExists(database);
  }

  /** The properties of a namespace, its location among them. */
  Map<String, String> load(String[] namespace) throws NoSuchNamespaceException {
    String database = existing(namespace);
    Map<String, String> loaded = new HashMap<>(properties.read(warehouse.database(database)));
    loaded.put(SupportsNamespaces.PROP_LOCATION, warehouse.database(database).path());
    return loaded;
  }

  void create(String[] namespace, Map<String, String> metadata)
      throws NamespaceAlreadyExistsException {
    if (namespace.length != 1) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Cannot create the namespace "
              + String.join(".", namespace)
              + ": namespaces have one level. Use a single name.");
    }
    String database = namespace[0];
    ObjectNames.checkNewDatabase(database);
    checkLocation(database, metadata.get(SupportsNamespaces.PROP_LOCATION));
    if (warehouse.databaseExists(database)) {
      throw SparkErrors.namespaceAlreadyExists(namespace);
    }
    warehouse.createDatabase(database);
    store(database, metadata);
  }

  void alter(String[] namespace, NamespaceChange[] changes) throws NoSuchNamespaceException {
    String database = existing(namespace);
    Map<String, String> changed = new HashMap<>(properties.read(warehouse.database(database)));
    for (NamespaceChange change : changes) {
      if (change instanceof NamespaceChange.SetProperty set) {
        if (set.property().equals(SupportsNamespaces.PROP_LOCATION)) {
          checkLocation(database, set.value());
        }
        changed.put(set.property(), set.value());
      } else if (change instanceof NamespaceChange.RemoveProperty remove) {
        changed.remove(remove.property());
      } else {
        throw SparkErrors.failure(
            Condition.KEYLAKE_UNSUPPORTED_OPERATION,
            "Cannot change the namespace " + database + ": " + change + " is not supported.");
      }
    }
    store(database, changed);
  }

  /** Drops a namespace; with {@code cascade} its tables go too. False when it does not exist. */
  boolean drop(String[] namespace, Cascade cascade) throws NonEmptyNamespaceException {
    if (namespace.length != 1 || !warehouse.databaseExists(namespace[0])) {
      return false;
    }
    boolean holdsSomething =
        warehouse.files(namespace[0]).stream()
            .anyMatch(file -> !NamespaceProperties.isStoredIn(file));
    if (cascade == Cascade.NO && holdsSomething) {
      throw SparkErrors.nonEmptyNamespace(namespace);
    }
    warehouse.dropDatabase(namespace[0]);
    return true;
  }

  /** The database of a namespace that must exist. */
  String existing(String[] namespace) throws NoSuchNamespaceException {
    if (namespace.length != 1 || !databaseExists(namespace[0])) {
      throw SparkErrors.noSuchNamespace(catalog, namespace);
    }
    return namespace[0];
  }

  private void store(String database, Map<String, String> metadata) {
    Map<String, String> stored = new HashMap<>(metadata);
    stored.remove(SupportsNamespaces.PROP_LOCATION);
    properties.write(warehouse.database(database), stored);
  }

  private void checkLocation(String database, @Nullable String location) {
    if (location != null && !Locations.same(location, warehouse.database(database))) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_FORBIDDEN_PATH,
          "The namespace "
              + database
              + " cannot be at "
              + location
              + ": its place is "
              + warehouse.database(database)
              + ". Leave LOCATION out.");
    }
  }

  /** Whether what is inside goes too. */
  enum Cascade {
    YES,
    NO
  }
}
