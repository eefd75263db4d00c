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

import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one task of a compaction carries out.
 *
 * @param work steps, one after the other
 */
record StepTask(List<Work> work) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Steps that read less than this together share a task. */
  private static final long SMALL_TASK_BYTES = 32L << 20;

  /** What a step costs besides its bytes. */
  private static final long STEP_BYTES = 1L << 20;

  StepTask {
    work = List.copyOf(work);
  }

  /**
   * One step.
   *
   * @param plan position of its plan in the job
   * @param step position of the step in its plan
   * @param alone the plan with this step only
   */
  record Work(int plan, int step, CompactionPlan alone) implements Serializable {
    private static final long serialVersionUID = 1L;

    CompactionStep stepAlone() {
      return alone.steps().get(0);
    }

    private long cost() {
      return STEP_BYTES + stepAlone().bytes();
    }
  }

  /**
   * The tasks of some plans, the largest first; small steps share tasks as long as all cores have
   * some.
   */
  static List<StepTask> of(List<CompactionPlan> plans, int cores) {
    List<Work> all = new ArrayList<>();
    for (int plan = 0; plan < plans.size(); plan++) {
      List<CompactionStep> steps = plans.get(plan).steps();
      for (int step = 0; step < steps.size(); step++) {
        all.add(new Work(plan, step, plans.get(plan).withSteps(List.of(steps.get(step)))));
      }
    }
    all.sort(Comparator.comparingLong(Work::cost).reversed());
    long total = all.stream().mapToLong(Work::cost).sum();
    long limit = Math.min(SMALL_TASK_BYTES, total / Math.max(1, cores));
    List<StepTask> tasks = new ArrayList<>();
    List<Work> open = new ArrayList<>();
    long cost = 0;
    for (Work work : all) {
      if (!open.isEmpty() && cost + work.cost() > limit) {
        tasks.add(new StepTask(open));
        open.clear();
        cost = 0;
      }
      open.add(work);
      cost += work.cost();
    }
    if (!open.isEmpty()) {
      tasks.add(new StepTask(open));
    }
    return tasks;
  }
}
