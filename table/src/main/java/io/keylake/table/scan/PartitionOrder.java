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

package io.keylake.table.scan;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.ValueComparator;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of partitions by the values of their columns, first column first, NULL first. */
public final class PartitionOrder implements Comparator<BinaryRow> {
  private final BinaryRowCodec codec;
  private final List<Comparator<Object>> columns = new ArrayList<>();

  /** The order of partitions with these columns. */
  public PartitionOrder(RowType type) {
    this.codec = BinaryRowCodec.of(type);
    for (DataField column : type.fields()) {
      columns.add(ValueComparator.of(column.type()));
    }
  }

  @Override
  public int compare(BinaryRow left, BinaryRow right) {
    if (left.equals(right)) {
      return 0;
    }
    List<@Nullable Object> leftValues = codec.decode(left);
    List<@Nullable Object> rightValues = codec.decode(right);
    for (int i = 0; i < columns.size(); i++) {
      int order = compare(columns.get(i), leftValues.get(i), rightValues.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compare(
      Comparator<Object> values, @Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      return Boolean.compare(left != null, right != null);
    }
    return values.compare(left, right);
  }
}
