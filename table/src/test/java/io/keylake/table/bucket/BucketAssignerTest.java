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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which buckets an assigner gives. */
class BucketAssignerTest {
  private static BucketAssigner assigner(
      int number, AssignerRules rules, Map<Integer, Long> counts) {
    return new BucketAssigner(number, rules, counts, new HashBuckets(0));
  }

  /** The buckets of new hashes from {@code first} on. */
  private static List<Integer> assign(BucketAssigner assigner, int first, int count) {
    List<Integer> buckets = new ArrayList<>();
    for (int hash = first; hash < first + count; hash++) {
      buckets.add(assigner.assign(hash));
    }
    return buckets;
  }

  @Test
  void ownedBucketsAreFilledInOrderBeforeNewOnesAreOpened() {
    AssignerRules rules = new AssignerRules(2, 3, -1);
    BucketAssigner assigner = assigner(0, rules, Map.of(0, 3L, 1, 1L, 2, 2L, 6, 1L));
    assertThat(assign(assigner, 100, 8)).containsExactly(2, 6, 6, 4, 4, 4, 8, 8);
    assertThat(assigner.extended()).containsExactly(2, 4, 6, 8);
    assertThat(assigner.newHashes(6)).containsExactly(101, 102);
    assertThat(assigner.newHashes(0)).isEmpty();
  }

  @Test
  void newPartitionStartsWithTheAssignersFirstBucket() {
    BucketAssigner assigner = assigner(3, new AssignerRules(4, 2, -1), Map.of());
    assertThat(assign(assigner, 0, 5)).containsExactly(3, 3, 7, 7, 11);
  }

  @Test
  void knownHashesKeepTheirBucketsWhoeverOwnsThem() {
    HashBuckets known = new HashBuckets(2);
    known.add(10, 1);
    known.add(20, 0);
    BucketAssigner assigner =
        new BucketAssigner(0, new AssignerRules(2, 5, -1), Map.of(0, 1L, 1, 1L), known);
    assertThat(assigner.assign(10)).isEqualTo(1);
    assertThat(assigner.assign(20)).isZero();
    assertThat(assigner.extended()).isEmpty();
    assertThat(assigner.assign(30)).isZero();
    assertThat(assigner.assign(30)).isZero();
    assertThat(assigner.newHashes(0)).containsExactly(30);
  }

  @Test
  void bucketsBeyondTheirTargetTakeNoMore() {
    BucketAssigner assigner = assigner(0, new AssignerRules(1, 5, -1), Map.of(0, 9L, 1, 4L));
    assertThat(assign(assigner, 0, 3)).containsExactly(1, 2, 2);
  }

  @Test
  void boundedBucketsGrowInTurnWhenAllAreFull() {
    BucketAssigner assigner = assigner(1, new AssignerRules(2, 2, 4), Map.of(0, 1L, 1, 2L));
    assertThat(assign(assigner, 0, 7)).containsExactly(3, 3, 1, 3, 1, 3, 1);
    assertThat(assigner.assign(2)).isEqualTo(1);
  }

  @Test
  void bucketsAboveALoweredBoundStayInUse() {
    BucketAssigner assigner = assigner(0, new AssignerRules(1, 2, 1), Map.of(0, 2L, 5, 1L));
    assertThat(assign(assigner, 0, 4)).containsExactly(5, 0, 5, 0);
  }

  @Test
  void lastBucketIsFollowedByAnError() {
    BucketAssigner assigner =
        assigner(0, new AssignerRules(DynamicBuckets.MAX_BUCKETS, 2, -1), Map.of(0, 1L));
    assertThat(assigner.assign(1)).isZero();
    assertThatThrownBy(() -> assigner.assign(2))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("more than 32767 dynamic buckets")
        .hasMessageContaining("'dynamic-bucket.target-row-num'")
        .satisfies(
            e ->
                assertThat(((InvalidRequestException) e).condition())
                    .isEqualTo(Condition.KEYLAKE_INVALID_REQUEST));
  }
}
