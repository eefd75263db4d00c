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

package io.keylake.spark.sort;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.sort.SortColumn.Direction;
import io.keylake.table.options.MergeOptions;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What the rows of one bucket are ordered by, before their sequence number.
 *
 * <ol>
 *   <li>The trimmed primary key: numbers and times by value, false before true, text and bytes by
 *       unsigned bytes, floating-point numbers with NaN last and both zeroes equal.
 *   <li>The user's sequence fields. NULL comes first; descending fields turn the order of values,
 *       so that the row that wins is always the last.
 *   <li>Append tables have neither: rows stay in the order of arrival.
 * </ol>
 *
 * Rule source: table format, key comparison and sequence.field; pinned by {@code
 * SortBufferSparkTest}.
 *
 * @param arity the number of fields of a row
 * @param keys the columns of the key
 * @param sequence the user's sequence fields
 */
public record SortOrder(int arity, List<SortColumn> keys, List<SortColumn> sequence)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the lists. */
  public SortOrder {
    keys = List.copyOf(keys);
    sequence = List.copyOf(sequence);
  }

  /** The order of a table's rows. */
  public static SortOrder of(TableSchema schema, MergeOptions options) {
    Direction direction =
        switch (options.sequenceOrder()) {
          case ASCENDING -> Direction.ASCENDING;
          case DESCENDING -> Direction.DESCENDING;
        };
    List<String> keys = schema.hasPrimaryKey() ? schema.trimmedPrimaryKeys() : List.of();
    List<String> sequence = schema.hasPrimaryKey() ? options.sequenceFields() : List.of();
    return new SortOrder(
        schema.fields().size(),
        columns(schema, keys, Direction.ASCENDING),
        columns(schema, sequence, direction));
  }

  /** All columns of the primary key, those of the partition among them, and no sequence. */
  public static SortOrder ofPrimaryKey(TableSchema schema) {
    return new SortOrder(
        schema.fields().size(),
        columns(schema, schema.primaryKeys(), Direction.ASCENDING),
        List.of());
  }

  /** The order of the first column of rows, a BIGINT. */
  public static SortOrder ofFirstLong(int arity) {
    return new SortOrder(
        arity, List.of(new SortColumn(0, SortColumn.Form.LONG, Direction.ASCENDING)), List.of());
  }

  /** The same keys, their rows in the order of writing. */
  public SortOrder byWriting() {
    return new SortOrder(arity, keys, List.of());
  }

  private static List<SortColumn> columns(
      TableSchema schema, List<String> names, Direction direction) {
    List<SortColumn> columns = new ArrayList<>();
    for (String name : names) {
      int ordinal = schema.rowType().indexOf(name);
      DataField field = schema.fields().get(ordinal);
      columns.add(SortColumn.of(field, ordinal, direction));
    }
    return columns;
  }
}
