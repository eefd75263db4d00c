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

package io.keylake.spark.write;

import io.keylake.table.bucket.BucketMode;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.support.RewriteSupport;
import java.io.Serializable;
import java.util.Map;
import java.util.Optional;

/**
 * What the tasks of a write compact at their end; travels to executors.
 *
 * <ol>
 *   <li>Nothing when the table is {@code write-only}, when its files have no buckets yet, or when
 *       what is written replaces what was there.
 *   <li>Else each bucket that the task wrote, at most once, and each bucket by one task only: where
 *       Spark brings all rows of a bucket to one task, by that task; a dynamic bucket by the task
 *       that has the assigner which owns it. Where a bucket's rows may come to several tasks,
 *       because Spark cannot compute the bucket or tells values apart that are stored alike, by the
 *       task whose number the bucket's gives, if it wrote rows of it: files of the other tasks stay
 *       on level 0, their keys are others.
 * </ol>
 *
 * Pinned by {@code WriteCompactionTest} and {@code CompactingWriteSparkTest}.
 *
 * @param options the table's options with those of the statement
 * @param owner which task compacts a bucket
 * @param spread the number of buckets by which Spark brings rows together; 0 where buckets are not
 *     fixed. Those of a partition that has another number come together only if it is a multiple
 * @param tasks the number of tasks
 */
record WriteCompaction(Map<String, String> options, Owner owner, int spread, int tasks)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Which task compacts a bucket. */
  enum Owner {
    /** The only one that writes it, or that may put new keys into it. */
    WRITER,
    /** The one that the bucket's number gives. */
    NUMBERED
  }

  WriteCompaction {
    options = Map.copyOf(options);
  }

  /** What a write of {@code tasks} tasks compacts; empty = nothing. */
  static Optional<WriteCompaction> of(WriteTarget target, Replacement replacement, int tasks) {
    TableOptions options = target.options();
    boolean isNone =
        options.compaction().writeOnly()
            || !RewriteSupport.keepsRows(target.schema())
            || replacement.replacesPartitions()
            || target.bucketMode() instanceof BucketMode.Unaware
            || target.bucketMode() instanceof BucketMode.Postpone;
    return isNone
        ? Optional.empty()
        : Optional.of(
            new WriteCompaction(
                options.asMap(), owner(target), spread(target), Math.max(1, tasks)));
  }

  private static Owner owner(WriteTarget target) {
    boolean comesTogether =
        !(target.bucketMode() instanceof BucketMode.Fixed)
            || (target.functions() == WriteTarget.Functions.FROM_CATALOG
                && AssignerTasks.isExact(target.schema().partitionType())
                && AssignerTasks.isExact(
                    target.schema().rowType().project(target.options().bucket().keys())));
    return comesTogether ? Owner.WRITER : Owner.NUMBERED;
  }

  private static int spread(WriteTarget target) {
    return target.bucketMode() instanceof BucketMode.Fixed fixed ? fixed.totalBuckets() : 0;
  }

  /** Whether the task with this number compacts a bucket that it wrote rows of. */
  boolean isDoneBy(int task, BucketChange change) {
    boolean comesTogether = spread == 0 || change.totalBuckets() % spread == 0;
    return (owner == Owner.WRITER && comesTogether)
        || Math.floorMod(31 * change.partition().hashCode() + change.bucket(), tasks) == task;
  }
}
