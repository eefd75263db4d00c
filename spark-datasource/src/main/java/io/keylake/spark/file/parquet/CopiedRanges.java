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

package io.keylake.spark.file.parquet;

import io.keylake.format.row.ValueComparator;
import io.keylake.format.types.DataType;
import io.keylake.spark.file.encode.ColumnRange;
import io.keylake.spark.file.encode.StoredColumn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of the row groups that were copied into the open file, joined with those of the rows
 * that were encoded. Rows whose bounds are not known void those of the file. For one thread.
 */
final class CopiedRanges {
  private final List<StoredColumn> columns;
  private final @Nullable ColumnRange[] ranges;
  private long rows;

  CopiedRanges(List<StoredColumn> columns) {
    this.columns = columns;
    this.ranges = new ColumnRange[columns.size()];
  }

  void clear() {
    rows = 0;
  }

  void add(RowGroup group) {
    for (int i = 0; i < ranges.length; i++) {
      ColumnRange added = group.range(i);
      ColumnRange known = ranges[i];
      if (added != null) {
        ranges[i] =
            rows == 0 || known == null ? added : joined(i, known, rows, added, group.rows());
      }
    }
    rows += group.rows();
  }

  /**
   * The ranges of the whole file.
   *
   * @param encoded the ranges of {@code encodedRows} rows that were encoded
   */
  List<@Nullable ColumnRange> with(List<@Nullable ColumnRange> encoded, long encodedRows) {
    if (rows == 0) {
      return encoded;
    }
    List<@Nullable ColumnRange> all = new ArrayList<>();
    for (int i = 0; i < ranges.length; i++) {
      ColumnRange added = encoded.get(i);
      ColumnRange known = ranges[i];
      all.add(added == null || known == null ? null : joined(i, known, rows, added, encodedRows));
    }
    return all;
  }

  private ColumnRange joined(
      int column, ColumnRange left, long leftRows, ColumnRange right, long rightRows) {
    long nulls = left.nullCount() + right.nullCount();
    if (left.nullCount() == leftRows) {
      return new ColumnRange(right.min(), right.max(), nulls);
    }
    if (right.nullCount() == rightRows) {
      return new ColumnRange(left.min(), left.max(), nulls);
    }
    Object leftMin = left.min();
    Object leftMax = left.max();
    Object rightMin = right.min();
    Object rightMax = right.max();
    if (leftMin == null || leftMax == null || rightMin == null || rightMax == null) {
      return new ColumnRange(null, null, nulls);
    }
    DataType type = columns.get(column).field().type();
    Comparator<Object> order = ValueComparator.of(type);
    return new ColumnRange(
        order.compare(rightMin, leftMin) < 0 ? rightMin : leftMin,
        order.compare(rightMax, leftMax) > 0 ? rightMax : leftMax,
        nulls);
  }
}
