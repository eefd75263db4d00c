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

package io.keylake.spark.rowlevel.rewrite;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.spark.compaction.CompactedBucket;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.compaction.VectorIndexes;
import io.keylake.spark.maintenance.StepJob;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.spark.write.WriteTarget;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.compaction.CompactionPlan;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkContext;

/** Carries plans out by a Spark job. Lives on the driver, for one thread. */
final class SectionJob {
  private final SparkContext spark;
  private final WriteTarget target;
  private final Ids ids;
  private final Clock clock;

  /**
   * For rewrites of a table.
   *
   * @param ids name new files
   * @param clock tells when they were made
   */
  SectionJob(SparkContext spark, WriteTarget target, Ids ids, Clock clock) {
    this.spark = spark;
    this.target = target;
    this.ids = ids;
    this.clock = clock;
  }

  /** What the plans change, in their order. When that fails or is cancelled, no file is left. */
  List<BucketChange> run(List<CompactionPlan> plans) {
    if (plans.isEmpty()) {
      return List.of();
    }
    CompactionSpec spec =
        CompactionSpec.of(
                target.name().text(),
                target.schema(),
                target.options(),
                target.storage().schemas()::load,
                plans,
                Optional.empty())
            .withChangelog(target.options());
    StepJob job =
        new StepJob(spark, spec, plans, target.storage().layout(), target.configuration(), ids);
    VectorIndexes indexes = new VectorIndexes(spec, environment());
    boolean isDone = false;
    StepJob.JobLabel label =
        StepJob.label(spark, "keylake-rewrite-" + ids.next(), description(plans.size()));
    try {
      List<BucketChange> changes = changes(plans, job.run(), indexes);
      isDone = true;
      return changes;
    } finally {
      label.close();
      if (!isDone) {
        Uninterrupted.run(
            () -> {
              indexes.discard();
              job.discard();
            });
      }
    }
  }

  private String description(int buckets) {
    return "rewrite rows of " + target.name().text() + ": " + buckets + " buckets";
  }

  private static List<BucketChange> changes(
      List<CompactionPlan> plans, List<List<StepResult>> results, VectorIndexes indexes) {
    List<BucketChange> changes = new ArrayList<>();
    for (int i = 0; i < plans.size(); i++) {
      CompactionPlan plan = plans.get(i);
      changes.add(
          new BucketChange(
              plan.partition(),
              plan.bucket(),
              plan.totalBuckets(),
              CompactedBucket.changes(plan, results.get(i), indexes),
              FileChanges.NONE));
    }
    return changes;
  }

  private StepEnvironment environment() {
    return new StepEnvironment(
        target.storage().layout().root(),
        target.storage().layout().branch(),
        HadoopFileIO.of(target.configuration()),
        ids,
        clock,
        1,
        StopCheck.NEVER);
  }
}
