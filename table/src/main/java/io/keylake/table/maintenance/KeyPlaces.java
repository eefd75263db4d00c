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

package io.keylake.table.maintenance;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.RowHash;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.maintenance.TableProblem.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Which keys the buckets of a table hold in which a key is found once whatever its partition. Keys
 * are known by 64 bits of hash, so 8 bytes per row of the table are needed.
 */
final class KeyPlaces {
  /** The hashes of the keys that a bucket has a row of. */
  static final class Keys {
    private long[] hashes = new long[16];
    private int size;

    void add(long hash) {
      if (size == hashes.length) {
        hashes = Arrays.copyOf(hashes, size * 2);
      }
      hashes[size++] = hash;
    }
  }

  private final BinaryRowCodec partitions;
  private final List<Integer> keyColumns;
  private final List<Keys> buckets = new ArrayList<>();

  KeyPlaces(TableSchema schema) {
    this.partitions = BinaryRowCodec.of(schema.partitionType());
    this.keyColumns =
        schema.partitionKeys().stream()
            .filter(schema.primaryKeys()::contains)
            .map(schema.partitionKeys()::indexOf)
            .toList();
  }

  /** The hash of a key of a bucket of {@code partition}. */
  long hash(BinaryRow partition, BinaryRow key) {
    int rest = Arrays.hashCode(key.array());
    for (int column : keyColumns) {
      rest = 31 * rest + Objects.hashCode(partitions.value(partition, column));
    }
    return ((long) RowHash.murmur(key) << Integer.SIZE) | (rest & 0xFFFF_FFFFL);
  }

  void add(Keys keys) {
    buckets.add(keys);
  }

  void report(Problems problems, String place) {
    int count = buckets.stream().mapToInt(keys -> keys.size).sum();
    long[] all = new long[count];
    int next = 0;
    for (Keys keys : buckets) {
      System.arraycopy(keys.hashes, 0, all, next, keys.size);
      next += keys.size;
    }
    Arrays.sort(all);
    long twice = 0;
    for (int i = 1; i < count; i++) {
      twice += all[i] == all[i - 1] ? 1 : 0;
    }
    if (twice > 0) {
      problems.add(
          Kind.KEY_IN_TWO_PLACES, place, twice + " keys have a row in more than one bucket");
    }
  }
}
