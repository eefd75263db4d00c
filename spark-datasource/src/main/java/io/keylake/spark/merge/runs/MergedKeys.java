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

import java.util.Arrays;

/**
 * What became of some keys, in ascending order: rows are given as (number of the source, row in its
 * current batch); sources are the runs and then the folded rows. Keys that only staying files hold
 * do not occur. For one thread.
 *
 * <ol>
 *   <li>{@code after}: the row that stands for the key from now on. It may be a delete; it may be a
 *       row of a staying file, when that wins over all others; and it may be a row that was folded
 *       ({@link MergeSources#folded}).
 *   <li>{@code before}, where it is asked for ({@link MergeSettings#oldLevel}): the row that stood
 *       for the key, which is the one on the lowest old level, a delete perhaps. {@link #NO_ROW}
 *       when there was none, {@link #UNCHANGED} when all rows of the key are old.
 *   <li>{@code outdated}: all rows of staying files that no longer stand for their key.
 * </ol>
 */
public final class MergedKeys {
  /** Instead of a run: the key had no row. */
  public static final int NO_ROW = -1;

  /** Instead of a run: nothing has become of the key. */
  public static final int UNCHANGED = -2;

  /** The most keys of a batch. */
  static final int CAPACITY = 4096;

  private final int[] afterRuns = new int[CAPACITY];
  private final int[] afterRows = new int[CAPACITY];
  private final int[] beforeRuns = new int[CAPACITY];
  private final int[] beforeRows = new int[CAPACITY];
  private int[] outdatedRuns = new int[64];
  private int[] outdatedRows = new int[64];
  private int size;
  private int outdated;

  boolean isEmpty() {
    return size == 0;
  }

  boolean isFull() {
    return size == CAPACITY;
  }

  void clear() {
    size = 0;
    outdated = 0;
  }

  /**
   * Adds keys that only one run holds; returns the first row that found no room.
   *
   * @param before {@link #NO_ROW} or {@link #UNCHANGED}
   */
  int addRange(int run, int from, int to, int before) {
    int end = Math.min(to, from + CAPACITY - size);
    int at = size;
    int stop = at + end - from;
    Arrays.fill(afterRuns, at, stop, run);
    Arrays.fill(beforeRuns, at, stop, before);
    for (int row = from; row < end; row++) {
      afterRows[at++] = row;
    }
    size = stop;
    return end;
  }

  /** Adds a key; there must be room. What it was before is set by {@link #setBefore}. */
  void add(int afterRun, int afterRow) {
    afterRuns[size] = afterRun;
    afterRows[size] = afterRow;
    beforeRuns[size] = NO_ROW;
    size++;
  }

  /** Sets what the key that was added last was before. */
  void setBefore(int run, int row) {
    beforeRuns[size - 1] = run;
    beforeRows[size - 1] = row;
  }

  /** Adds a row of a staying file that is not the newest of its key. */
  void addOutdated(int run, int row) {
    if (outdated == outdatedRuns.length) {
      outdatedRuns = Arrays.copyOf(outdatedRuns, outdated * 2);
      outdatedRows = Arrays.copyOf(outdatedRows, outdated * 2);
    }
    outdatedRuns[outdated] = run;
    outdatedRows[outdated] = row;
    outdated++;
  }

  /** The number of keys. */
  public int size() {
    return size;
  }

  /** The run of the row that stands for a key. */
  public int afterRun(int key) {
    return afterRuns[key];
  }

  /** The row that stands for a key. */
  public int afterRow(int key) {
    return afterRows[key];
  }

  /** The run of the row that stood for a key before, {@link #NO_ROW} or {@link #UNCHANGED}. */
  public int beforeRun(int key) {
    return beforeRuns[key];
  }

  /** The row that stood for a key before. */
  public int beforeRow(int key) {
    return beforeRows[key];
  }

  /** The number of outdated rows. */
  public int outdatedCount() {
    return outdated;
  }

  /** The run of an outdated row. */
  public int outdatedRun(int index) {
    return outdatedRuns[index];
  }

  /** An outdated row. */
  public int outdatedRow(int index) {
    return outdatedRows[index];
  }
}
