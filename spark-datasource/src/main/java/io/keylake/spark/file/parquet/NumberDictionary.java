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

import java.util.Arrays;

/** Distinct numbers of a row group by their bits: open addressing without objects. */
final class NumberDictionary {
  private static final int INITIAL_SLOTS = 2048;

  private int[] slots = new int[INITIAL_SLOTS];
  private long[] values = new long[INITIAL_SLOTS / 2];
  private int[] lastPage = new int[INITIAL_SLOTS / 2];
  private int size;

  int size() {
    return size;
  }

  long value(int id) {
    return values[id];
  }

  /** The id of a value, new or known. */
  int id(long value) {
    int mask = slots.length - 1;
    int slot = hash(value) & mask;
    while (true) {
      int id = slots[slot] - 1;
      if (id < 0) {
        return add(value, slot);
      }
      if (values[id] == value) {
        return id;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** Whether this is the first time that the id is met in page {@code page} (1 and above). */
  boolean isNewIn(int page, int id) {
    if (lastPage[id] == page) {
      return false;
    }
    lastPage[id] = page;
    return true;
  }

  void clear() {
    if (size > 0) {
      Arrays.fill(slots, 0);
      Arrays.fill(lastPage, 0, size, 0);
      size = 0;
    }
  }

  private int add(long value, int slot) {
    if (size == values.length) {
      grow();
      return id(value);
    }
    values[size] = value;
    slots[slot] = ++size;
    return size - 1;
  }

  private void grow() {
    values = Arrays.copyOf(values, values.length * 2);
    lastPage = Arrays.copyOf(lastPage, lastPage.length * 2);
    slots = new int[slots.length * 2];
    int mask = slots.length - 1;
    for (int id = 0; id < size; id++) {
      int slot = hash(values[id]) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = id + 1;
    }
  }

  private static int hash(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }
}
