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

import io.keylake.spark.compaction.StepResult;
import io.keylake.table.compaction.CompactionPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * One Spark job that carries out plans. Only results that Spark let through arrive here, one per
 * task, whatever is retried or run twice; after a failure they tell which files have to go.
 */
final class CompactionJob {
  private final SparkContext spark;
  private final JobIds ids;
  private final List<CompactionPlan> plans;
  private final List<StepTask> tasks;
  private List<List<StepResult>> results = List.of();

  /**
   * A job.
   *
   * @param ids name its files
   */
  CompactionJob(SparkContext spark, JobIds ids, List<CompactionPlan> plans) {
    this.spark = spark;
    this.ids = ids;
    this.plans = List.copyOf(plans);
    this.tasks = StepTask.of(plans, spark.defaultParallelism());
  }

  /** Runs the job and waits for it, see {@link TaskJob}. */
  void run(StepFunction function) {
    results =
        TaskJob.run(
            spark,
            ids.half(),
            JavaSparkContext.fromSparkContext(spark).parallelize(tasks, tasks.size()).rdd(),
            function);
  }

  /** After a run: the results of each plan's steps, in their order. */
  List<List<StepResult>> results() {
    List<List<@Nullable StepResult>> byPlan = new ArrayList<>();
    for (CompactionPlan plan : plans) {
      byPlan.add(new ArrayList<>(Collections.nCopies(plan.steps().size(), null)));
    }
    for (int task = 0; task < tasks.size(); task++) {
      List<StepResult> ofTask = results.get(task);
      for (int i = 0; i < ofTask.size(); i++) {
        StepTask.Work work = tasks.get(task).work().get(i);
        byPlan.get(work.plan()).set(work.step(), ofTask.get(i));
      }
    }
    return byPlan.stream()
        .map(ofPlan -> ofPlan.stream().map(Objects::requireNonNull).toList())
        .toList();
  }
}
