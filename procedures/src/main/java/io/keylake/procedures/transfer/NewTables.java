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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.procedures.call.Arguments;
import io.keylake.spark.KeylakeTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Makes the tables that procedures fill; one that cannot be filled is dropped again. */
final class NewTables {
  static final String PROVIDER = "keylake";

  private NewTables() {}

  /** What fills a new table. */
  @FunctionalInterface
  interface Work {
    void fill(KeylakeTable table);
  }

  /** The name of a new table. */
  static String text(Identifier identifier) {
    return String.join(".", identifier.namespace()) + "." + identifier.name();
  }

  /** Fails when there is a table of the name. */
  static void checkNew(Arguments arguments, Identifier identifier) {
    if (arguments.catalog().tableExists(identifier)) {
      throw exists(identifier, null);
    }
  }

  private static InvalidRequestException exists(
      Identifier identifier, @Nullable TableAlreadyExistsException cause) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "There is a table " + text(identifier) + " already. Name another target_table.",
        cause);
  }

  /** Makes an append table of these columns and fills it. */
  static void fill(
      TableCatalog catalog,
      Identifier identifier,
      Columns columns,
      Map<String, String> options,
      Work work) {
    Map<String, String> properties = new HashMap<>(options);
    properties.put(TableCatalog.PROP_PROVIDER, PROVIDER);
    if (columns.comment() != null) {
      properties.put(TableCatalog.PROP_COMMENT, columns.comment());
    }
    Transform[] partitions =
        columns.partitions().stream().map(Expressions::identity).toArray(Transform[]::new);
    TableInfo.Builder builder = new TableInfo.Builder().withPartitions(partitions);
    builder.withSchema(columns.all());
    builder.withProperties(properties);
    fill(catalog, identifier, () -> catalog.createTable(identifier, builder.build()), work);
  }

  /**
   * The columns of a new table.
   *
   * @param all in order
   * @param partitions names of those it is partitioned by
   * @param comment of the table; null = none
   */
  record Columns(StructType all, List<String> partitions, @Nullable String comment) {}

  /** Makes a table like another one and fills it. */
  static void fillLike(
      TableCatalog catalog, Identifier identifier, KeylakeTable source, Work work) {
    Map<String, String> properties = new HashMap<>();
    properties.put(TableCatalog.PROP_PROVIDER, PROVIDER);
    String comment = source.pinned().schema().comment();
    if (comment != null) {
      properties.put(TableCatalog.PROP_COMMENT, comment);
    }
    TableInfo.Builder builder =
        new TableInfo.Builder()
            .withPartitions(source.partitioning())
            .withConstraints(source.constraints());
    builder.withColumns(source.columns());
    builder.withProperties(properties);
    fill(
        catalog,
        identifier,
        () -> catalog.createTableLike(identifier, builder.build(), source),
        work);
  }

  /** Makes a table. */
  @FunctionalInterface
  private interface Creation {
    Table create() throws TableAlreadyExistsException, NoSuchNamespaceException;
  }

  private static void fill(
      TableCatalog catalog, Identifier identifier, Creation creation, Work work) {
    try {
      creation.create();
    } catch (TableAlreadyExistsException e) {
      throw exists(identifier, e);
    } catch (NoSuchNamespaceException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_NOT_FOUND,
          "There is no namespace for the table " + text(identifier) + ". Create it first.",
          e);
    }
    boolean filled = false;
    try {
      work.fill(load(catalog, identifier));
      filled = true;
    } finally {
      if (!filled) {
        catalog.dropTable(identifier);
      }
    }
  }

  private static KeylakeTable load(TableCatalog catalog, Identifier identifier) {
    try {
      return (KeylakeTable) catalog.loadTable(identifier);
    } catch (NoSuchTableException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "The new table " + text(identifier) + " was dropped by somebody. Run the call again.",
          e);
    }
  }
}
