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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The dynamic buckets of a partition, with all its assigners in one task. */
class DynamicBucketsTest {
  private final Map<Integer, int[]> indexes = new TreeMap<>();
  private int reads;

  private static IndexEntry entry(int bucket, int count) {
    return new IndexEntry(
        BinaryRow.EMPTY,
        bucket,
        new IndexFile(IndexFile.HASH, "index-" + bucket, count * 4L, count, null, null, null));
  }

  private DynamicBuckets open(AssignerRules rules) {
    List<IndexEntry> entries = new ArrayList<>();
    indexes.forEach((bucket, hashes) -> entries.add(entry(bucket, hashes.length)));
    return new DynamicBuckets(
        rules,
        entries,
        entry -> {
          reads++;
          return indexes.get(entry.bucket()).clone();
        });
  }

  @Test
  void indexesOfExtendedBucketsHoldOldAndNewHashesOfAllAssigners() {
    indexes.put(0, new int[] {8, 3});
    indexes.put(1, new int[] {5});
    DynamicBuckets buckets = open(new AssignerRules(2, 10, -1));
    assertThat(buckets.bucket(3)).isZero();
    assertThat(buckets.bucket(5)).isEqualTo(1);
    assertThat(buckets.bucket(-4)).isZero();
    assertThat(buckets.bucket(2)).isZero();

    Map<Integer, int[]> written = new TreeMap<>();
    buckets.writeIndexes(written::put);
    assertThat(written).containsOnlyKeys(0);
    assertThat(written.get(0)).containsExactly(8, 3, -4, 2);
  }

  @Test
  void onlyAssignersWhoseKeysComeReadTheIndexes() {
    indexes.put(0, new int[] {2});
    indexes.put(1, new int[] {1});
    DynamicBuckets buckets = open(new AssignerRules(4, 10, -1));
    assertThat(reads).isZero();
    buckets.bucket(1);
    buckets.bucket(5);
    assertThat(reads).isEqualTo(2);
    buckets.writeIndexes((bucket, hashes) -> assertThat(hashes).containsExactly(1, 5));
    assertThat(reads).isEqualTo(3);
  }

  @Test
  void bucketIsOwnedByTheTaskToWhichKeysOfItsAssignerCame() {
    indexes.put(0, new int[] {1, 4});
    DynamicBuckets first = open(new AssignerRules(4, 10, -1));
    DynamicBuckets second = open(new AssignerRules(4, 10, -1));
    assertThat(first.bucket(4)).isZero();
    assertThat(second.bucket(1)).isZero();
    assertThat(first.owns(0)).isTrue();
    assertThat(first.owns(8)).isTrue();
    assertThat(first.owns(1)).isFalse();
    assertThat(second.owns(0)).isFalse();
    assertThat(second.owns(5)).isTrue();
  }

  @Test
  void randomJobsOfAnyNumberOfAssignersNeverMoveAKey() {
    Random random = new Random(11);
    Map<Integer, Integer> expected = new HashMap<>();
    for (int job = 0; job < 60; job++) {
      int target = 1 + random.nextInt(20);
      DynamicBuckets buckets = open(new AssignerRules(1 + random.nextInt(6), target, -1));
      for (int row = 0; row < 40; row++) {
        int hash = random.nextInt(600) * 7_158_279;
        int bucket = buckets.bucket(hash);
        Integer before = expected.put(hash, bucket);
        assertThat(before == null ? bucket : before).isEqualTo(bucket);
      }
      buckets.writeIndexes(indexes::put);
      Map<Integer, Integer> stored = new HashMap<>();
      indexes.forEach(
          (bucket, hashes) ->
              Arrays.stream(hashes).forEach(hash -> assertThat(stored.put(hash, bucket)).isNull()));
      assertThat(stored).isEqualTo(expected);
    }
  }

  @Test
  void hashesOfAllAssignersTogetherTakeSevenBytesEach() {
    int count = 400_000;
    int[] hashes = new Random(3).ints().distinct().limit(count).toArray();
    for (int bucket = 0; bucket < 4; bucket++) {
      indexes.put(bucket, Arrays.copyOfRange(hashes, bucket * count / 4, (bucket + 1) * count / 4));
    }
    DynamicBuckets buckets = open(new AssignerRules(8, 2_000_000, -1));
    for (int i = 0; i < 1000; i++) {
      assertThat(buckets.bucket(hashes[i])).isZero();
    }
    assertThat(buckets.bytes()).isBetween(count * 6L, count * 73L / 10);
  }

  @Test
  void bucketNumberBeyondTheFormatsIsRefused() {
    indexes.put(40_000, new int[] {1});
    assertThatThrownBy(() -> open(new AssignerRules(1, 1, -1)))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("index-40000 is of bucket 40000");
  }
}
