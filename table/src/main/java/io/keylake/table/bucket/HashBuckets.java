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

package io.keylake.table.bucket;

import java.util.Arrays;

/**
 * The bucket of each key hash: a hash table with open addressing in an array of hashes and one of
 * bucket numbers, filled up to seven eighths, so that it takes 6.9 bytes per hash when its size was
 * known beforehand and 8.6 at most when it had to grow. A table holds up to 1.8 billion hashes. For
 * one thread.
 *
 * <p>Hashes are used as they are: the hash of a key is well mixed already, also among the keys of
 * one assigner, whose hashes have the low bits in common, because the place in the table comes from
 * the high bits.
 */
final class HashBuckets {
  /** What {@link #bucket} gives for an unknown hash. */
  static final int UNKNOWN = -1;

  private static final int MIN_CAPACITY = 16;
  private static final int MAX_CAPACITY = Integer.MAX_VALUE - 8;
  private static final int FULL_EIGHTHS = 7;

  private int[] hashes;
  private short[] buckets;
  private int size;
  private int limit;

  /** A table with room for {@code expected} hashes. */
  HashBuckets(long expected) {
    allocate(capacity(expected));
  }

  private static int capacity(long expected) {
    long needed = (expected + 1) * 8 / FULL_EIGHTHS + 1;
    return (int) Math.min(MAX_CAPACITY, Math.max(MIN_CAPACITY, needed));
  }

  private void allocate(int capacity) {
    hashes = new int[capacity];
    buckets = new short[capacity];
    Arrays.fill(buckets, (short) UNKNOWN);
    limit = (int) ((long) capacity * FULL_EIGHTHS / 8);
  }

  /** The bucket of a hash, or {@link #UNKNOWN}. */
  int bucket(int hash) {
    int place = place(hash);
    while (buckets[place] != UNKNOWN && hashes[place] != hash) {
      place = next(place);
    }
    return buckets[place];
  }

  /** Notes the bucket of a hash; one that has a bucket already keeps it. */
  void add(int hash, int bucket) {
    if (size == limit) {
      grow();
    }
    int place = place(hash);
    while (buckets[place] != UNKNOWN) {
      if (hashes[place] == hash) {
        return;
      }
      place = next(place);
    }
    hashes[place] = hash;
    buckets[place] = (short) bucket;
    size++;
  }

  private void grow() {
    int[] oldHashes = hashes;
    short[] oldBuckets = buckets;
    if (oldHashes.length == MAX_CAPACITY) {
      throw new IllegalStateException("One assigner cannot hold more than " + size + " hashes");
    }
    allocate((int) Math.min(MAX_CAPACITY, oldHashes.length + oldHashes.length / 4L));
    size = 0;
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldBuckets[i] != UNKNOWN) {
        add(oldHashes[i], oldBuckets[i]);
      }
    }
  }

  private int place(int hash) {
    return (int) (((hash & 0xFFFF_FFFFL) * hashes.length) >>> Integer.SIZE);
  }

  private int next(int place) {
    return place + 1 == hashes.length ? 0 : place + 1;
  }

  int size() {
    return size;
  }

  /** The hashes of one bucket, ascending. */
  int[] hashesOf(int bucket) {
    int count = 0;
    for (short each : buckets) {
      count += each == bucket ? 1 : 0;
    }
    int[] found = new int[count];
    for (int i = 0, n = 0; n < count; i++) {
      if (buckets[i] == bucket) {
        found[n++] = hashes[i];
      }
    }
    Arrays.sort(found);
    return found;
  }

  /** The memory that the table takes. */
  long bytes() {
    return (long) hashes.length * (Integer.BYTES + Short.BYTES);
  }
}
