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

import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.CommitDeniedException;

/**
 * Spark's word that the results of a task's attempt count: of several attempts one is let through,
 * after a job was cancelled none.
 */
public final class TaskPermission {
  private TaskPermission() {}

  /** Returns if this attempt is let through, and fails otherwise. */
  public static void await(TaskContext context) {
    context.killTaskIfInterrupted();
    boolean accepted =
        SparkEnv.get()
            .outputCommitCoordinator()
            .canCommit(
                context.stageId(),
                context.stageAttemptNumber(),
                context.partitionId(),
                context.attemptNumber());
    if (!accepted) {
      String message = "Another attempt was let through, or the job has ended";
      throw new IllegalStateException(
          message,
          new CommitDeniedException(
              message, context.stageId(), context.partitionId(), context.attemptNumber()));
    }
  }
}
