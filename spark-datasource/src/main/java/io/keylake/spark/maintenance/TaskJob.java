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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.Function2;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/** Runs one job of Spark's and waits until none of its tasks runs any more. */
public final class TaskJob {
  private TaskJob() {}

  /**
   * The result of each task, in order. When the job fails or is cancelled, or this thread is
   * interrupted, which cancels it, the failure is thrown as Spark gave it, once no task runs any
   * more.
   *
   * @param id tells the job from others
   * @param rows what tasks are given
   * @param function what they do; travels to executors
   */
  public static <T, R> List<R> run(
      SparkContext spark, String id, RDD<T> rows, AbstractFunction1<Iterator<T>, R> function) {
    int tasks = rows.getNumPartitions();
    List<@Nullable R> results =
        Collections.synchronizedList(new ArrayList<>(Collections.nCopies(tasks, null)));
    try (RunningTasks running = new RunningTasks(spark, id)) {
      SimpleFutureAction<BoxedUnit> action =
          spark.submitJob(
              rows,
              function,
              numbers(tasks),
              (Function2<Object, R, BoxedUnit>)
                  (task, result) -> {
                    results.set((Integer) task, result);
                    return BoxedUnit.UNIT;
                  },
              (Function0<BoxedUnit>) () -> BoxedUnit.UNIT);
      await(action, running);
      Try<BoxedUnit> outcome = action.value().get();
      if (outcome.isFailure()) {
        running.awaitEnd();
        throw TaskJob.<RuntimeException>unchecked(outcome.failed().get());
      }
    }
    return results.stream().<R>map(Objects::requireNonNull).toList();
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

  private static Seq<Object> numbers(int tasks) {
    List<Object> numbers = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      numbers.add(i);
    }
    return CollectionConverters.asScala(numbers).toSeq();
  }

  /** Spark's failures are partly checked exceptions, which Scala does not declare. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable failure) throws E {
    throw (E) failure;
  }
}
