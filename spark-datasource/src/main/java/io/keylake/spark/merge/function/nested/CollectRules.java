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

import io.keylake.format.types.DataType;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Elements of all arrays in one.
 *
 * <ol>
 *   <li>Elements are appended, NULL too. Example: {@code [1]} and {@code [1, NULL]} give {@code [1,
 *       1, NULL]}.
 *   <li>Distinct: each element once, in the order in which they are first seen, also those of the
 *       first array. Example: {@code [1, 2, 1]} and {@code [3, 1]} give {@code [1, 2, 3]}.
 *   <li>Retraction removes, for each element of the input, the first equal one. Example: {@code [1,
 *       2, 1]} less {@code [1]} is {@code [2, 1]}.
 *   <li>A late array is appended as any other.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions, collect. Pinned by {@code ListFoldsTest}.
 */
final class CollectRules implements ElementRules {
  private final ElementIndex index;
  private final boolean distinct;
  private int[] counts = new int[16];

  CollectRules(DataType element, boolean distinct) {
    this.index = new ElementIndex(List.of(element));
    this.distinct = distinct;
  }

  @Override
  public LateRows lateRows() {
    return LateRows.COME_LAST;
  }

  @Override
  public void open(WritableColumnVector values) {
    index.open(values.getChild(0));
  }

  @Override
  public void first(Elements accumulator) {
    if (distinct) {
      keepDistinct(accumulator);
    }
  }

  @Override
  public void add(Elements accumulator, Elements input) {
    accumulator.addAll(input);
    if (distinct) {
      keepDistinct(accumulator);
    }
  }

  private void keepDistinct(Elements elements) {
    index.clear();
    int kept = 0;
    for (int i = 0; i < elements.size(); i++) {
      int item = elements.get(i);
      if (index.intern(item) == kept) {
        elements.set(kept++, item);
      }
    }
    elements.truncate(kept);
  }

  @Override
  public void retract(Elements accumulator, Elements input) {
    count(input);
    int kept = 0;
    for (int i = 0; i < accumulator.size(); i++) {
      int item = accumulator.get(i);
      int number = index.find(item);
      if (number != ElementIndex.ABSENT && counts[number] > 0) {
        counts[number]--;
      } else {
        accumulator.set(kept++, item);
      }
    }
    accumulator.truncate(kept);
  }

  private void count(Elements input) {
    index.clear();
    if (counts.length < input.size()) {
      counts = new int[input.size()];
    }
    Arrays.fill(counts, 0, input.size(), 0);
    for (int i = 0; i < input.size(); i++) {
      counts[index.intern(input.get(i))]++;
    }
  }
}
