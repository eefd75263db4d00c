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

import io.keylake.spark.file.encode.LittleEndian;
import java.util.Arrays;

/** Distinct byte strings of a row group: open addressing over one array of bytes. */
final class BytesDictionary {
  private static final int INITIAL_SLOTS = 2048;

  private int[] slots = new int[INITIAL_SLOTS];
  private int[] hashes = new int[INITIAL_SLOTS / 2];
  private int[] starts = new int[INITIAL_SLOTS / 2 + 1];
  private int[] lastPage = new int[INITIAL_SLOTS / 2];
  private byte[] bytes = new byte[16 * 1024];
  private int size;

  int size() {
    return size;
  }

  /** The bytes of all values. */
  int byteCount() {
    return starts[size];
  }

  byte[] bytes() {
    return bytes;
  }

  int start(int id) {
    return starts[id];
  }

  int length(int id) {
    return starts[id + 1] - starts[id];
  }

  /** The id of a value, new or known. */
  int id(byte[] base, int start, int length) {
    int hash = hash(base, start, length);
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (true) {
      int id = slots[slot] - 1;
      if (id < 0) {
        return add(base, start, length, hash);
      }
      if (hashes[id] == hash
          && length == length(id)
          && Arrays.equals(base, start, start + length, bytes, starts[id], starts[id] + length)) {
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

  private int add(byte[] base, int start, int length, int hash) {
    if (size == hashes.length) {
      grow();
    }
    int from = starts[size];
    int end = Math.addExact(from, length);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(end, Math.min(bytes.length * 2L, 1L << 30)));
    }
    System.arraycopy(base, start, bytes, from, length);
    starts[size + 1] = end;
    hashes[size] = hash;
    insert(size);
    return size++;
  }

  private void insert(int id) {
    int mask = slots.length - 1;
    int slot = hashes[id] & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = id + 1;
  }

  private void grow() {
    int capacity = hashes.length * 2;
    hashes = Arrays.copyOf(hashes, capacity);
    starts = Arrays.copyOf(starts, capacity + 1);
    lastPage = Arrays.copyOf(lastPage, capacity);
    slots = new int[capacity * 2];
    for (int id = 0; id < size; id++) {
      insert(id);
    }
  }

  private static int hash(byte[] base, int start, int length) {
    long hash = length;
    int at = start;
    int end = start + length;
    for (; at + 8 <= end; at += 8) {
      hash = (hash ^ LittleEndian.getLong(base, at)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 32;
    }
    for (; at < end; at++) {
      hash = (hash ^ base[at]) * 0x9E3779B97F4A7C15L;
    }
    return (int) (hash ^ (hash >>> 32));
  }
}
