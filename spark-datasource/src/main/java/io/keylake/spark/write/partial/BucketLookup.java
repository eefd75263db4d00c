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

package io.keylake.spark.write.partial;

import io.keylake.spark.sort.KeyEquality;
import io.keylake.spark.sort.SortOrder;
import io.keylake.table.options.engine.PartialColumns;
import io.keylake.table.split.Split;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/** Looks keys up in the bucket that they are written to. For one thread. */
public final class BucketLookup implements WithCurrentRows.Lookup {
  private final PartialColumns set;
  private final CurrentRows rows;
  private final IntFunction<List<Split>> splits;
  private final KeyEquality keys;
  private final boolean[] isKey;

  /**
   * A lookup.
   *
   * @param keyColumns positions of the columns that every row gives: key and partition
   * @param splits all rows of the bucket of a group
   */
  public BucketLookup(
      PartialColumns set,
      CurrentRows rows,
      SortOrder order,
      List<Integer> keyColumns,
      IntFunction<List<Split>> splits) {
    this.set = set;
    this.rows = rows;
    this.splits = splits;
    this.keys = new KeyEquality(order);
    this.isKey = new boolean[order.arity()];
    keyColumns.forEach(column -> isKey[column] = true);
  }

  @Override
  public boolean isSameKey(UnsafeRow left, UnsafeRow right) {
    return keys.isSame(left, right);
  }

  @Override
  public @Nullable UnsafeRow[] find(int group, UnsafeRow[] wanted) throws IOException {
    List<Split> bucket = splits.apply(group);
    @Nullable UnsafeRow[] found =
        bucket.isEmpty() ? new UnsafeRow[wanted.length] : rows.find(bucket, wanted);
    for (int key = 0; PartialRules.startsFromNulls(set) && key < found.length; key++) {
      if (found[key] == null) {
        found[key] = nulls(wanted[key]);
      }
    }
    return found;
  }

  /** The key of {@code row}, and NULL for the rest. */
  private UnsafeRow nulls(UnsafeRow row) {
    UnsafeRow empty = row.copy();
    for (int column = 0; column < isKey.length; column++) {
      if (!isKey[column]) {
        empty.setNullAt(column);
      }
    }
    return empty;
  }
}
