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

import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.merge.fold.FoldedRows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of {@link MergedKeys} are, by the numbers that it uses: the current batches of the
 * runs and, behind the last run, the rows that keys were folded to. For one thread.
 */
public final class MergeSources {
  private final List<RunCursor> runs;
  private final List<GatherSource> all;
  private @Nullable FoldedRows folded;

  MergeSources(List<RunCursor> runs) {
    this.runs = List.copyOf(runs);
    this.all = new ArrayList<>(runs);
  }

  void setFolded(@Nullable FoldedRows rows) {
    folded = rows;
    if (all.size() > runs.size()) {
      all.remove(runs.size());
    }
    if (rows != null) {
      all.add(rows);
    }
  }

  /** The runs; the number of the folded rows is the number of runs. */
  public List<RunCursor> runs() {
    return runs;
  }

  /** The folded rows; null when there are none. */
  public @Nullable FoldedRows folded() {
    return folded;
  }

  /** All of them, as rows are gathered from. */
  public List<GatherSource> all() {
    return all;
  }
}
