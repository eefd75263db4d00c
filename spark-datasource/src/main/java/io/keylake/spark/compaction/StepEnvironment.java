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

package io.keylake.spark.compaction;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.spark.merge.runs.StopCheck;
import java.time.Clock;
import java.time.ZoneId;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;

/**
 * Where the steps of a compaction run.
 *
 * @param root the table's folder
 * @param branch the branch that is compacted
 * @param io how files are reached
 * @param ids gives names of new files
 * @param clock tells, in its zone, when files were made
 * @param tasks how many tasks share this process: bounds what is held of open files
 * @param stop looked at between batches
 */
public record StepEnvironment(
    Location root,
    String branch,
    HadoopFileIO io,
    Ids ids,
    Clock clock,
    int tasks,
    StopCheck stop) {
  /**
   * The environment of a task of Spark's: it stops when the task is killed.
   *
   * @param ids gives names of new files
   */
  public static StepEnvironment ofTask(
      Location root, String branch, Configuration configuration, Ids ids, TaskContext task) {
    return new StepEnvironment(
        root,
        branch,
        HadoopFileIO.of(configuration),
        ids,
        Clock.system(ZoneId.systemDefault()),
        tasksPerProcess(),
        task::killTaskIfInterrupted);
  }

  /** How many tasks of Spark's run in this process at a time. */
  public static int tasksPerProcess() {
    SparkConf conf = SparkEnv.get().conf();
    int cpusPerTask = conf.getInt("spark.task.cpus", 1);
    int cores = conf.getInt("spark.executor.cores", Runtime.getRuntime().availableProcessors());
    return Math.max(1, cores / Math.max(1, cpusPerTask));
  }
}
