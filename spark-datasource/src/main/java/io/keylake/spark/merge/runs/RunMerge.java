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

import io.keylake.format.datafile.DataFile;
import io.keylake.spark.merge.keys.KeyBatch;
import io.keylake.spark.merge.runs.RunCursor.Role;
import io.keylake.table.compaction.CompactionInput;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
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
 *   <li>Before a run's batch is replaced, sinks get everything that points into it.
 * </ol>
 */
public final class RunMerge implements Closeable {
  private final List<RunCursor> runs = new ArrayList<>();
  private final MergeTask task;
  private final RowGroupTarget target;
  private final int sharedBytes;
  private final List<MergeSink> sinks;
  private final KeyFold fold;
  private final MergedKeys merged = new MergedKeys();
  private final KeyVersions versions;
  private final KeyBatch[] keys;
  private final int[] heap;
  private final int[] group;
  private final boolean anyRewritten;
  private int heapSize;
  private int rewritten;

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
    this.task = task;
    this.target = target;
    this.sinks = List.copyOf(sinks);
    this.fold =
        KeyFold.of(task.settings().table(), task.settings().schema(), task.settings().merge());
    List<DataFile> all = files(parts);
    List<MergeRun> rewrittenParts =
        parts.stream().filter(part -> part.role() == Role.REWRITTEN).toList();
    anyRewritten = !rewrittenParts.isEmpty();
    KeyWindow exact = KeyWindow.exactly(task.keyType(), task.settings().keys());
    KeyWindow around =
        KeyWindow.around(
            task.keyType(), task.settings().keys(), anyRewritten ? files(rewrittenParts) : all);
    sharedBytes = exact.shareBytes(all);
    keys = new KeyBatch[parts.size()];
    for (MergeRun part : parts) {
      KeyWindow window = part.role() == Role.REWRITTEN ? exact : around;
      RunCursor cursor = new RunCursor(task, part, window, sharedBytes, target);
      keys[runs.size()] = cursor.keys();
      runs.add(cursor);
    }
    versions = new KeyVersions(runs);
    heap = new int[parts.size()];
    group = new int[parts.size()];
  }

  private static List<DataFile> files(List<MergeRun> parts) {
    return parts.stream()
        .flatMap(part -> part.files().stream())
        .map(CompactionInput::file)
        .toList();
  }

  /** Merges everything. */
  public void run() throws IOException {
    for (int run = 0; run < runs.size(); run++) {
      RunCursor cursor = runs.get(run);
      if (cursor.load()) {
        push(run);
        rewritten += cursor.role() == Role.REWRITTEN ? 1 : 0;
      }
    }
    while (!isDone()) {
      int first = heap[0];
      RunCursor cursor = runs.get(first);
      if (cursor.isAtGroup() && !passGroup(first)) {
        cursor.readGroup();
      }
      if (cursor.row() == cursor.end()) {
        continueFirst();
        continue;
      }
      int stop = cursor.end();
      if (heapSize > 1) {
        int second = second();
        stop =
            Math.min(
                stop,
                keys[first].firstNotBelow(cursor.row(), keys[second], runs.get(second).row()));
      }
      if (stop == cursor.row()) {
        foldFirst();
      } else {
        if (cursor.role() == Role.REWRITTEN) {
          addRange(first, cursor.row(), stop);
        }
        cursor.passTo(stop);
        continueFirst();
      }
    }
    flush();
  }

  /** Finds the place of the first run after it has moved on. */
  private void continueFirst() throws IOException {
    if (hasRow(heap[0])) {
      siftDown(0);
    } else {
      removeFirst();
    }
  }

  /** The run with the second key; there are at least two. */
  private int second() {
    return heapSize > 2 && isLess(heap[2], heap[1]) ? heap[2] : heap[1];
  }

  /** Gives the row group in front of the first run to the target, when it may go there. */
  private boolean passGroup(int first) throws IOException {
    RunCursor cursor = runs.get(first);
    if (heapSize > 1) {
      KeyBatch last = KeyBatch.of(task.keyType(), cursor.lastKeyOfGroup());
      int second = second();
      if (last.compare(0, keys[second], runs.get(second).row()) >= 0) {
        return false;
      }
    }
    flush();
    target.append(cursor.passGroup());
    return true;
  }

  /** Whether no row can come that is written or outdates another. */
  private boolean isDone() {
    return heapSize == 0 || (rewritten == 0 && (anyRewritten || heapSize == 1));
  }

  private void addRange(int run, int from, int to) throws IOException {
    int row = merged.addRange(run, from, to);
    while (row < to) {
      flush();
      row = merged.addRange(run, row, to);
    }
  }

  /** Folds the rows of the first key, which several runs hold. */
  private void foldFirst() throws IOException {
    int members = 0;
    versions.clear();
    int first = heap[0];
    int firstRow = runs.get(first).row();
    do {
      int run = heap[0];
      removeFirst();
      group[members++] = run;
      RunCursor cursor = runs.get(run);
      if (cursor.isAtGroup()) {
        cursor.readGroup();
      }
      if (cursor.role() == Role.REWRITTEN || cursor.isLive(cursor.row())) {
        versions.add(run);
      }
    } while (heapSize > 0 && isEqual(heap[0], first, firstRow));
    if (merged.isFull()) {
      flush();
    }
    if (versions.count() > 1) {
      fold.fold(versions, merged);
    } else if (versions.count() == 1 && versions.cursor(0).role() == Role.REWRITTEN) {
      merged.add(versions.run(0), versions.row(0), -1, -1);
    }
    for (int i = 0; i < members; i++) {
      RunCursor cursor = runs.get(group[i]);
      cursor.passTo(cursor.row() + 1);
      if (hasRow(group[i])) {
        push(group[i]);
      }
    }
  }

  /** Whether a run has a row, after the next batch has been loaded if it was at the end of one. */
  private boolean hasRow(int run) throws IOException {
    RunCursor cursor = runs.get(run);
    if (cursor.row() < cursor.end()) {
      return true;
    }
    flush();
    boolean loaded = cursor.load();
    if (!loaded && cursor.role() == Role.REWRITTEN) {
      rewritten--;
    }
    return loaded;
  }

  private void flush() throws IOException {
    if (!merged.isEmpty()) {
      for (MergeSink sink : sinks) {
        sink.accept(merged, runs);
      }
      merged.clear();
    }
  }

  private boolean isEqual(int run, int other, int otherRow) {
    int row = runs.get(run).row();
    KeyBatch own = keys[run];
    return own.prefix(row) == keys[other].prefix(otherRow)
        && (own.prefixDecides() || own.compare(row, keys[other], otherRow) == 0);
  }

  private boolean isLess(int left, int right) {
    int leftRow = runs.get(left).row();
    int rightRow = runs.get(right).row();
    long leftPrefix = keys[left].prefix(leftRow);
    long rightPrefix = keys[right].prefix(rightRow);
    return leftPrefix < rightPrefix
        || (leftPrefix == rightPrefix
            && !keys[left].prefixDecides()
            && keys[left].compare(leftRow, keys[right], rightRow) < 0);
  }

  private void push(int run) {
    int at = heapSize++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!isLess(run, heap[parent])) {
        break;
      }
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = run;
  }

  private void removeFirst() {
    heapSize--;
    if (heapSize > 0) {
      heap[0] = heap[heapSize];
      siftDown(0);
    }
  }

  private void siftDown(int from) {
    int run = heap[from];
    int at = from;
    int child = 2 * at + 1;
    while (child < heapSize) {
      if (child + 1 < heapSize && isLess(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isLess(heap[child], run)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
      child = 2 * at + 1;
    }
    heap[at] = run;
  }

  /** Rows of files to be rewritten that were looked at. */
  public long rowsRead() {
    return runs.stream()
        .filter(run -> run.role() == Role.REWRITTEN)
        .mapToLong(RunCursor::rowsRead)
        .sum();
  }

  @Override
  public void close() throws IOException {
    for (RunCursor run : runs) {
      run.close();
    }
  }
}
