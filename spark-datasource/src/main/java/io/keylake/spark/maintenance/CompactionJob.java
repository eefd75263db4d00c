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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
  private static final Logger LOG = LoggerFactory.getLogger(CompactionJob.class);
  private static final long SECONDS_TO_CANCEL = 60;

  private final SparkContext spark;
  private final List<CompactionPlan> plans;
  private final List<StepTask> tasks;
  private final List<@Nullable List<StepResult>> results;

  CompactionJob(SparkContext spark, List<CompactionPlan> plans) {
    this.spark = spark;
    this.plans = List.copyOf(plans);
    this.tasks = StepTask.of(plans, spark.defaultParallelism());
    this.results = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < tasks.size(); i++) {
      results.add(null);
    }
  }

  /**
   * Runs the job and waits for it. When it fails or is cancelled, or this thread is interrupted,
   * which cancels it, the failure is thrown as Spark gave it.
   */
  void run(StepFunction function) {
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
    await(action);
    Try<BoxedUnit> outcome = action.value().get();
    if (outcome.isFailure()) {
      throw CompactionJob.<RuntimeException>unchecked(outcome.failed().get());
    }
  }

  private static void await(SimpleFutureAction<BoxedUnit> action) {
    try {
      Await.ready(action, Duration.Inf());
    } catch (InterruptedException | TimeoutException e) {
      action.cancel();
      awaitEnd(action);
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException("The compaction was interrupted; nothing was changed.", e);
    }
  }

  /** No result arrives after the end, so that all files that did are known. */
  private static void awaitEnd(SimpleFutureAction<BoxedUnit> action) {
    try {
      Await.ready(action, Duration.create(SECONDS_TO_CANCEL, TimeUnit.SECONDS));
    } catch (InterruptedException | TimeoutException e) {
      LOG.warn("A cancelled compaction did not end; its files are left to orphan removal", e);
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

  /** The results of each plan's steps that have arrived, in their order; null = not yet. */
  List<List<@Nullable StepResult>> results() {
    List<List<@Nullable StepResult>> byPlan = new ArrayList<>();
    for (CompactionPlan plan : plans) {
      byPlan.add(new ArrayList<>(Collections.nCopies(plan.steps().size(), null)));
    }
    for (int task = 0; task < tasks.size(); task++) {
      List<StepResult> arrived = results.get(task);
      for (int i = 0; arrived != null && i < arrived.size(); i++) {
        StepTask.Work work = tasks.get(task).work().get(i);
        byPlan.get(work.plan()).set(work.step(), arrived.get(i));
      }
    }
    return byPlan;
  }
}
