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

package io.keylake.spark.merge;

/**
 * What a task has read so far. Counted by the task's thread; any thread may read the counters, and
 * sees them at most a batch late.
 */
public final class ReadMetrics {
  private volatile long filesOpened;
  private volatile long probesOpened;
  private volatile long rawSplits;
  private volatile long mergeSplits;
  private volatile long foldSplits;
  private volatile long rowsMasked;
  private volatile long rowGroupsSkipped;
  private volatile long bytesRequested;
  private volatile long keysCompared;
  private volatile long rowsFetched;

  /** Data files opened to scan their rows. */
  public long filesOpened() {
    return filesOpened;
  }

  /** Data files opened for their keys only. */
  public long probesOpened() {
    return probesOpened;
  }

  /** Splits that needed no merging. */
  public long rawSplits() {
    return rawSplits;
  }

  /** Splits whose rows were checked against newer runs. */
  public long mergeSplits() {
    return mergeSplits;
  }

  /** Splits whose rows were folded. */
  public long foldSplits() {
    return foldSplits;
  }

  /** Rows that were read and dropped: deleted, replaced by another version or folded. */
  public long rowsMasked() {
    return rowsMasked;
  }

  /** Row groups that statistics excluded. */
  public long rowGroupsSkipped() {
    return rowGroupsSkipped;
  }

  /** Bytes of the scanned ranges of files, probes not counted. */
  public long bytesRequested() {
    return bytesRequested;
  }

  /** Keys that were looked at to tell two states of a table apart. */
  public long keysCompared() {
    return keysCompared;
  }

  /** Rows that were read with their values once their keys were known to differ, and with them. */
  public long rowsFetched() {
    return rowsFetched;
  }

  /** Counts keys that are compared. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void comparedKeys(long keys) {
    keysCompared += keys;
  }

  /** Counts rows that are read after their keys. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void fetchedRows(long rows) {
    rowsFetched += rows;
  }

  /** Counts a file that is opened to scan its rows. */
  public void opened(long bytes, long skippedRowGroups) {
    openedFile(bytes);
    skippedRowGroups(skippedRowGroups);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  void openedFile(long bytes) {
    filesOpened++;
    bytesRequested += bytes;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  void openedProbe() {
    probesOpened++;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  void startedFoldSplit() {
    foldSplits++;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  void startedRawSplit() {
    rawSplits++;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  void startedMergeSplit() {
    mergeSplits++;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  void maskedRows(long rows) {
    rowsMasked += rows;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  void skippedRowGroups(long rowGroups) {
    rowGroupsSkipped += rowGroups;
  }
}
