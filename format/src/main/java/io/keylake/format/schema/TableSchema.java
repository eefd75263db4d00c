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

package io.keylake.format.schema;

import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One version of a table's definition: the content of {@code schema/schema-<id>}.
 *
 * @param version version of the file's layout; 3 is written
 * @param id the number in the file's name
 * @param fields the columns in order
 * @param highestFieldId the largest field id ever used, nested ones included; never decreases
 * @param partitionKeys partition columns in order
 * @param primaryKeys primary-key columns as declared, partition columns included; empty for an
 *     append table
 * @param options the table's options as stored
 * @param comment the table's comment, null when there is none
 * @param timeMillis when this version was made, milliseconds since the epoch
 * @param unknown JSON keys this version does not know
 */
public record TableSchema(
    int version,
    long id,
    List<DataField> fields,
    int highestFieldId,
    List<String> partitionKeys,
    List<String> primaryKeys,
    Map<String, String> options,
    @Nullable String comment,
    long timeMillis,
    UnknownKeys unknown)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The version of the layout that is written. */
  public static final int CURRENT_VERSION = 3;

  /** Copies the collections. */
  public TableSchema {
    fields = List.copyOf(fields);
    partitionKeys = List.copyOf(partitionKeys);
    primaryKeys = List.copyOf(primaryKeys);
    options = Map.copyOf(options);
  }

  /** The columns as a row. */
  public RowType rowType() {
    return RowType.of(fields);
  }

  /** The partition columns as a row, in partition-key order. */
  public RowType partitionType() {
    return rowType().project(partitionKeys);
  }

  /**
   * The primary-key columns that are no partition columns, in primary-key order: what files are
   * sorted by.
   */
  public List<String> trimmedPrimaryKeys() {
    return primaryKeys.stream().filter(key -> !partitionKeys.contains(key)).toList();
  }

  /**
   * The trimmed primary key as a row; the ids are those of the columns, not of {@code _KEY_}
   * columns.
   */
  public RowType keyType() {
    return rowType().project(trimmedPrimaryKeys());
  }

  /** Whether the table has a primary key. */
  public boolean hasPrimaryKey() {
    return !primaryKeys.isEmpty();
  }
}
