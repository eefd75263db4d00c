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
import io.keylake.format.fileio.Location;
import io.keylake.spark.convert.SparkErrors;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The options of a catalog: {@code spark.sql.catalog.<name>.<key>}.
 *
 * <ul>
 *   <li>{@code warehouse}: the folder that holds the databases; required
 *   <li>{@code defaultDatabase}: the namespace that is current after {@code USE <catalog>}; {@code
 *       default} unless set
 *   <li>{@code table-default.<option>}: an option that every new table gets unless it sets it
 *   <li>{@code hadoop.<key>}: a setting of the file system
 *   <li>{@code metastore}: {@code filesystem} is the only one
 * </ul>
 *
 * @param warehouse the folder that holds the databases
 * @param defaultDatabase the namespace that is current after {@code USE <catalog>}
 * @param tableDefaults options of new tables
 * @param hadoopSettings settings of the file system
 */
record CatalogOptions(
    Location warehouse,
    String defaultDatabase,
    Map<String, String> tableDefaults,
    Map<String, String> hadoopSettings) {
  private static final String WAREHOUSE = "warehouse";
  private static final String DEFAULT_DATABASE = "defaultDatabase";
  private static final String METASTORE = "metastore";
  private static final String FILE_SYSTEM = "filesystem";
  private static final String TABLE_DEFAULT_PREFIX = "table-default.";
  private static final String HADOOP_PREFIX = "hadoop.";

  CatalogOptions {
    tableDefaults = Map.copyOf(tableDefaults);
    hadoopSettings = Map.copyOf(hadoopSettings);
  }

  /** Reads the options of the catalog {@code name}. */
  static CatalogOptions of(String name, CaseInsensitiveStringMap options) {
    String warehouse = options.get(WAREHOUSE);
    if (warehouse == null || warehouse.isBlank()) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_INVALID_OPTION,
          "The catalog "
              + name
              + " has no warehouse. Set spark.sql.catalog."
              + name
              + ".warehouse to the folder that holds its databases.");
    }
    String metastore = options.getOrDefault(METASTORE, FILE_SYSTEM);
    if (!metastore.toLowerCase(Locale.ROOT).equals(FILE_SYSTEM)) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_UNSUPPORTED_OPTION,
          "The catalog "
              + name
              + " asks for the metastore "
              + metastore
              + ". Only 'filesystem' is supported; remove spark.sql.catalog."
              + name
              + ".metastore.");
    }
    Map<String, String> original = options.asCaseSensitiveMap();
    return new CatalogOptions(
        new Location(warehouse),
        options.getOrDefault(DEFAULT_DATABASE, "default"),
        withPrefix(original, TABLE_DEFAULT_PREFIX),
        withPrefix(original, HADOOP_PREFIX));
  }

  /** A copy of {@code base} with the catalog's own settings of the file system. */
  Configuration configuration(Configuration base) {
    if (hadoopSettings.isEmpty()) {
      return base;
    }
    Configuration configuration = new Configuration(base);
    hadoopSettings.forEach(configuration::set);
    return configuration;
  }

  private static Map<String, String> withPrefix(Map<String, String> options, String prefix) {
    Map<String, String> found = new TreeMap<>();
    options.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            found.put(key.substring(prefix.length()), value);
          }
        });
    return found;
  }
}
