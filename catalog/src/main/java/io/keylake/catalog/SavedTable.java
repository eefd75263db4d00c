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

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.evolution.TableDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.internal.SQLConf;

/**
 * What {@code df.write.mode("overwrite").saveAsTable(name)} makes of a table that exists.
 *
 * <ol>
 *   <li>Primary key, partition columns, options and comment stay; partitionBy replaces the
 *       partition columns.
 *   <li>Columns are those of the frame, in its order. One that the table has, too, with that type,
 *       stays as the table declares it.
 *   <li>When the columns stay as they are, only the rows are replaced.
 * </ol>
 *
 * <p>A frame that names no format asks for Spark's default source, which no table here has.
 */
final class SavedTable {
  private final TableSchema existing;
  private final TableInfo frame;
  private final List<DataField> columns;

  SavedTable(TableSchema existing, TableInfo frame) {
    this.existing = existing;
    this.frame = frame;
    this.columns = SparkTypes.toFields(frame.columns()).stream().map(this::kept).toList();
  }

  /** Whether the statement is one of a frame whose format was left open. */
  static boolean namesNoFormat(TableInfo statement) {
    String provider = statement.properties().get(TableCatalog.PROP_PROVIDER);
    return provider != null
        && !RequestedTable.isOurs(provider)
        && provider.equalsIgnoreCase(SQLConf.get().defaultDataSourceName());
  }

  private DataField kept(DataField saved) {
    return existing.fields().stream()
        .filter(field -> field.name().equalsIgnoreCase(saved.name()))
        .filter(field -> holds(field.type(), saved.type()))
        .findFirst()
        .orElse(saved);
  }

  private static boolean holds(DataType declared, DataType saved) {
    boolean areText = isText(declared) && isText(saved);
    return areText || declared.asNullable().equals(saved.asNullable());
  }

  private static boolean isText(DataType type) {
    return type.root() == TypeRoot.CHAR || type.root() == TypeRoot.VARCHAR;
  }

  /** Whether only rows are replaced. */
  boolean keepsDefinition() {
    return columns.equals(existing.fields()) && partitions().equals(existing.partitionKeys());
  }

  private List<String> partitions() {
    List<String> asked =
        Arrays.stream(frame.partitions())
            .map(Transform::references)
            .map(references -> references[0].fieldNames()[0])
            .toList();
    return asked.isEmpty() ? existing.partitionKeys() : asked;
  }

  /** The definition that follows; {@code options} are those of the table. */
  TableDefinition definition(Map<String, String> options) {
    return new TableDefinition(
        columns, partitions(), existing.primaryKeys(), options, existing.comment());
  }
}
