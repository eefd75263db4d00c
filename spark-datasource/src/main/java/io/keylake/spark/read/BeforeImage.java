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

package io.keylake.spark.read;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import java.util.List;

/**
 * What row-level statements keep of a row as it was: a metadata column of type STRUCT.
 *
 * <ol>
 *   <li>Engine deduplicate: the sequence fields, so that the new row is not older than the one it
 *       replaces, and columns that are NOT NULL, so that a delete can be stored.
 *   <li>Other engines: all columns, so that it can be told whether a row folds to what is wanted.
 *   <li>Columns of the primary key are not in it. When nothing is left there is no such column.
 * </ol>
 */
public final class BeforeImage {
  /** The name of the metadata column. */
  public static final String NAME = "_before";

  private BeforeImage() {}

  /** The table's columns that are in it, in the order of the table. */
  public static List<DataField> columns(TableSchema schema) {
    if (!schema.hasPrimaryKey()) {
      return List.of();
    }
    MergeOptions merge = TableOptions.of(schema).merge();
    return schema.fields().stream()
        .filter(field -> !schema.primaryKeys().contains(field.name()))
        .filter(field -> isNeeded(field, merge))
        .toList();
  }

  private static boolean isNeeded(DataField field, MergeOptions merge) {
    return switch (merge.engine()) {
      case DEDUPLICATE -> !field.type().nullable() || merge.sequenceFields().contains(field.name());
      case FIRST_ROW, PARTIAL_UPDATE, AGGREGATION -> true;
    };
  }
}
