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

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Knows when no task of one job runs any more: tasks of a job that failed or was cancelled go on
 * for a while after Spark has said so. Knows the job by a property of the thread that submits it.
 */
final class RunningTasks extends SparkListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningTasks.class);
  private static final String PROPERTY = "keylake.compaction";
  private static final long SECONDS = 60;

  private final SparkContext spark;
  private final String id;
  private final CompletableFuture<Void> allEnded = new CompletableFuture<>();
  private final Set<Integer> stages = new HashSet<>();
  private int job = -1;
  private int running;
  private boolean hasEnded;

  /** Of the job that this thread submits next, until closed. */
  RunningTasks(SparkContext spark, String id) {
    this.spark = spark;
    this.id = id;
    spark.setLocalProperty(PROPERTY, id);
    spark.addSparkListener(this);
  }

  @Override
  public void onJobStart(SparkListenerJobStart start) {
    if (id.equals(start.properties().getProperty(PROPERTY))) {
      job = start.jobId();
      CollectionConverters.asJava(start.stageIds()).forEach(stage -> stages.add((Integer) stage));
    }
  }

  @Override
  public void onTaskStart(SparkListenerTaskStart start) {
    if (stages.contains(start.stageId())) {
      running++;
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    if (stages.contains(end.stageId())) {
      running--;
      completeIfDone();
    }
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd end) {
    if (end.jobId() == job) {
      hasEnded = true;
      completeIfDone();
    }
  }

  private void completeIfDone() {
    if (hasEnded && running <= 0) {
      allEnded.complete(null);
    }
  }

  /** Waits until the job has ended and none of its tasks runs; for a minute at most. */
  void awaitEnd() {
    if (spark.isStopped()) {
      return;
    }
    try {
      allEnded.get(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("Tasks of a compaction that has failed still run; they delete their files", e);
    }
  }

  @Override
  public void close() {
    spark.setLocalProperty(PROPERTY, null);
    spark.removeSparkListener(this);
  }
}
