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

import io.keylake.spark.merge.keys.KeyBatch;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Walks the keys of sorted runs in ascending order, one event at a time. For one thread.
 *
 * <ol>
 *   <li>The runs are in a heap by their current keys. The first run is ahead until it reaches the
 *       key of the second: its rows up to there are one {@link Event#RANGE}.
 *   <li>Where the two keys are equal, all rows of the key are found: {@link Event#KEY}.
 *   <li>Keys are compared by a long each; the rest of a key is looked at when the longs are equal
 *       and do not decide.
 *   <li>A run that is in front of a row group which ends before the key of the second run is said
 *       so: {@link Event#ROW_GROUP}; other row groups are read.
 *   <li>Before a run's batch is replaced there is a {@link Event#BATCH_END}: what points into the
 *       batch has to be taken by then.
 * </ol>
 */
public final class KeyWalk implements Closeable {
  /** What the walk has come to. */
  public enum Event {
    /** Rows {@link #from} to {@link #to} of {@link #run} have keys that no other run has. */
    RANGE,
    /** Several runs have the key of {@link #versions}. */
    KEY,
    /** {@link #run} is in front of a row group that may be copied; the caller must pass it. */
    ROW_GROUP,
    /** All rows of the batch of {@link #run} have been seen. */
    BATCH_END,
    /** No row is left that matters. */
    END
  }

  private final List<RunCursor> runs;
  private final KeyVersions versions;
  private final KeyBatch[] keys;
  private final long[] prefixes;
  private final int[] heap;
  private final int[] moved;
  private final boolean anyRewritten;
  private int heapSize;
  private int rewritten;
  private int movedCount;
  private int settled;
  private boolean firstMoved;
  private boolean endAnnounced;
  private int run;
  private int from;
  private int to;

  /** A walk over {@code parts} without row groups that may be copied; the owner closes it. */
  public static KeyWalk over(MergeTask task, List<MergeRun> parts) {
    return new KeyWalk(RunCursor.of(task, parts, RowGroupTarget.NONE));
  }

  /** A walk over {@code runs}, none of which has been loaded. */
  KeyWalk(List<RunCursor> runs) {
    this.runs = List.copyOf(runs);
    this.versions = new KeyVersions(this.runs);
    this.keys = runs.stream().map(RunCursor::keys).toArray(KeyBatch[]::new);
    this.prefixes = new long[keys.length];
    this.heap = new int[keys.length];
    this.moved = new int[keys.length];
    this.anyRewritten = runs.stream().anyMatch(cursor -> cursor.role().isWritten());
  }

  /** Loads the first batch of each run. */
  public void start() throws IOException {
    for (int i = 0; i < keys.length; i++) {
      RunCursor cursor = runs.get(i);
      if (cursor.load()) {
        push(i);
        rewritten += cursor.role().isWritten() ? 1 : 0;
      }
    }
  }

  /** Goes on to the next event. */
  public Event next() throws IOException {
    while (true) {
      if (!settle()) {
        return Event.BATCH_END;
      }
      if (isDone()) {
        return Event.END;
      }
      run = heap[0];
      RunCursor cursor = runs.get(run);
      if (cursor.isAtGroup()) {
        if (isGroupAlone(cursor)) {
          firstMoved = true;
          return Event.ROW_GROUP;
        }
        cursor.readGroup();
      }
      from = cursor.row();
      to = cursor.end();
      if (heapSize > 1) {
        int second = second();
        to = Math.min(to, keys[run].firstNotBelow(from, keys[second], runs.get(second).row()));
      }
      if (to > from) {
        cursor.passTo(to);
        firstMoved = true;
        return Event.RANGE;
      }
      if (findVersions()) {
        return Event.KEY;
      }
    }
  }

  /** The runs, by their numbers. */
  public List<RunCursor> runs() {
    return runs;
  }

  /** The run of the last event. */
  public int run() {
    return run;
  }

  /** The first row of a range. */
  public int from() {
    return from;
  }

  /** The row behind a range. */
  public int to() {
    return to;
  }

  /** The rows of a key, by run; rows of files that stay which are deleted do not occur. */
  public KeyVersions versions() {
    return versions;
  }

  /**
   * Finds the places of the runs that have moved on; false when the batch of one of them has come
   * to its end, which is announced once.
   */
  private boolean settle() throws IOException {
    if (firstMoved) {
      run = heap[0];
      if (!hasRow(run)) {
        if (!endAnnounced) {
          endAnnounced = true;
          return false;
        }
        endAnnounced = false;
        firstMoved = false;
        if (load(run)) {
          readPrefix(run);
          siftDown(0);
        } else {
          removeFirst();
        }
        return true;
      }
      firstMoved = false;
      readPrefix(run);
      siftDown(0);
    }
    while (settled < movedCount) {
      run = moved[settled];
      if (!hasRow(run)) {
        if (!endAnnounced) {
          endAnnounced = true;
          return false;
        }
        endAnnounced = false;
        if (load(run)) {
          push(run);
        }
      } else {
        push(run);
      }
      settled++;
    }
    movedCount = 0;
    settled = 0;
    return true;
  }

  private boolean hasRow(int of) {
    RunCursor cursor = runs.get(of);
    return cursor.row() < cursor.end();
  }

  private boolean load(int of) throws IOException {
    RunCursor cursor = runs.get(of);
    boolean loaded = cursor.load();
    if (!loaded && cursor.role().isWritten()) {
      rewritten--;
    }
    return loaded;
  }

  /** Whether no row can come that is written or outdates another. */
  private boolean isDone() {
    return heapSize == 0 || (rewritten == 0 && (anyRewritten || heapSize == 1));
  }

  /** The run with the second key; there are at least two. */
  private int second() {
    return heapSize > 2 && isLess(heap[2], heap[1]) ? heap[2] : heap[1];
  }

  /** Whether the row group in front of the first run ends before all other runs. */
  private boolean isGroupAlone(RunCursor cursor) throws IOException {
    if (heapSize == 1) {
      return true;
    }
    KeyBatch last = cursor.lastKeyOfGroup();
    int second = second();
    return last.compare(0, keys[second], runs.get(second).row()) < 0;
  }

  /** Takes all rows of the first key from the heap; false when none of them is there any more. */
  private boolean findVersions() throws IOException {
    versions.clear();
    int first = heap[0];
    int firstRow = runs.get(first).row();
    do {
      int member = heap[0];
      removeFirst();
      moved[movedCount++] = member;
      RunCursor cursor = runs.get(member);
      if (cursor.isAtGroup()) {
        cursor.readGroup();
      }
      if (cursor.role().isWritten() || cursor.isLive(cursor.row())) {
        versions.add(member, cursor.row());
      }
    } while (heapSize > 0 && isEqual(heap[0], first, firstRow));
    for (int i = 0; i < movedCount; i++) {
      RunCursor cursor = runs.get(moved[i]);
      cursor.passTo(cursor.row() + 1);
    }
    return versions.count() > 0;
  }

  /** Takes note of the key that a run has come to. */
  private void readPrefix(int run) {
    prefixes[run] = keys[run].prefix(runs.get(run).row());
  }

  private boolean isEqual(int run, int other, int otherRow) {
    KeyBatch own = keys[run];
    return prefixes[run] == keys[other].prefix(otherRow)
        && (own.prefixDecides() || own.compare(runs.get(run).row(), keys[other], otherRow) == 0);
  }

  private boolean isLess(int left, int right) {
    long leftPrefix = prefixes[left];
    long rightPrefix = prefixes[right];
    return leftPrefix < rightPrefix
        || (leftPrefix == rightPrefix
            && !keys[left].prefixDecides()
            && keys[left].compare(runs.get(left).row(), keys[right], runs.get(right).row()) < 0);
  }

  private void push(int run) {
    readPrefix(run);
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

  @Override
  public void close() throws IOException {
    for (RunCursor cursor : runs) {
      cursor.close();
    }
  }
}
