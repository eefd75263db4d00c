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

package io.keylake.procedures.transfer;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.AppendData;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.collection.immutable.Map$;

/** The rows of a version of a table. */
final class TableRows {
  private TableRows() {}

  /** The rows of the version that {@code table} is pinned on. */
  static Dataset<Row> of(SparkSession session, Table table) {
    return Dataset.ofRows(
        session, DataSourceV2Relation.create(table, Option.empty(), Option.empty()));
  }

  /** Writes rows into a table of a catalog, columns by name. */
  static void append(
      SparkSession session,
      Dataset<Row> rows,
      Table table,
      TableCatalog catalog,
      Identifier identifier) {
    DataSourceV2Relation target =
        DataSourceV2Relation.create(table, Option.apply(catalog), Option.apply(identifier));
    Dataset<Row> written =
        Dataset.ofRows(
            session, AppendData.byName(target, rows.logicalPlan(), Map$.MODULE$.empty(), false));
    assert written.columns().length == 0 : "a command without rows";
  }
}
