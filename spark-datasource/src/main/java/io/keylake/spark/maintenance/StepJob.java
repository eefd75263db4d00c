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

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepResult;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.scan.FileAddresses;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.util.SerializableConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the steps of some plans by one Spark job. Every file that its tasks make has the
 * job's name in its own, so that all of them can be deleted when the results are not wanted. Lives
 * on the driver, for one thread; that thread's job group and description are the job's.
 */
public final class StepJob {
  private static final Logger LOG = LoggerFactory.getLogger(StepJob.class);

  private final CompactionSpec spec;
  private final TableLayout layout;
  private final Configuration configuration;
  private final List<CompactionPlan> plans;
  private final JobIds ids;
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
    this.spec = spec;
    this.layout = layout;
    this.configuration = configuration;
    this.plans = List.copyOf(plans);
    this.ids = JobIds.of(ids);
    this.job = new CompactionJob(spark, this.ids, plans);
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

  /**
   * Runs the job and waits for it: the results of each plan's steps, in their order. When it fails
   * or is cancelled, the failure is thrown once no task runs any more; {@link #discard} is then to
   * be called.
   */
  public List<List<StepResult>> run() {
    job.run(new StepFunction(spec, layout, ids, new SerializableConfiguration(configuration)));
    return job.results();
  }

  /** Deletes every file of the job. One that cannot be deleted is left to orphan removal. */
  public void discard() {
    FileIO io = HadoopFileIO.of(configuration);
    FileAddresses addresses = FileAddresses.of(layout, spec.schema(), spec.layout());
    Set<Location> folders = new LinkedHashSet<>();
    for (CompactionPlan plan : plans) {
      folders.add(addresses.bucketFolder(plan.partition(), plan.bucket()));
    }
    for (Location folder : folders) {
      try {
        for (FileStatus file : io.list(folder)) {
          if (ids.made(file.location().name())) {
            io.delete(file.location());
          }
        }
      } catch (UncheckedIOException e) {
        LOG.warn("Files of a failed job in {} are left to orphan removal", folder, e);
      }
    }
  }
}
