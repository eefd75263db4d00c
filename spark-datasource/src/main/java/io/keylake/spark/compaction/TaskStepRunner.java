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

import io.keylake.format.fileio.Location;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import java.io.IOException;
import java.util.List;

/** Runs steps in this thread, on the files of a table. */
final class TaskStepRunner implements StepRunner {
  /** The most runs that are open at a time. */
  private static final int MAX_OPEN_RUNS = 64;

  /**
   * The same where rows are computed: runs can then only be merged in passes from the oldest on,
   * each of which writes all that came of the ones before.
   */
  private static final int MAX_OPEN_RUNS_OF_COMPUTED_ROWS = 512;

  /** All tasks of a process together may hold this share of the heap for files that they read. */
  private static final int HEAP_PARTS = 4;

  /** At least this much may be held, whatever the heap. */
  private static final long MIN_OPEN_BYTES = 16L << 20;

  private final StepStorage storage;
  private final KeyMerges merges;
  private final Concatenation concatenation;

  TaskStepRunner(CompactionSpec spec, StepEnvironment environment) {
    this.storage = new StepStorage(spec, environment);
    this.merges = new KeyMerges(storage, openRuns(spec), openBytes(environment.tasks()));
    this.concatenation = new Concatenation(storage);
  }

  private static int openRuns(CompactionSpec spec) {
    return spec.merge().computesRows() ? MAX_OPEN_RUNS_OF_COMPUTED_ROWS : MAX_OPEN_RUNS;
  }

  private static long openBytes(int tasks) {
    long share = Runtime.getRuntime().maxMemory() / HEAP_PARTS / Math.max(1, tasks);
    return Math.max(MIN_OPEN_BYTES, share);
  }

  @Override
  public StepResult run(CompactionPlan plan, CompactionStep step) throws IOException {
    if (step instanceof CompactionStep.Rewrite rewrite) {
      return merges.rewrite(plan, rewrite);
    } else if (step instanceof CompactionStep.Upgrade upgrade) {
      return merges.upgrade(plan, upgrade);
    }
    if (step instanceof CompactionStep.SpreadKeys spread) {
      return merges.spread(plan, spread);
    } else if (step instanceof CompactionStep.SpreadRows spread) {
      return concatenation.run(plan, spread);
    }
    if (step instanceof CompactionStep.Remainder remainder) {
      return concatenation.run(plan, remainder);
    }
    return concatenation.run(plan, (CompactionStep.Concatenate) step);
  }

  @Override
  public List<Location> written() {
    return storage.written();
  }

  @Override
  public void discard() {
    storage.delete(storage.written());
  }

  @Override
  public void close() {
    // Each step closes what it opens.
  }
}
