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

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A session of the one Spark of this module's tests, with its own catalog over a folder. */
public final class SharedSpark {
  private final SparkSession session;

  private SharedSpark(SparkSession session) {
    this.session = session;
  }

  /** A new session whose current catalog {@code lake} is over {@code warehouse}. */
  public static SharedSpark over(Path warehouse) {
    return over(warehouse, Map.of());
  }

  /** The same with options of the catalog. */
  public static SharedSpark over(Path warehouse, Map<String, String> options) {
    SparkSession session = start().newSession();
    options.forEach((key, value) -> session.conf().set("spark.sql.catalog.lake." + key, value));
    session.conf().set("spark.sql.catalog.lake", KeylakeCatalog.class.getName());
    session.conf().set("spark.sql.catalog.lake.warehouse", warehouse.toString());
    session.sql("CREATE NAMESPACE IF NOT EXISTS lake.db");
    session.sql("USE lake.db");
    return new SharedSpark(session);
  }

  /** A new session with our session catalog over {@code warehouse}. */
  public static SharedSpark inSessionCatalog(Path warehouse) {
    SparkSession session = start().newSession();
    session.conf().set("spark.sql.catalog.spark_catalog", KeylakeSessionCatalog.class.getName());
    session.conf().set("spark.sql.catalog.spark_catalog.warehouse", warehouse.toString());
    return new SharedSpark(session);
  }

  private static SparkSession start() {
    return SparkSession.builder()
        .master("local[2, 2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", Path.of("target", "spark-warehouse").toString())
        .getOrCreate();
  }

  /** The session itself. */
  public SparkSession session() {
    return session;
  }

  /** Runs a statement. */
  public Dataset<Row> sql(String statement) {
    return session.sql(statement);
  }

  /** Runs statements in order. */
  public void run(String... statements) {
    Arrays.stream(statements).forEach(session::sql);
  }

  /** The rows of a query as text, values separated by a comma. */
  public List<String> rows(String query) {
    return session.sql(query).collectAsList().stream().map(row -> row.mkString(",")).toList();
  }

  /** The first value of a query as text. */
  public String value(String query) {
    return String.valueOf(session.sql(query).collectAsList().get(0).get(0));
  }
}
