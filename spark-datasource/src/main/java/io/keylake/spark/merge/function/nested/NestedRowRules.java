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

import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Arrays of rows as a table inside the row.
 *
 * <ol>
 *   <li>Without a key, rows are appended.
 *   <li>With a key, a row takes the place of the one with an equal key. Example: {@code [(1, a),
 *       (2, b)]} and {@code [(1, c)]} give {@code [(1, c), (2, b)]}.
 *   <li>NULL rows are dropped. The first array of a table row stays as it is until a second one
 *       comes.
 *   <li>When the accumulator has as many rows as the limit says, NULL rows counted, it stays as it
 *       is, also where keys are equal; else only so many rows of the input are used as it lacks.
 *   <li>Retraction removes the rows whose key, or without a key all of whose fields, equal those of
 *       a row of the input.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions, nested_update. Pinned by {@code
 * ListFoldsTest}.
 */
final class NestedRowRules implements ElementRules {
  private final int[] keys;
  private final boolean keyed;
  private final int limit;
  private final ElementIndex index;
  private WritableColumnVector[] rows = {};

  /**
   * Rules for arrays of {@code row}.
   *
   * @param keys positions of the fields of the key; empty = none
   * @param limit the most rows
   */
  NestedRowRules(RowType row, List<Integer> keys, int limit) {
    this.keyed = !keys.isEmpty();
    this.keys =
        keyed
            ? keys.stream().mapToInt(Integer::intValue).toArray()
            : IntStream.range(0, row.size()).toArray();
    this.limit = limit;
    this.index = new ElementIndex(types(row, this.keys));
  }

  static List<DataType> types(RowType row, int[] fields) {
    return IntStream.of(fields).mapToObj(row::field).map(DataField::type).toList();
  }

  @Override
  public void open(WritableColumnVector values) {
    WritableColumnVector row = values.getChild(0);
    rows = new WritableColumnVector[] {row};
    index.open(IntStream.of(keys).mapToObj(row::getChild).toArray(WritableColumnVector[]::new));
  }

  @Override
  public void add(Elements accumulator, Elements input) {
    int room = limit - accumulator.size();
    if (room <= 0) {
      return;
    }
    index.clear();
    int count = accumulator.size();
    accumulator.truncate(0);
    for (int i = 0; i < count; i++) {
      if (isPresent(accumulator.get(i))) {
        put(accumulator, accumulator.get(i));
      }
    }
    for (int i = 0; i < input.size() && room > 0; i++) {
      if (isPresent(input.get(i))) {
        put(accumulator, input.get(i));
        room--;
      }
    }
  }

  private boolean isPresent(int item) {
    return !rows[0].isNullAt(item);
  }

  /** Rows of the accumulator have the numbers of their keys as positions. */
  private void put(Elements accumulator, int item) {
    int position = keyed ? index.intern(item) : accumulator.size();
    if (position == accumulator.size()) {
      accumulator.add(item);
    } else {
      accumulator.set(position, item);
    }
  }

  @Override
  public void retract(Elements accumulator, Elements input) {
    index.clear();
    for (int i = 0; i < input.size(); i++) {
      if (isPresent(input.get(i))) {
        index.intern(input.get(i));
      }
    }
    int removed = index.size();
    int kept = 0;
    for (int i = 0; i < accumulator.size(); i++) {
      int item = accumulator.get(i);
      if (isPresent(item)) {
        int position = keyed ? index.intern(item) - removed : unkeyedPosition(item, kept);
        if (position >= 0) {
          accumulator.set(position, item);
          kept = Math.max(kept, position + 1);
        }
      }
    }
    accumulator.truncate(kept);
  }

  private int unkeyedPosition(int item, int next) {
    return index.find(item) == ElementIndex.ABSENT ? next : ElementIndex.ABSENT;
  }
}
