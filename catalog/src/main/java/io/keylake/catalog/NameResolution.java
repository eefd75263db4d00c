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

import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.Identifier;

/**
 * Finds what an identifier means. Spark hands over {@code t.snapshots} as the table {@code
 * snapshots} of the namespace {@code t}; when there is no such namespace it is the metadata table
 * of {@code t} in the current namespace, and {@code db.t.snapshots} that of {@code db.t}.
 */
final class NameResolution {
  private final String catalog;
  private final Warehouse warehouse;

  NameResolution(String catalog, Warehouse warehouse) {
    this.catalog = catalog;
    this.warehouse = warehouse;
  }

  /** The name of the catalog. */
  String catalog() {
    return catalog;
  }

  /** What {@code identifier} names, if the table in it exists. */
  Optional<LakeName> find(Identifier identifier) {
    String[] namespace = identifier.namespace();
    String name = identifier.name();
    if (namespace.length == 1) {
      return existing(LakeName.parse(namespace[0], name))
          .or(() -> currentDatabase().flatMap(database -> metadata(database, namespace[0], name)));
    }
    return namespace.length == 2 ? metadata(namespace[0], namespace[1], name) : Optional.empty();
  }

  /** The database and name that a new table would have; empty when they cannot name one. */
  Optional<LakeName> ofNewTable(Identifier identifier) {
    String[] namespace = identifier.namespace();
    int start = namespace.length == 2 && namespace[0].equals(catalog) ? 1 : 0;
    return namespace.length == start + 1
        ? LakeName.parse(namespace[start], identifier.name()).filter(LakeName::isPlain)
        : Optional.empty();
  }

  private Optional<LakeName> metadata(String database, String table, String metadataTable) {
    return existing(LakeName.parse(database, table))
        .filter(name -> name.metadataTable().isEmpty())
        .filter(name -> ObjectNames.isValid(metadataTable))
        .map(name -> name.withMetadataTable(metadataTable));
  }

  private Optional<LakeName> existing(Optional<LakeName> name) {
    return name.filter(found -> warehouse.tableExists(found.database(), found.table()));
  }

  private Optional<String> currentDatabase() {
    CatalogManager manager =
        ((org.apache.spark.sql.classic.SparkSession) SparkSession.active())
            .sessionState()
            .catalogManager();
    String[] namespace = manager.currentNamespace();
    return manager.currentCatalog().name().equals(catalog) && namespace.length == 1
        ? Optional.of(namespace[0])
        : Optional.empty();
  }
}
