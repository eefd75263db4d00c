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

package io.keylake.spark.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.stats.ColumnStats;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StepTaskTest {
  private static final long MEGABYTE = 1L << 20;

  private static CompactionStep step(String name, long megabytes) {
    DataFile file =
        new DataFile(
            name,
            megabytes * MEGABYTE,
            1,
            BinaryRow.EMPTY,
            BinaryRow.EMPTY,
            ColumnStats.EMPTY,
            ColumnStats.EMPTY,
            0,
            0,
            0,
            0,
            List.of(),
            null,
            null,
            null,
            FileSource.APPEND,
            null,
            null,
            null,
            null);
    return new CompactionStep.Concatenate(List.of(new CompactionInput("/" + name, file, 0, null)));
  }

  private static CompactionPlan plan(CompactionStep... steps) {
    return new CompactionPlan(BinaryRow.EMPTY, 0, -1, 0, List.of(steps), List.of());
  }

  private static List<String> names(StepTask task) {
    return task.work().stream()
        .map(work -> work.stepAlone().inputs().get(0).file().name())
        .toList();
  }

  @Test
  void largestStepsComeFirstEachInATaskOfItsOwn() {
    List<StepTask> tasks =
        StepTask.of(List.of(plan(step("a", 100), step("b", 300)), plan(step("c", 200))), 2);
    assertThat(tasks)
        .extracting(StepTaskTest::names)
        .containsExactly(List.of("b"), List.of("c"), List.of("a"));
    StepTask.Work first = tasks.get(0).work().get(0);
    assertThat(first.plan()).isZero();
    assertThat(first.step()).isEqualTo(1);
    assertThat(first.alone().steps()).hasSize(1);
  }

  @Test
  void manySmallStepsShareTasks() {
    List<CompactionPlan> plans = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      plans.add(plan(step("f" + i, 1)));
    }
    List<StepTask> tasks = StepTask.of(plans, 2);
    assertThat(tasks).hasSize(7);
    assertThat(tasks.stream().mapToInt(task -> task.work().size()).sum()).isEqualTo(100);
  }

  @Test
  void fewSmallStepsAreSpreadOverAllCores() {
    assertThat(StepTask.of(List.of(plan(step("a", 1)), plan(step("b", 1))), 2)).hasSize(2);
    assertThat(StepTask.of(List.of(), 2)).isEmpty();
  }
}
