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

package io.keylake.spark.merge.function.nested;

import io.keylake.format.types.MapType;
import io.keylake.spark.merge.function.FoldedColumn;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Maps to rows of which, key by key, the one with the latest time stays. Times are texts.
 *
 * <ol>
 *   <li>A NULL row removes the key.
 *   <li>A row whose time is NULL is passed over.
 *   <li>Another row takes the place of the one that is there when that one is NULL, has no time or
 *       an earlier one; at equal times the one that is there stays.
 *   <li>The first map of a table row is taken as it is.
 *   <li>There is no retraction.
 * </ol>
 *
 * Example: {@code {p=(x, '2'), q=(y, '1')}} and {@code {p=(z, '1'), q=NULL}} give {@code {p=(x,
 * '2')}}.
 *
 * <p>Rule source: table behaviour, aggregate functions, merge_map_with_keytime. Pinned by {@code
 * MapFoldsTest}.
 */
final class TimedMapRules implements ElementRules {
  private static final int REMOVED = -1;

  private final FoldedColumn column;
  private final int timeField;
  private final ElementIndex index;
  private WritableColumnVector[] rows = {};

  /**
   * Rules for maps of {@code type}.
   *
   * @param timeField position, in the row, of the time
   */
  TimedMapRules(FoldedColumn column, MapType type, int timeField) {
    this.column = column;
    this.timeField = timeField;
    this.index = new ElementIndex(List.of(type.key()));
  }

  @Override
  public void open(WritableColumnVector values) {
    index.open(values.getChild(0));
    rows = new WritableColumnVector[] {values.getChild(1)};
  }

  @Override
  public void add(Elements accumulator, Elements input) {
    index.clear();
    for (int i = 0; i < accumulator.size(); i++) {
      index.intern(accumulator.get(i));
    }
    for (int i = 0; i < input.size(); i++) {
      put(accumulator, input.get(i));
    }
    int kept = 0;
    for (int i = 0; i < accumulator.size(); i++) {
      if (accumulator.get(i) != REMOVED) {
        accumulator.set(kept++, accumulator.get(i));
      }
    }
    accumulator.truncate(kept);
  }

  private void put(Elements accumulator, int item) {
    if (rows[0].isNullAt(item)) {
      int position = index.find(item);
      if (position != ElementIndex.ABSENT) {
        accumulator.set(position, REMOVED);
      }
    } else if (hasTime(item)) {
      int position = index.intern(item);
      if (position == accumulator.size()) {
        accumulator.add(item);
      } else if (isEarlier(accumulator.get(position), item)) {
        accumulator.set(position, item);
      }
    }
  }

  private boolean isEarlier(int present, int item) {
    return present == REMOVED
        || !hasTime(present)
        || times().getUTF8String(present).compareTo(times().getUTF8String(item)) < 0;
  }

  private boolean hasTime(int item) {
    return !rows[0].isNullAt(item) && !times().isNullAt(item);
  }

  private WritableColumnVector times() {
    return rows[0].getChild(timeField);
  }

  @Override
  public void requireRetraction() {
    throw column.cannotRetract();
  }

  @Override
  public void retract(Elements accumulator, Elements input) {
    requireRetraction();
  }
}
