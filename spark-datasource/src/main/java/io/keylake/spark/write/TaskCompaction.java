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

import io.keylake.format.datafile.DataFile;
import io.keylake.spark.compaction.CompactedBucket;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.compaction.StepRunner;
import io.keylake.spark.compaction.VectorIndexes;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a task compacts after it has written all its files: of each bucket that it wrote and takes
 * care of, at most one compaction, of the files that were there and those that the task added. For
 * one thread; the owner closes it, and calls {@link #discard} first when the task failed.
 */
final class TaskCompaction implements Closeable {
  private final WrittenBuckets buckets;
  private final StepEnvironment environment;
  private final Predicate<BucketChange> owned;
  private final List<DataFile> files = new ArrayList<>();
  private @Nullable StepRunner runner;
  private @Nullable VectorIndexes indexes;

  /**
   * The compactions of a task.
   *
   * @param owned the buckets that no other task compacts
   */
  TaskCompaction(
      WrittenBuckets buckets, StepEnvironment environment, Predicate<BucketChange> owned) {
    this.buckets = buckets;
    this.environment = environment;
    this.owned = owned;
  }

  /** What the task wrote, with what it then compacted. */
  List<BucketChange> compact(List<BucketChange> written) throws IOException {
    List<Optional<CompactionPlan>> plans = buckets.plans(written, owned);
    List<CompactionPlan> due = plans.stream().flatMap(Optional::stream).toList();
    if (due.isEmpty()) {
      return written;
    }
    CompactionSpec spec = buckets.spec(due);
    runner = StepRunner.of(spec, environment);
    indexes = new VectorIndexes(spec, environment);
    List<BucketChange> changes = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      BucketChange change = written.get(i);
      Optional<CompactionPlan> plan = plans.get(i);
      changes.add(
          plan.isPresent()
              ? withCompaction(change, compacted(plan.get(), runner, indexes))
              : change);
    }
    return changes;
  }

  private FileChanges compacted(CompactionPlan plan, StepRunner steps, VectorIndexes vectors)
      throws IOException {
    List<StepResult> results = new ArrayList<>();
    for (CompactionStep step : plan.steps()) {
      results.add(steps.run(plan, step));
    }
    FileChanges changes = CompactedBucket.changes(plan, results, vectors);
    files.addAll(changes.added());
    return changes;
  }

  private static BucketChange withCompaction(BucketChange change, FileChanges compacted) {
    return new BucketChange(
        change.partition(), change.bucket(), change.totalBuckets(), change.written(), compacted);
  }

  /** The files of what was compacted so far, moved ones among them. */
  List<DataFile> files() {
    return files;
  }

  /** Deletes every file that a compaction began. */
  void discard() {
    if (runner != null) {
      runner.discard();
    }
    if (indexes != null) {
      indexes.discard();
    }
  }

  @Override
  public void close() throws IOException {
    if (runner != null) {
      runner.close();
    }
  }
}
