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
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TypeJson;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.spark.convert.SparkTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Types that Spark's DDL has no name for: the property {@code column-type.<column>} of a new table
 * gives the type as its schema stores it, such as {@code TIMESTAMP(3)}. The column itself is
 * declared as Spark reads that type. The property is not stored.
 */
final class DeclaredTypes {
  private static final String PREFIX = "column-type.";

  private final Map<String, DataType> types;
  private final String table;

  private DeclaredTypes(Map<String, DataType> types, String table) {
    this.types = types;
    this.table = table;
  }

  /** Takes the types out of {@code options}; {@code table} is its name, for messages. */
  static DeclaredTypes taken(Map<String, String> options, String table) {
    Map<String, DataType> types = new TreeMap<>();
    options.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX)) {
            types.put(
                key.substring(PREFIX.length()).toLowerCase(Locale.ROOT),
                TypeJson.read(value, "the property '" + key + "' of table " + table));
          }
        });
    options.keySet().removeIf(key -> key.startsWith(PREFIX));
    return new DeclaredTypes(types, table);
  }

  /** The columns with their types. */
  List<DataField> of(List<DataField> columns) {
    List<DataField> declared = new ArrayList<>();
    for (DataField column : columns) {
      DataType type = types.remove(column.name().toLowerCase(Locale.ROOT));
      declared.add(type == null ? column : typed(column, type));
    }
    if (!types.isEmpty()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_COLUMN_NOT_FOUND,
          "Table "
              + table
              + " has the property '"
              + PREFIX
              + types.keySet().iterator().next()
              + "', but no such column. Leave it out.");
    }
    return List.copyOf(declared);
  }

  private DataField typed(DataField column, DataType type) {
    String read = SparkTypes.toSpark(column.name(), type).catalogString();
    if (!read.equals(SparkTypes.toSpark(column.name(), column.type()).catalogString())) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_TABLE_DEFINITION,
          "Column "
              + column.name()
              + " of table "
              + table
              + " has the property '"
              + PREFIX
              + column.name()
              + "' of a type that reads as "
              + read
              + ", but is declared otherwise. Declare it as "
              + read
              + ".");
    }
    return column.withType(column.type().nullable() ? type.asNullable() : type.asNotNull());
  }
}
