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

package io.keylake.extensions.changes;

import io.keylake.catalog.KeylakeCatalog;
import io.keylake.catalog.KeylakeSessionCatalog;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.internal.SessionState;
import scala.Option;
import scala.Tuple2;

/**
 * A table of one of our catalogs that a query names.
 *
 * @param catalog the catalog
 * @param table its name there
 */
record CatalogRelation(TableCatalog catalog, Identifier table) {
  /** The table that {@code relation} names; empty when there is no such table of ours. */
  static Optional<CatalogRelation> find(SparkSession session, UnresolvedRelation relation) {
    SessionState state = session.sessionState();
    Option<Tuple2<CatalogPlugin, Identifier>> found =
        state.analyzer().CatalogAndIdentifier().unapply(relation.multipartIdentifier());
    if (found.isEmpty() || state.catalog().isTempView(relation.multipartIdentifier())) {
      return Optional.empty();
    }
    CatalogPlugin catalog = found.get()._1();
    if (!(catalog instanceof KeylakeCatalog || catalog instanceof KeylakeSessionCatalog)) {
      return Optional.empty();
    }
    return Optional.of(new CatalogRelation((TableCatalog) catalog, found.get()._2()))
        .filter(ours -> ours.catalog.tableExists(ours.table));
  }
}
