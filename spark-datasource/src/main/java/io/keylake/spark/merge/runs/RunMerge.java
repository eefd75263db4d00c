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

package io.keylake.spark.merge.runs;

import io.keylake.spark.merge.runs.RunCursor.Role;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Merges sorted runs by key and tells sinks what became of each key. For one thread; the owner
 * closes it.
 *
 * <ol>
 *   <li>The runs are in a heap by their current keys. The first run is ahead until it reaches the
 *       key of the second: its rows up to there are taken as one range.
 *   <li>Where the two keys are equal, all rows of the key are found and folded.
 *   <li>Keys are compared by a long each; the rest of a key is looked at when the longs are equal
 *       and do not decide.
 *   <li>A row group that may be copied goes to the target as a whole when it ends before the key of
 *       the second run; otherwise it is read.
 *   <li>Before a run's batch is replaced, keys are folded and sinks get everything that points into
 *       it.
 *   <li>Where it is told what keys were before: a key all of whose rows are old has not changed;
 *       else its row on the lowest old level is what it was.
 * </ol>
 */
public final class RunMerge implements Closeable {
  private final List<RunCursor> runs;
  private final RowGroupTarget target;
  private final List<MergeSink> sinks;
  private final KeyFold fold;
  private final MergeSources sources;
  private final MergedKeys merged = new MergedKeys();
  private final KeyWalk walk;
  private final int oldLevel;

  /** A merge of {@code parts} that has not begun. */
  public RunMerge(MergeTask task, List<MergeRun> parts, List<MergeSink> sinks) {
    this(task, parts, sinks, RowGroupTarget.NONE);
  }

  /**
   * A merge of {@code parts} that has not begun.
   *
   * @param target takes row groups, whose keys the sinks then do not see: they are keys of which no
   *     other run, staying ones included, holds a row
   */
  public RunMerge(
      MergeTask task, List<MergeRun> parts, List<MergeSink> sinks, RowGroupTarget target) {
    this.target = target;
    this.sinks = List.copyOf(sinks);
    runs = RunCursor.of(task, parts, target);
    KeyFold ofTable = KeyFold.of(task, parts.size());
    boolean overrides = parts.stream().anyMatch(part -> part.role() == Role.OVERRIDING);
    fold = overrides ? new OverridingKeys(ofTable, runs) : ofTable;
    sources = new MergeSources(runs);
    walk = new KeyWalk(runs);
    oldLevel = task.settings().oldLevel();
  }

  /** Merges everything. */
  public void run() throws IOException {
    walk.start();
    while (true) {
      switch (walk.next()) {
        case RANGE -> {
          if (runs.get(walk.run()).role().isWritten()) {
            addRange(walk.run(), walk.from(), walk.to());
          }
        }
        case KEY -> fold(walk.versions());
        case ROW_GROUP -> {
          flush();
          target.append(runs.get(walk.run()).passGroup());
        }
        case BATCH_END -> flush();
        case END -> {
          flush();
          return;
        }
      }
    }
  }

  private void addRange(int run, int from, int to) throws IOException {
    int before = isOld(runs.get(run)) ? MergedKeys.UNCHANGED : MergedKeys.NO_ROW;
    int row = merged.addRange(run, from, to, before);
    while (row < to) {
      flush();
      row = merged.addRange(run, row, to, before);
    }
  }

  private void fold(KeyVersions versions) throws IOException {
    if (merged.isFull() || fold.isFull()) {
      flush();
    }
    int size = merged.size();
    if (versions.count() > 1) {
      fold.fold(versions, merged);
    } else if (versions.cursor(0).role().isWritten()) {
      merged.add(versions.run(0), versions.row(0));
    }
    if (oldLevel > 0 && merged.size() > size) {
      tellBefore(versions);
    }
  }

  private void tellBefore(KeyVersions versions) {
    int before = -1;
    int old = 0;
    for (int version = 0; version < versions.count(); version++) {
      RunCursor run = versions.cursor(version);
      if (isOld(run)) {
        old++;
        before = before < 0 || run.rank() < versions.cursor(before).rank() ? version : before;
      }
    }
    if (old == versions.count()) {
      merged.setBefore(MergedKeys.UNCHANGED, 0);
    } else if (before >= 0) {
      merged.setBefore(versions.run(before), versions.row(before));
    }
  }

  private boolean isOld(RunCursor run) {
    return run.level() >= oldLevel;
  }

  private void flush() throws IOException {
    if (!merged.isEmpty()) {
      sources.setFolded(fold.compute(runs));
      for (MergeSink sink : sinks) {
        sink.accept(merged, sources);
      }
      merged.clear();
    }
  }

  /** Rows of files to be rewritten that were looked at. */
  public long rowsRead() {
    return runs.stream().filter(run -> run.role().isWritten()).mapToLong(RunCursor::rowsRead).sum();
  }

  @Override
  public void close() throws IOException {
    try {
      fold.close();
    } finally {
      for (RunCursor run : runs) {
        run.close();
      }
    }
  }
}
