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

import io.keylake.table.split.FoldSplit;
import io.keylake.table.split.MergeSplit;
import io.keylake.table.split.ScanUnit;
import io.keylake.table.split.Split;
import io.keylake.table.split.StagedSplit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Reads splits one after another, and their units; one is open at a time. */
final class SplitsReader implements BatchReader {
  private final UnitReaders units;
  private final FoldReaders folds;
  private final ReadMetrics metrics;
  private final Deque<Split> waitingSplits;
  private final Deque<ScanUnit> waitingUnits = new ArrayDeque<>();
  private @Nullable Split split;
  private @Nullable BatchReader unit;

  SplitsReader(UnitReaders units, FoldReaders folds, List<Split> splits, ReadMetrics metrics) {
    this.units = units;
    this.folds = folds;
    this.metrics = metrics;
    this.waitingSplits = new ArrayDeque<>(splits);
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      BatchReader current = unit;
      if (current == null) {
        if (!openNext()) {
          return false;
        }
      } else if (current.next()) {
        return true;
      } else {
        unit = null;
        current.close();
      }
    }
  }

  private boolean openNext() throws IOException {
    while (waitingUnits.isEmpty()) {
      Split next = waitingSplits.poll();
      if (next == null) {
        return false;
      }
      split = next;
      if (next instanceof FoldSplit fold) {
        metrics.startedFoldSplit();
        unit = folds.open(fold);
        return true;
      }
      if (next instanceof StagedSplit) {
        throw new IllegalStateException("Staged rows are not sorted yet: " + next);
      }
      if (next instanceof MergeSplit) {
        metrics.startedMergeSplit();
      } else {
        metrics.startedRawSplit();
      }
      waitingUnits.addAll(next.units());
    }
    Split current = split;
    if (current != null) {
      unit = units.open(current, waitingUnits.remove());
    }
    return true;
  }

  @Override
  public ColumnarBatch batch() {
    BatchReader current = unit;
    if (current == null) {
      throw new IllegalStateException("No batch: next() was not called or found none");
    }
    return current.batch();
  }

  @Override
  public void close() throws IOException {
    waitingSplits.clear();
    waitingUnits.clear();
    BatchReader current = unit;
    if (current != null) {
      unit = null;
      current.close();
    }
  }
}
