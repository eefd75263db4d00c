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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.Identifier;

/**
 * Finds what an identifier means. Spark hands over {@code t.snapshots} as the table {@code
 * snapshots} of the namespace {@code t}; when there is no such namespace it is the metadata table
 * of {@code t} in the current namespace, and {@code db.t.snapshots} that of {@code db.t}. In the
 * same way {@code t.branch_b} is a branch of {@code t}, and {@code t.branch_b.snapshots} a metadata
 * table of it.
 */
final class NameResolution {
  /** Database, table, branch, metadata table. */
  private static final int MAX_PARTS = 4;

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
    List<String> parts = new ArrayList<>(List.of(identifier.namespace()));
    parts.add(identifier.name());
    if (parts.size() < 2 || parts.size() > MAX_PARTS) {
      return Optional.empty();
    }
    return existing(parts.get(0), parts.subList(1, parts.size()))
        .or(() -> currentDatabase().flatMap(database -> existing(database, parts)));
  }

  /** The database and name that a new table would have; empty when they cannot name one. */
  Optional<LakeName> ofNewTable(Identifier identifier) {
    String[] namespace = identifier.namespace();
    int start = namespace.length == 2 && namespace[0].equals(catalog) ? 1 : 0;
    return namespace.length == start + 1
        ? LakeName.parse(namespace[start], identifier.name()).filter(LakeName::isPlain)
        : Optional.empty();
  }

  /** A table, its branch and its metadata table are written with dots or with dollar signs. */
  private Optional<LakeName> existing(String database, List<String> parts) {
    return LakeName.parse(database, String.join("$", parts))
        .filter(found -> warehouse.tableExists(found.database(), found.table()));
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
