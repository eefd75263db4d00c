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

package io.keylake.spark;

import io.keylake.spark.convert.SparkErrors;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsCatalogOptions;
import org.apache.spark.sql.connector.catalog.SupportsV1OverwriteWithSaveAsTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code keylake}: tables by their path, without a catalog.
 *
 * <pre>{@code
 * spark.read.format("keylake").load("/data/orders")
 * df.write.format("keylake").save("/data/orders")
 * }</pre>
 */
public class KeylakeSource
    implements SupportsCatalogOptions, SupportsV1OverwriteWithSaveAsTable, DataSourceRegister {
  @Override
  public String shortName() {
    return "keylake";
  }

  @Override
  public Identifier extractIdentifier(CaseInsensitiveStringMap options) {
    return SparkErrors.translating(
        () -> {
          PathTables.path(options);
          return new PathIdentifier(options);
        });
  }

  /** Registers {@link PathCatalog} in the session. */
  @Override
  public String extractCatalog(CaseInsensitiveStringMap options) {
    SparkSession.active()
        .conf()
        .set("spark.sql.catalog." + PathCatalog.NAME, PathCatalog.class.getName());
    return PathCatalog.NAME;
  }

  /** The version is among the options of the identifier. */
  @Override
  public Optional<String> extractTimeTravelVersion(CaseInsensitiveStringMap options) {
    return Optional.empty();
  }

  /** The time is among the options of the identifier. */
  @Override
  public Optional<String> extractTimeTravelTimestamp(CaseInsensitiveStringMap options) {
    return Optional.empty();
  }

  /** Spark asks for streams; reads and writes in batches go through the catalog. */
  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return PathTables.streamColumns(options);
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return PathTables.streamTable(new CaseInsensitiveStringMap(properties));
  }
}
