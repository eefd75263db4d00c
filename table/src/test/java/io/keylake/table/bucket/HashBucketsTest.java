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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The table of key hashes. */
class HashBucketsTest {
  @Test
  void everyHashHasTheBucketThatItGotFirst() {
    Random random = new Random(5);
    Map<Integer, Integer> expected = new HashMap<>();
    HashBuckets buckets = new HashBuckets(0);
    for (int i = 0; i < 20_000; i++) {
      int hash = random.nextInt(30_000) * (random.nextBoolean() ? 71_582 : -71_583);
      int bucket = random.nextInt(DynamicBuckets.MAX_BUCKETS);
      buckets.add(hash, bucket);
      expected.putIfAbsent(hash, bucket);
    }
    assertThat(buckets.size()).isEqualTo(expected.size());
    expected.forEach((hash, bucket) -> assertThat(buckets.bucket(hash)).isEqualTo(bucket));
    for (int i = 0; i < 20_000; i++) {
      int hash = random.nextInt();
      assertThat(buckets.bucket(hash)).isEqualTo(expected.getOrDefault(hash, -1));
    }
  }

  @Test
  void extremeHashesAndEqualHighBitsFindTheirPlaces() {
    int[] hashes = {0, -1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE, -2, -3, -4, -5, 2, 3, 4, 5};
    HashBuckets buckets = new HashBuckets(hashes.length);
    for (int hash : hashes) {
      buckets.add(hash, 7);
    }
    Arrays.sort(hashes);
    assertThat(buckets.hashesOf(7)).containsExactly(hashes);
    assertThat(buckets.hashesOf(8)).isEmpty();
    assertThat(buckets.bucket(6)).isEqualTo(HashBuckets.UNKNOWN);
  }

  @Test
  void hashTakesSevenBytesWhenTheSizeIsKnownAndNineAtMostWhenItGrew() {
    int count = 1_000_000;
    HashBuckets known = new HashBuckets(count);
    HashBuckets grown = new HashBuckets(0);
    for (int i = 0; i < count; i++) {
      known.add(i * 0x9E37_79B1, 1);
      grown.add(i * 0x9E37_79B1, 1);
    }
    assertThat(known.bytes()).isBetween(count * 6L, count * 7L);
    assertThat(grown.bytes()).isLessThan(count * 9L);
    assertThat(known.size()).isEqualTo(count);
    assertThat(grown.size()).isEqualTo(count);
  }
}
