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
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.KeylakeException;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.evolution.TableDefinition;
import io.keylake.table.options.CompactionKeys;
import io.keylake.table.options.EngineKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.catalog.constraints.PrimaryKey;
import org.apache.spark.sql.connector.expressions.ClusterByTransform;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.Transform;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a CREATE or REPLACE statement asks for.
 *
 * <ol>
 *   <li>The primary key is the {@code PRIMARY KEY} constraint, partition columns come from {@code
 *       PARTITIONED BY}; the properties {@code primary-key} and {@code partition} say the same.
 *   <li>{@code CLUSTER BY} says the same as the property {@code clustering.columns}.
 *   <li>Only identity partitioning exists; only the primary key is kept of all constraints.
 *   <li>What Spark adds to the properties (provider, location, table type, copies of options) is
 *       checked and left out; the owner is kept.
 *   <li>{@code column-type.<column>} is the stored type of a column, see {@link DeclaredTypes}.
 *   <li>{@code table-default.<key>} options of the catalog fill in what the statement leaves open.
 * </ol>
 */
final class RequestedTable {
  private static final Set<String> PROVIDERS = Set.of("keylake", "paimon");
  private static final String PATH = "path";

  private static final String CLUSTERING_COLUMNS = CompactionKeys.CLUSTERING_COLUMNS.name();

  /** Options that name columns; they are stored as the columns are spelled. */
  private static final List<String> COLUMN_OPTIONS =
      List.of("bucket-key", "sequence.field", "rowkind.field", CLUSTERING_COLUMNS);

  private final String name;
  private final TableInfo statement;
  private final Map<String, String> options;

  private RequestedTable(String name, TableInfo statement, Map<String, String> defaults) {
    this.name = name;
    this.statement = statement;
    this.options = new HashMap<>(defaults);
    this.options.putAll(statement.properties());
  }

  /** Whether tables of this provider are ours. */
  static boolean isOurs(@Nullable String provider) {
    return provider != null && PROVIDERS.contains(provider.toLowerCase(Locale.ROOT));
  }

  /**
   * The definition of the table.
   *
   * @param name of the table, for messages
   * @param location where the table will be
   * @param defaults options for what the statement leaves open
   */
  static TableDefinition definition(
      String name, TableInfo statement, Location location, Map<String, String> defaults) {
    return new RequestedTable(name, statement, defaults).definition(location);
  }

  private TableDefinition definition(Location location) {
    String comment = options.remove(TableCatalog.PROP_COMMENT);
    removeWhatSparkAdds(location);
    List<String> primaryKey = primaryKeyColumns();
    cluster(primaryKey);
    spellColumnOptions();
    List<DataField> columns =
        DeclaredTypes.taken(options, name).of(SparkTypes.toFields(statement.columns()));
    return new TableDefinition(columns, partitionColumns(), primaryKey, options, comment);
  }

  private void removeWhatSparkAdds(Location location) {
    String provider = options.remove(TableCatalog.PROP_PROVIDER);
    if (provider != null && !isOurs(provider)) {
      throw invalid(
          "asks for the provider "
              + provider
              + ". This catalog has tables of the provider keylake only: leave USING out.");
    }
    checkLocation(options.remove(TableCatalog.PROP_LOCATION), location);
    checkLocation(options.remove(PATH), location);
    if ("true".equalsIgnoreCase(options.remove(TableCatalog.PROP_EXTERNAL))) {
      throw unsupported("cannot be EXTERNAL: its place follows from its name.");
    }
    options.remove(TableCatalog.PROP_IS_MANAGED_LOCATION);
    options.remove(TableCatalog.PROP_TABLE_TYPE);
    String collation = options.remove(TableCatalog.PROP_COLLATION);
    if (collation != null && !collation.equalsIgnoreCase("UTF8_BINARY")) {
      throw unsupported(
          "asks for the default collation "
              + collation
              + ", which the table format cannot store. Use UTF8_BINARY and COLLATE in queries.");
    }
    options.keySet().removeIf(key -> key.startsWith(TableCatalog.OPTION_PREFIX));
  }

