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
import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Entries of all maps in one.
 *
 * <ol>
 *   <li>An entry takes the place of the one with an equal key, also when its value is NULL.
 *       Example: {@code {1=a, 2=b}} and {@code {1=NULL}} give {@code {1=NULL, 2=b}}.
 *   <li>Retraction removes the keys of the input, whatever their values.
 * </ol>
 *
 * Rule source: table behaviour, aggregate functions, merge_map. Pinned by {@code MapFoldsTest}.
 */
final class MapRules implements ElementRules {
  private final ElementIndex index;

  MapRules(MapType type) {
    index = new ElementIndex(List.of(type.key()));
  }

  @Override
  public void open(WritableColumnVector values) {
    index.open(values.getChild(0));
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
    int position = index.intern(item);
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
      index.intern(input.get(i));
    }
    int kept = 0;
    for (int i = 0; i < accumulator.size(); i++) {
      int item = accumulator.get(i);
      if (index.find(item) == ElementIndex.ABSENT) {
        accumulator.set(kept++, item);
      }
    }
    accumulator.truncate(kept);
  }
}
