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

import io.keylake.table.maintenance.TableProblem.Kind;
import java.util.Arrays;

/** Which buckets of one partition hold which key hashes. */
final class HashOwners {
  private long[] owners = new long[0];
  private int size;

  void add(int[] hashes, int bucket) {
    if (size + hashes.length > owners.length) {
      owners = Arrays.copyOf(owners, Math.max(size + hashes.length, 2 * owners.length));
    }
    for (int hash : hashes) {
      owners[size++] = ((long) hash << Integer.SIZE) | bucket;
    }
  }

  void report(Problems problems, String place) {
    Arrays.sort(owners, 0, size);
    for (int i = 1; i < size; i++) {
      int left = (int) (owners[i - 1] >> Integer.SIZE);
      int right = (int) (owners[i] >> Integer.SIZE);
      if (left == right && owners[i - 1] != owners[i]) {
        problems.add(
            Kind.HASH_IN_TWO_BUCKETS,
            place,
            "hash " + left + " is in buckets " + (int) owners[i - 1] + " and " + (int) owners[i]);
      }
    }
  }
}