  private void checkLocation(@Nullable String written, Location location) {
    if (written != null && !Locations.same(written, location)) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_FORBIDDEN_PATH,
          "Table "
              + name
              + " cannot be at "
              + written
              + ": its place in this catalog is "
              + location
              + ". Leave LOCATION out, or write to the path with df.write.format(\"keylake\").");
    }
  }

  private void spellColumnOptions() {
    List<String> names = Arrays.stream(statement.columns()).map(Column::name).toList();
    for (String key : COLUMN_OPTIONS) {
      options.computeIfPresent(
          key,
          (option, written) ->
              Arrays.stream(written.split(","))
                  .map(part -> spelled(names, part.strip()))
                  .collect(Collectors.joining(",")));
    }
  }

  private static String spelled(List<String> names, String written) {
    return names.contains(written)
        ? written
        : names.stream().filter(written::equalsIgnoreCase).findFirst().orElse(written);
  }

  /** {@code CLUSTER BY} is how compaction sorts; partitions have no part in it. */
  private void cluster(List<String> primaryKey) {
    for (Transform transform : statement.partitions()) {
      if (!(transform instanceof ClusterByTransform)) {
        continue;
      }
      if (!primaryKey.isEmpty() || options.containsKey(EngineKeys.PRIMARY_KEY.name())) {
        throw unsupported(
            "has a primary key and cannot be CLUSTERED BY columns: its rows are sorted by the key."
                + " Leave CLUSTER BY out.");
      }
      List<String> columns = new ArrayList<>();
      for (NamedReference column : transform.references()) {
        columns.add(single(column));
      }
      if (options.put(CLUSTERING_COLUMNS, String.join(",", columns)) != null) {
        throw invalid(
            "has both CLUSTER BY and the property '" + CLUSTERING_COLUMNS + "'. Use one of them.");
      }
    }
  }

  private List<String> partitionColumns() {
    List<String> columns = new ArrayList<>();
    for (Transform transform : statement.partitions()) {
      if (transform instanceof ClusterByTransform) {
        continue;
      }
      if (!transform.name().equals("identity")) {
        throw unsupported(
            "cannot be partitioned by "
                + transform.describe()
                + ": partitions are equal values of columns. Add a column with that value"
                + bucketAdvice(transform)
                + ".");
      }
      columns.add(single(transform.references()[0]));
    }
    return columns;
  }

  private static String bucketAdvice(Transform transform) {
    return transform.name().contains("bucket")
        ? ", or use TBLPROPERTIES ('bucket' = '<n>', 'bucket-key' = '<columns>')"
        : "";
  }

  private List<String> primaryKeyColumns() {
    List<String> columns = new ArrayList<>();
    for (Constraint constraint : statement.constraints()) {
      if (!(constraint instanceof PrimaryKey key)) {
        throw unsupported(
            "cannot have the constraint "
                + constraint.toDDL()
                + ": the table format keeps a primary key only. Leave the constraint out.");
      }
      for (NamedReference column : key.columns()) {
        columns.add(single(column));
      }
    }
    return columns;
  }

  private String single(NamedReference reference) {
    String[] parts = reference.fieldNames();
    if (parts.length != 1) {
      throw invalid(
          "uses the nested field "
              + String.join(".", parts)
              + " as a key, partition or clustering column. Use a top-level column.");
    }
    return parts[0];
  }

  private KeylakeException invalid(String problem) {
    return SparkErrors.failure(
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION, "Table " + name + " " + problem);
  }

  private KeylakeException unsupported(String problem) {
    return SparkErrors.failure(
        Condition.KEYLAKE_UNSUPPORTED_FEATURE, "Table " + name + " " + problem);
  }
}
