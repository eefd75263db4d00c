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
import io.keylake.spark.convert.SparkTypes;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;

/**
 * Numbers the different elements, or keys of elements, of one array or map from 0 on, in the order
 * in which they are first seen. Elements are equal when the bytes are that Spark's projection makes
 * of them, maps with their entries in order ({@link SortedMaps}); NULL equals NULL. A table with
 * open addressing over one array of bytes, so that nothing is allocated for an element; clearing it
 * is a step of its epoch. For one thread.
 */
final class ElementIndex {
  /** There is no such element. */
  static final int ABSENT = -1;

  private final org.apache.spark.sql.types.DataType[] types;
  private final boolean hasMaps;
  private final UnsafeProjection projection;
  private ColumnarBatchRow row = new ColumnarBatchRow(new ColumnVector[0]);
  private byte[] bytes = new byte[256];
  private int[] ends = new int[16];
  private int[] hashes = new int[16];
  private int size;
  private int[] slots = new int[32];
  private int[] epochs = new int[32];
  private int epoch = 1;

  /** An index over columns of {@code types}: the element, or the parts of its key. */
  ElementIndex(List<DataType> types) {
    this.types =
        types.stream()
            .map(type -> SparkTypes.toSpark("element", type))
            .toArray(org.apache.spark.sql.types.DataType[]::new);
    hasMaps = Arrays.stream(this.types).anyMatch(SortedMaps::isIn);
    projection = UnsafeProjection.create(this.types);
  }

  /** Begins a batch: elements are rows of {@code columns}. */
  void open(ColumnVector... columns) {
    row = new ColumnarBatchRow(columns);
  }

  /** Forgets all elements. */
  void clear() {
    size = 0;
    epoch++;
    if (epoch == 0) {
      Arrays.fill(epochs, 0);
      epoch = 1;
    }
  }

  /** The number of different elements. */
  int size() {
    return size;
  }

  /** The number of an element, or {@link #ABSENT}. */
  int find(int item) {
    UnsafeRow key = key(item);
    int slot = slot(key, key.hashCode());
    return epochs[slot] == epoch ? slots[slot] : ABSENT;
  }

  /** The number of an element, which is the next one when it is new. */
  int intern(int item) {
    UnsafeRow key = key(item);
    int hash = key.hashCode();
    int slot = slot(key, hash);
    if (epochs[slot] == epoch) {
      return slots[slot];
    }
    store(key, hash);
    epochs[slot] = epoch;
    slots[slot] = size;
    size++;
    if (size * 2 > slots.length) {
      grow();
    }
    return size - 1;
  }

  private UnsafeRow key(int item) {
    row.rowId = item;
    return projection.apply(hasMaps ? SortedMaps.row(row, types) : row);
  }

  /** The slot of a key, or the free one where it belongs. */
  private int slot(UnsafeRow key, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (epochs[slot] == epoch && !holds(slots[slot], key, hash)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean holds(int number, UnsafeRow key, int hash) {
    int begin = begin(number);
    return hashes[number] == hash
        && ends[number] - begin == key.getSizeInBytes()
        && ByteArrayMethods.arrayEquals(
            key.getBaseObject(),
            key.getBaseOffset(),
            bytes,
            Platform.BYTE_ARRAY_OFFSET + (long) begin,
            key.getSizeInBytes());
  }

  private int begin(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  private void store(UnsafeRow key, int hash) {
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, size * 2);
      hashes = Arrays.copyOf(hashes, size * 2);
    }
    int begin = begin(size);
    int end = begin + key.getSizeInBytes();
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
    }
    key.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET + (long) begin);
    ends[size] = end;
    hashes[size] = hash;
  }

  private void grow() {
    slots = new int[slots.length * 2];
    epochs = new int[slots.length];
    epoch = 1;
    int mask = slots.length - 1;
    for (int number = 0; number < size; number++) {
      int slot = hashes[number] & mask;
      while (epochs[slot] == epoch) {
        slot = (slot + 1) & mask;
      }
      epochs[slot] = epoch;
      slots[slot] = number;
    }
  }
}
