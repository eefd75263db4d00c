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

import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * An array or a map as a list of its elements: each is a row in the child vectors of the column, or
 * a number below 0 that the rules of the column give a meaning. May be NULL. For one thread.
 */
final class Elements {
  private int[] items = new int[16];
  private int size;
  private boolean isNull = true;

  /** Makes this NULL. */
  void setNull() {
    isNull = true;
    size = 0;
  }

  /** Makes this the array or map of a row. */
  void load(WritableColumnVector values, int row) {
    size = 0;
    isNull = values.isNullAt(row);
    if (!isNull) {
      int first = values.getArrayOffset(row);
      int count = values.getArrayLength(row);
      reserve(count);
      for (int i = 0; i < count; i++) {
        items[i] = first + i;
      }
      size = count;
    }
  }

  boolean isNull() {
    return isNull;
  }

  int size() {
    return size;
  }

  int get(int index) {
    return items[index];
  }

  void set(int index, int item) {
    items[index] = item;
  }

  void add(int item) {
    reserve(size + 1);
    items[size++] = item;
  }

  void addAll(Elements more) {
    reserve(size + more.size);
    System.arraycopy(more.items, 0, items, size, more.size);
    size += more.size;
  }

  /** Keeps the first {@code newSize} elements. */
  void truncate(int newSize) {
    size = newSize;
  }

  private void reserve(int needed) {
    if (needed > items.length) {
      items = Arrays.copyOf(items, Math.max(needed, items.length * 2));
    }
  }
}
