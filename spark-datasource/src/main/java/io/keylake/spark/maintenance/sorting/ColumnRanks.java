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

package io.keylake.spark.maintenance.sorting;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.math.Ordering;

/**
 * Numbers for the values of one column: a value's share of the sampled values below it, in as many
 * steps as a {@link Curve} has cells. So each cell has about as many rows as another, whatever the
 * values are like. NULL comes first. Immutable, for many threads.
 */
final class ColumnRanks implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long LAST = (1L << Curve.BITS) - 1;

  private final DataType type;
  private final Object[] sorted;
  private transient volatile @Nullable Ordering<Object> order;

  private ColumnRanks(DataType type, Object[] sorted) {
    this.type = type;
    this.sorted = sorted;
  }

  /** Of the values that a column has in sampled rows. */
  static ColumnRanks of(DataType type, int column, List<InternalRow> sample) {
    Object[] values =
        sample.stream()
            .filter(row -> !row.isNullAt(column))
            .map(row -> row.get(column, type))
            .toArray();
    ColumnRanks ranks = new ColumnRanks(type, values);
    Arrays.sort(values, ranks.order());
    return ranks;
  }

  @SuppressWarnings("unchecked")
  private Ordering<Object> order() {
    Ordering<Object> known = order;
    if (known == null) {
      known = (Ordering<Object>) (Ordering<?>) TypeUtils.getInterpretedOrdering(type);
      order = known;
    }
    return known;
  }

  int rank(InternalRow row, int column) {
    if (row.isNullAt(column)) {
      return 0;
    }
    Object value = row.get(column, type);
    Ordering<Object> compare = order();
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare.compare(sorted[middle], value) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return (int) (1 + low * (LAST - 1) / Math.max(1, sorted.length));
  }
}
