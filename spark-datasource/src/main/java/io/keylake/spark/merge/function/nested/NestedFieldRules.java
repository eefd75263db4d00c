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
import io.keylake.format.types.RowType;
import io.keylake.spark.merge.function.FoldedColumn;
import io.keylake.spark.vector.ValueAppender;
import io.keylake.spark.vector.ValueAppenders;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Arrays of rows as a table inside the row whose rows are updated field by field.
 *
 * <ol>
 *   <li>Rows of equal key become one, at the place of the first: each field has its latest value
 *       that is not NULL. Example: {@code [(1, a, NULL)]} and {@code [(1, NULL, b)]} give {@code
 *       [(1, a, b)]}.
 *   <li>NULL rows are dropped. The first array of a table row stays as it is until a second one
 *       comes.
 *   <li>There is no retraction.
 * </ol>
 *
 * A row made of several is an element below 0: its complement is the number of a group of {@code
 * sources}, which names the element of which its key is, then that of each field.
 *
 * <p>Rule source: table behaviour, aggregate functions, nested_partial_update. Pinned by {@code
 * ListFoldsTest}.
 */
final class NestedFieldRules implements ElementRules, ElementCopy {
  private final FoldedColumn column;
  private final int[] keys;
  private final int width;
  private final ElementIndex index;
  private final ValueAppender whole;
  private final ValueAppender[] parts;
  private WritableColumnVector[] rows = {};
  private WritableColumnVector[] fields = {};
  private int[] sources = new int[64];
  private int groups;

  /**
   * Rules for arrays of {@code row}.
   *
   * @param keys positions of the fields of the key
   */
  NestedFieldRules(FoldedColumn column, RowType row, List<Integer> keys) {
    this.column = column;
    this.keys = keys.stream().mapToInt(Integer::intValue).toArray();
    this.width = row.size();
    this.index = new ElementIndex(NestedRowRules.types(row, this.keys));
    this.whole = ValueAppenders.of(column.name(), row, row);
    this.parts =
        row.fields().stream()
            .map(DataField::type)
            .map(type -> ValueAppenders.of(column.name(), type, type))
            .toArray(ValueAppender[]::new);
  }

  @Override
  public void open(WritableColumnVector values) {
    WritableColumnVector row = values.getChild(0);
    rows = new WritableColumnVector[] {row};
    fields = IntStream.range(0, width).mapToObj(row::getChild).toArray(WritableColumnVector[]::new);
    index.open(
        IntStream.of(keys).mapToObj(key -> fields[key]).toArray(WritableColumnVector[]::new));
  }

  @Override
  public void clear() {
    groups = 0;
  }

  @Override
  public void add(Elements accumulator, Elements input) {
    index.clear();
    int count = accumulator.size();
    accumulator.truncate(0);
    for (int i = 0; i < count; i++) {
      put(accumulator, accumulator.get(i));
    }
    for (int i = 0; i < input.size(); i++) {
      put(accumulator, input.get(i));
    }
  }

  private void put(Elements accumulator, int item) {
    if (item >= 0 && rows[0].isNullAt(item)) {
      return;
    }
    int position = index.intern(item < 0 ? sources[group(item)] : item);
    if (position == accumulator.size()) {
      accumulator.add(item);
    } else {
      accumulator.set(position, updated(accumulator.get(position), item));
    }
  }

  /** A row with the fields of {@code earlier}, replaced by those of {@code later} not NULL. */
  private int updated(int earlier, int later) {
    int result = earlier < 0 ? earlier : newGroup(earlier);
    int group = group(result);
    for (int field = 0; field < width; field++) {
      int source = later < 0 ? sources[group(later) + 1 + field] : later;
      if (!fields[field].isNullAt(source)) {
        sources[group + 1 + field] = source;
      }
    }
    return result;
  }

  private int newGroup(int item) {
    int group = ~groups;
    groups++;
    int end = groups * (width + 1);
    if (end > sources.length) {
      sources = Arrays.copyOf(sources, Math.max(end, sources.length * 2));
    }
    Arrays.fill(sources, end - width - 1, end, item);
    return group;
  }

  private int group(int item) {
    return ~item * (width + 1);
  }

  @Override
  public void requireRetraction() {
    throw column.cannotRetract();
  }

  @Override
  public void retract(Elements accumulator, Elements input) {
    requireRetraction();
  }

  @Override
  public void append(WritableColumnVector values, int item, WritableColumnVector target) {
    WritableColumnVector row = target.getChild(0);
    if (item >= 0) {
      whole.append(rows[0], item, row);
      return;
    }
    ValueAppender.appendStruct(row);
    for (int field = 0; field < width; field++) {
      parts[field].append(fields[field], sources[group(item) + 1 + field], row.getChild(field));
    }
  }
}
