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

import io.keylake.format.fileio.Ids;
import io.keylake.format.layout.TableLayout;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.table.compaction.CompactionPlan;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;

/**
 * Carries out the steps of some plans by one Spark job. Every file that its tasks make has the
 * job's name in its own, so that all of them can be deleted when the results are not wanted. Lives
 * on the driver, for one thread; that thread's job group and description are the job's.
 */
public final class StepJob implements PlanJob {
  private final JobFiles files;
  private final List<CompactionPlan> plans;
  private final CompactionJob job;

  /**
   * A job.
   *
   * @param spec what all steps have in common
   * @param layout the place of the table, on the branch that is written
   * @param configuration where file systems are configured
   * @param ids gives the job its name
   */
  public StepJob(
      SparkContext spark,
      CompactionSpec spec,
      List<CompactionPlan> plans,
      TableLayout layout,
      Configuration configuration,
      Ids ids) {
    this.files = new JobFiles(spec, layout, configuration, JobIds.of(ids));
    this.plans = List.copyOf(plans);
    this.job = new CompactionJob(spark, files.ids(), plans);
  }

  /** Labels the jobs of this thread in Spark's UI until the result is closed. */
  public static JobLabel label(SparkContext spark, String group, String description) {
    JobLabels labels = new JobLabels(spark, group);
    labels.describe(description);
    return labels::close;
  }

  /** What Spark's UI shows for jobs, until closed. */
  @FunctionalInterface
  public interface JobLabel extends AutoCloseable {
    @Override
    void close();
  }

  @Override
  public List<List<StepResult>> run() {
    job.run(
        new StepFunction(
            files.spec(),
            files.layout(),
            files.ids(),
            TaskConfiguration.of(files.configuration())));
    return job.results();
  }

  @Override
  public void discard() {
    files.discard(plans);
  }
}
