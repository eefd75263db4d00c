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

package io.keylake.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** The embedded Spark: all cores of this machine, no user interface, the catalog {@code lake}. */
final class LocalSpark {
  /** The name of the catalog. */
  static final String CATALOG = "lake";

  private static final String CATALOG_CLASS = "io.keylake.catalog.KeylakeCatalog";
  private static final String EXTENSIONS_CLASS = "io.keylake.extensions.KeylakeExtensions";

  private LocalSpark() {}

  /**
   * Starts a session whose current catalog is {@code lake} over {@code warehouse}, a folder or a
   * Hadoop URI, and whose current namespace {@code default} exists.
   *
   * @param settings Spark settings; they win over the ones chosen here
   */
  static SparkSession start(String warehouse, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    String catalog = "spark.sql.catalog." + CATALOG;
    all.put("spark.master", "local[*]");
    all.put("spark.app.name", "keylake");
    all.put("spark.ui.enabled", "false");
    all.put("spark.ui.showConsoleProgress", "false");
    all.put("spark.driver.host", "localhost");
    all.put("spark.driver.bindAddress", "127.0.0.1");
    all.put("spark.sql.session.timeZone", "UTC");
    all.put("spark.sql.shuffle.partitions", shufflePartitions());
    all.put("spark.sql.catalogImplementation", "in-memory");
    all.put(catalog, CATALOG_CLASS);
    all.put(catalog + ".warehouse", absolute(warehouse));
    all.put("spark.sql.defaultCatalog", CATALOG);
    all.put("spark.sql.extensions", EXTENSIONS_CLASS);
    all.putAll(settings);
    SparkSession.Builder builder = SparkSession.builder();
    all.forEach(builder::config);
    SparkSession spark = builder.getOrCreate();
    spark.sql("CREATE NAMESPACE IF NOT EXISTS " + CATALOG + ".default");
    spark.sql("USE " + CATALOG + ".default");
    return spark;
  }

  /**
   * Twice the cores: what a shuffle on one machine can use; adaptive execution joins small ones.
   */
  private static String shufflePartitions() {
    return Integer.toString(2 * Runtime.getRuntime().availableProcessors());
  }

  private static String absolute(String warehouse) {
    return warehouse.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")
        ? warehouse
        : Path.of(warehouse).toAbsolutePath().normalize().toString();
  }
}
