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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.table.split.MergeSplit;
import io.keylake.table.split.RawSplit;
import io.keylake.table.split.ScanUnit;
import io.keylake.table.split.Split;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Reads the units of splits one after another; one is open at a time. */
final class SplitsReader implements BatchReader {
  private final UnitReaders units;
  private final ReadMetrics metrics;
  private final Deque<Split> waitingSplits;
  private final Deque<ScanUnit> waitingUnits = new ArrayDeque<>();
  private @Nullable Split split;
  private @Nullable BatchReader unit;

  SplitsReader(UnitReaders units, List<Split> splits, ReadMetrics metrics) {
    this.units = units;
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
      if (next instanceof MergeSplit merge) {
        metrics.startedMergeSplit();
        waitingUnits.addAll(merge.units());
      } else if (next instanceof RawSplit raw) {
        metrics.startedRawSplit();
        waitingUnits.addAll(raw.units());
      } else {
        throw new UnsupportedTableException(
            Condition.KEYLAKE_UNSUPPORTED_FEATURE,
            "Rows of one key in several files cannot be folded by this version.");
      }
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
