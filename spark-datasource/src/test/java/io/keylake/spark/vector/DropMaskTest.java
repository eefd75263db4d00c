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

package io.keylake.spark.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class DropMaskTest {
  private final DropMask mask = new DropMask();

  private int[] survivors(int rows) {
    int[] survivors = new int[rows];
    int count = mask.survivors(survivors);
    return Arrays.copyOf(survivors, count);
  }

  @Test
  void keepsEveryRowOfAFreshBatch() {
    mask.reset(130);

    assertThat(mask.dropped()).isZero();
    assertThat(survivors(130)).hasSize(130).startsWith(0, 1).endsWith(128, 129);
  }

  @Test
  void leavesOutDroppedRowsOnBothSidesOfAWord() {
    mask.reset(70);
    mask.drop(0);
    mask.drop(63);
    mask.drop(64);
    mask.drop(64);

    assertThat(mask.dropped()).isEqualTo(3);
    assertThat(mask.isDropped(63)).isTrue();
    assertThat(mask.isDropped(62)).isFalse();
    assertThat(survivors(70)).hasSize(67).startsWith(1).contains(62, 65).doesNotContain(63, 64);
  }

  @Test
  void forgetsTheBatchBefore() {
    mask.reset(10);
    mask.drop(3);

    mask.reset(5);

    assertThat(mask.dropped()).isZero();
    assertThat(survivors(5)).containsExactly(0, 1, 2, 3, 4);
  }
}
