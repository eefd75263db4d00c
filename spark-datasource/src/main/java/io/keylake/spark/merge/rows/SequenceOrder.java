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

package io.keylake.spark.merge.rows;

import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.vector.ValueOrder;
import io.keylake.table.options.MergeOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Which of two versions of a key is newer.
 *
 * <ol>
 *   <li>The sequence fields of the table, in order: the larger value is newer, or the smaller one
 *       where the table says {@code descending}; NULL is older than any value both ways.
 *   <li>Then the sequence number.
 *   <li>Then the run, which the caller compares.
 * </ol>
 *
 * Rule source: table format, sequence.field. Pinned by {@code MaskModelTest}.
 */
public final class SequenceOrder {
  private final List<DataField> columns;
  private final List<ValueOrder> orders;

  /** The order of versions in a table. */
  public SequenceOrder(TableSchema schema, MergeOptions options) {
    columns = new ArrayList<>(schema.rowType().project(options.sequenceFields()).fields());
    orders = new ArrayList<>();
    for (DataField column : columns) {
      ValueOrder order = ValueOrder.ofSequence(column.type());
      orders.add(
          options.sequenceOrder() == MergeOptions.SortOrder.DESCENDING
              ? (left, leftRow, right, rightRow) -> order.compare(right, rightRow, left, leftRow)
              : order);
    }
    columns.add(SystemColumns.SEQUENCE_NUMBER);
    orders.add(ValueOrder.of(SystemColumns.SEQUENCE_NUMBER.type()));
  }

  /** The columns to read: sequence fields, then the sequence number. */
  public List<DataField> columns() {
    return columns;
  }

  /** Below 0 when the left row is older, above 0 when it is newer, 0 when these cannot tell. */
  public int compare(ColumnVector[] left, int leftRow, ColumnVector[] right, int rightRow) {
    for (int i = 0; i < left.length; i++) {
      boolean leftNull = left[i].isNullAt(leftRow);
      boolean rightNull = right[i].isNullAt(rightRow);
      int order =
          leftNull || rightNull
              ? Boolean.compare(!leftNull, !rightNull)
              : orders.get(i).compare(left[i], leftRow, right[i], rightRow);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
