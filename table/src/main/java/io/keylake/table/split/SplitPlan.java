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

package io.keylake.table.split;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The read work of a scan, cut into tasks.
 *
 * @param tasks the splits of each task
 * @param exactRowCount rows of the units if nothing is filtered out; null when only reading tells,
 *     because some rows may be outdated or deleted
 */
public record SplitPlan(List<List<Split>> tasks, @Nullable Long exactRowCount) {
  /** Copies the lists. */
  public SplitPlan {
    tasks = tasks.stream().map(List::copyOf).toList();
  }

  /** The number of splits that need no merging. */
  public long rawSplits() {
    return splits(RawSplit.class);
  }

  /** The number of splits whose rows are checked against newer runs. */
  public long mergeSplits() {
    return splits(MergeSplit.class);
  }

  /** The number of splits whose rows are folded. */
  public long foldSplits() {
    return splits(FoldSplit.class);
  }

  private long splits(Class<? extends Split> kind) {
    return tasks.stream().flatMap(List::stream).filter(kind::isInstance).count();
  }

  /** Bytes of all units. */
  public long size() {
    return tasks.stream().flatMap(List::stream).mapToLong(Split::size).sum();
  }

  /** Stored rows of all units, outdated and deleted ones included. */
  public long storedRows() {
    return tasks.stream().flatMap(List::stream).mapToLong(Split::rowCount).sum();
  }
}
