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

package io.keylake.spark.read.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.row.BinaryRow;
import io.keylake.table.split.RawSplit;
import io.keylake.table.split.Split;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeyedTasksTest {
  private static final TaskKey ONE = new TaskKey(List.of(1));
  private static final TaskKey NONE = new TaskKey(Arrays.asList((Object) null));

  private static List<Split> task(int bucket) {
    return List.of(new RawSplit(BinaryRow.EMPTY, bucket, List.of()));
  }

  @Test
  void narrowedScanHasNoMoreTasksOfAKeyThanBefore() {
    KeyedTasks before = new KeyedTasks(List.of(task(1), task(2), task(9)), List.of(ONE, ONE, NONE));
    KeyedTasks after =
        new KeyedTasks(List.of(task(1), task(2), task(3), task(4)), List.of(ONE, ONE, ONE, NONE));
    KeyedTasks within = after.within(before);
    assertThat(within.keys()).containsExactly(ONE, ONE, NONE);
    assertThat(within.tasks().stream().map(List::size)).containsExactly(1, 2, 1);
  }

  @Test
  void tasksWithoutKeysStayAsTheyAre() {
    KeyedTasks tasks = KeyedTasks.withoutKeys(List.of(task(1), task(2)));
    assertThat(tasks.within(tasks)).isEqualTo(tasks);
  }

  @Test
  void weightIsEvenWhenNoKeyHoldsMoreThanItsCoresShare() {
    assertThat(new LayoutWeight(4, 400, 100).isEven(2, 0)).isTrue();
    assertThat(new LayoutWeight(4, 400, 350).isEven(2, 0)).isFalse();
    assertThat(new LayoutWeight(1, 400, 400).isEven(2, 0)).isFalse();
    assertThat(new LayoutWeight(1, 400, 400).isEven(2, 400)).isTrue();
  }

  @Test
  void manyKeysOfFewBytesAreScattered() {
    assertThat(new LayoutWeight(1000, 1000, 1).isScattered(200, 100)).isTrue();
    assertThat(new LayoutWeight(100, 1000, 10).isScattered(200, 100)).isFalse();
    assertThat(new LayoutWeight(1000, 1_000_000, 1000).isScattered(200, 100)).isFalse();
  }
}
