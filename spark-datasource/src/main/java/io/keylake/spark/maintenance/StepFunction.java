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

import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.compaction.StepRunner;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkErrors;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * What a task of a compaction does. At its end it asks Spark's commit coordinator, as a write does:
 * of several attempts at the same steps one is let through, after a job was cancelled none. An
 * attempt that fails, is killed or is not let through deletes every file that it began.
 */
final class StepFunction extends AbstractFunction1<Iterator<StepTask>, List<StepResult>>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private final CompactionSpec spec;
  private final Location root;
  private final String branch;
  private final JobIds ids;
  private final TaskConfiguration configuration;

  /**
   * What tasks do.
   *
   * @param spec what all steps have in common
   * @param layout the place of the table
   * @param ids name the job's files
   */
  StepFunction(
      CompactionSpec spec, TableLayout layout, JobIds ids, TaskConfiguration configuration) {
    this.ids = ids;
    this.spec = spec;
    this.root = layout.root();
    this.branch = layout.branch();
    this.configuration = configuration;
  }

  /** The results of the task's steps, in order. */
  @Override
  public List<StepResult> apply(Iterator<StepTask> tasks) {
    TaskContext context = TaskContext.get();
    StepEnvironment environment =
        StepEnvironment.ofTask(root, branch, configuration.value(), ids, context);
    try (Attempt attempt = new Attempt(StepRunner.of(spec, environment))) {
      return attempt.run(tasks.next(), context);
    } catch (TableException e) {
      throw SparkErrors.toSpark(e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot compact " + spec.table(), e);
    }
  }

  /** One attempt; what it wrote is deleted unless it was let through. */
  private static final class Attempt implements AutoCloseable {
    private final StepRunner runner;
    private boolean isAccepted;

    Attempt(StepRunner runner) {
      this.runner = runner;
    }

    List<StepResult> run(StepTask task, TaskContext context) throws IOException {
      List<StepResult> results = new ArrayList<>();
      for (StepTask.Work work : task.work()) {
        context.killTaskIfInterrupted();
        results.add(runner.run(work.alone(), work.stepAlone()));
      }
      TaskPermission.await(context);
      isAccepted = true;
      return results;
    }

    /** Storage must be reachable for deleting even in a thread that was told to stop. */
    @Override
    public void close() throws IOException {
      Uninterrupted.run(
          () -> {
            try (StepRunner closed = runner) {
              if (!isAccepted) {
                closed.discard();
              }
            }
          });
    }
  }
}
