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

package io.keylake.table.evolution;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.format.types.TypeText;
import io.keylake.table.options.StorageKeys;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What holds for the columns and keys of every table, new or changed.
 *
 * <ol>
 *   <li>There is a column; names are not blank, not those of system columns, and no two are equal
 *       but for letter case, in the table and in each nested row.
 *   <li>Key columns exist, occur once, are scalar; not all primary-key columns are partition
 *       columns. Binary partition columns need {@code partition.legacy-name}=false, since the
 *       reference cannot find their folders otherwise.
 *   <li>Defaults are values of their column's type. (Those that another engine stored are left
 *       alone.)
 * </ol>
 *
 * Rule source: table format, rules at table creation. Pinned by {@code TableDefinitionTest}.
 */
final class DefinitionRules {
  private final String table;

  DefinitionRules(String table) {
    this.table = table;
  }

  void check(TableSchema schema) {
    if (schema.fields().isEmpty()) {
      throw invalid("it has no columns. Name at least one");
    }
    for (DataField field : schema.fields()) {
      checkName(field.name());
    }
    checkFields("", schema.fields());
    checkKeys("partition", schema.partitionKeys(), schema);
    checkKeys("primary-key", schema.primaryKeys(), schema);
    checkPartitionTypes(schema);
    if (schema.hasPrimaryKey() && schema.trimmedPrimaryKeys().isEmpty()) {
      throw invalid(
          "all columns of its primary key "
              + schema.primaryKeys()
              + " are partition columns. Add a column to the primary key that tells rows of one"
              + " partition apart");
    }
  }

  /** Checks the defaults of columns, but those that {@code unchanged} has, too. */
  void checkDefaults(List<DataField> columns, List<DataField> unchanged) {
    for (DataField column : columns) {
      if (column.defaultValue() != null && !unchanged.contains(column)) {
        DefaultValue.parse(column.name(), column.type(), column.defaultValue(), ZoneOffset.UTC);
      }
    }
  }

  private void checkName(String name) {
    if (SystemColumns.isReserved(name)) {
      throw invalid("the column name " + name + " is reserved for the format. Choose another name");
    }
  }

  private void checkFields(String parent, List<DataField> fields) {
    Map<String, String> seen = new HashMap<>();
    for (DataField field : fields) {
      String path = parent + field.name();
      if (field.name().isBlank()) {
        throw invalid("a column name is blank. Name every column");
      }
      String other = seen.put(field.name().toLowerCase(Locale.ROOT), field.name());
      if (other != null) {
        throw new InvalidRequestException(
            Condition.KEYLAKE_COLUMN_ALREADY_EXISTS,
            "Invalid definition of table "
                + table
                + ": the column "
                + path
                + " exists already as "
                + parent
                + other
                + ". Names must differ in more than letter case.");
      }
      checkNested(path + ".", field.type());
    }
  }

  private void checkNested(String path, DataType type) {
    switch (type.root()) {
      case ROW -> checkFields(path, ((RowType) type).fields());
      case ARRAY -> checkNested(path, ((ArrayType) type).element());
      case MULTISET -> checkNested(path, ((MultisetType) type).element());
      case MAP -> {
        checkNested(path, ((MapType) type).key());
        checkNested(path, ((MapType) type).value());
      }
      default -> {
        // nothing inside
      }
    }
  }

  private void checkKeys(String kind, List<String> keys, TableSchema schema) {
    Set<String> seen = new HashSet<>();
    for (String key : keys) {
      DataField column =
          schema
              .rowType()
              .field(key)
              .orElseThrow(() -> unknownColumn(kind + " column", key, schema));
      if (!seen.add(key)) {
        throw invalid("the " + kind + " column " + key + " is named twice. Name it once");
      }
      TypeRoot root = column.type().root();
      if (root.isNested() || root == TypeRoot.VARIANT || root == TypeRoot.BLOB) {
        throw invalid(
            "the "
                + kind
                + " column "
                + key
                + " has the type "
                + TypeText.of(column.type())
                + ". Keys need a scalar type");
      }
    }
  }

  private void checkPartitionTypes(TableSchema schema) {
    for (DataField column : schema.partitionType().fields()) {
      TypeRoot root = column.type().root();
      if ((root == TypeRoot.BINARY || root == TypeRoot.VARBINARY)
          && StorageKeys.PARTITION_LEGACY_NAME.read(schema.options())) {
        throw invalid(
            "the partition column "
                + column.name()
                + " of type "
                + TypeText.of(column.type())
                + " has no folder name that other engines find. Set "
                + StorageKeys.PARTITION_LEGACY_NAME.name()
                + "=false or partition by another column");
      }
    }
  }

  InvalidRequestException unknownColumn(String what, String name, TableSchema schema) {
    return new InvalidRequestException(
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        "Invalid definition of table "
            + table
            + ": the "
            + what
            + " "
            + name
            + " does not exist. Its columns are "
            + schema.rowType().names()
            + ".");
  }

  InvalidRequestException invalid(String problem) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
        "Invalid definition of table " + table + ": " + problem + ".");
  }
}
