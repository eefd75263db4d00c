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

package io.keylake.spark.conf;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;

/**
 * What row-level statements on primary-key tables need of a row as it was: metadata columns of type
 * STRUCT. Columns of the primary key are never in them; an image that would be empty does not
 * exist.
 */
public enum BeforeImage {
  /**
   * What a delete must be stored with: the sequence fields, so that it is not older than the row,
   * the partition columns, and columns that are NOT NULL.
   */
  KEPT("_before", "Columns of the row as it was that a delete is stored with"),
  /**
   * All columns: for engines that compute rows, since only with the old row can be told whether a
   * record folds to what the statement wants, and where the changelog gets rows as they were.
   */
  WHOLE("_before_row", "The row as it was, but for its key");

  private final String columnName;
  private final String comment;

  BeforeImage(String columnName, String comment) {
    this.columnName = columnName;
    this.comment = comment;
  }

  /** The name of the metadata column. */
  public String columnName() {
    return columnName;
  }

  /** What the metadata column is. */
  public String comment() {
    return comment;
  }

  /** The image of this name. */
  public static Optional<BeforeImage> named(String name) {
    return Arrays.stream(values()).filter(image -> image.columnName.equals(name)).findFirst();
  }

  /** The image that a statement needs; empty = nothing but the key. */
  public static Optional<BeforeImage> of(TableSchema schema, Command command) {
    MergeOptions merge = TableOptions.of(schema).merge();
    boolean isWhole = tellsImages(merge) || merge.computesRows() && command != Command.DELETE;
    BeforeImage image = isWhole ? WHOLE : KEPT;
    return image.columns(schema).isEmpty() ? Optional.empty() : Optional.of(image);
  }

  /** The table's columns that are in it, in the order of the table. */
  public List<DataField> columns(TableSchema schema) {
    if (!schema.hasPrimaryKey()) {
      return List.of();
    }
    MergeOptions merge = TableOptions.of(schema).merge();
    if (this == WHOLE && !merge.computesRows() && !tellsImages(merge)) {
      return List.of();
    }
    return schema.fields().stream()
        .filter(field -> !schema.primaryKeys().contains(field.name()))
        .filter(
            field ->
                this == WHOLE
                    || schema.partitionKeys().contains(field.name())
                    || isKept(field, merge))
        .toList();
  }

  private static boolean tellsImages(MergeOptions merge) {
    return merge.changelogProducer() == MergeOptions.ChangelogProducer.INPUT;
  }

  private static boolean isKept(DataField field, MergeOptions merge) {
    return !field.type().nullable() || merge.sequenceFields().contains(field.name());
  }
}
