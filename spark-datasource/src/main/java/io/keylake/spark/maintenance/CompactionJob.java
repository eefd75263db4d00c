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
import java.util.concurrent.TimeoutException;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.Function2;
import scala.collection.immutable.Seq;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/**
 * One Spark job that carries out plans. Only results that Spark let through arrive here, one per
 * task, whatever is retried or run twice; after a failure they tell which files have to go.
 */
final class CompactionJob {
  private final SparkContext spark;
  private final JobIds ids;
  private final List<CompactionPlan> plans;
  private final List<StepTask> tasks;
  private final List<@Nullable List<StepResult>> results;

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
    this.results = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < tasks.size(); i++) {
      results.add(null);
    }
  }

  /**
   * Runs the job and waits for it. When it fails or is cancelled, or this thread is interrupted,
   * which cancels it, the failure is thrown as Spark gave it, once no task runs any more.
   */
  void run(StepFunction function) {
    try (RunningTasks running = new RunningTasks(spark, ids.half())) {
      SimpleFutureAction<BoxedUnit> action =
          spark.submitJob(
              JavaSparkContext.fromSparkContext(spark).parallelize(tasks, tasks.size()).rdd(),
              function,
              partitions(),
              (Function2<Object, List<StepResult>, BoxedUnit>)
                  (task, result) -> {
                    results.set((Integer) task, result);
                    return BoxedUnit.UNIT;
                  },
              (Function0<BoxedUnit>) () -> BoxedUnit.UNIT);
      await(action, running);
      Try<BoxedUnit> outcome = action.value().get();
      if (outcome.isFailure()) {
        running.awaitEnd();
        throw CompactionJob.<RuntimeException>unchecked(outcome.failed().get());
      }
    }
  }

  private static void await(SimpleFutureAction<BoxedUnit> action, RunningTasks running) {
    try {
      Await.ready(action, Duration.Inf());
    } catch (InterruptedException | TimeoutException e) {
      action.cancel();
      running.awaitEnd();
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException("The compaction was interrupted; nothing was changed.", e);
    }
  }

  private Seq<Object> partitions() {
    List<Object> numbers = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      numbers.add(i);
    }
    return CollectionConverters.asScala(numbers).toSeq();
  }

  /** Spark's failures are partly checked exceptions, which Scala does not declare. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable failure) throws E {
    throw (E) failure;
  }

  /** After a run: the results of each plan's steps, in their order. */
  List<List<StepResult>> results() {
    List<List<@Nullable StepResult>> byPlan = new ArrayList<>();
    for (CompactionPlan plan : plans) {
      byPlan.add(new ArrayList<>(Collections.nCopies(plan.steps().size(), null)));
    }
    for (int task = 0; task < tasks.size(); task++) {
      List<StepResult> ofTask = Objects.requireNonNull(results.get(task));
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
