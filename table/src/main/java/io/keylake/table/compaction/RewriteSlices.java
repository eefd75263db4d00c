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

package io.keylake.table.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.lsm.KeyRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a large rewrite by key into several that tasks carry out side by side. A slice has the files
 * that meet its keys; the slices together have every key once.
 *
 * <p>It is cut where no file crosses, and where files of one run begin: the run with the most
 * files, since these are about equally large. A file that crosses borders counts with equal shares
 * in each slice. What has no such border, as runs of a single file each, stays whole.
 *
 * <p>Example: level 5 has [1,10] [11,20] [21,30], level 0 [5,25]: at most three slices, of keys
 * below 11, 11 to 20, and from 21 on; the file of level 0 is an input of each.
 *
 * <p>Pinned by {@code RewriteSlicesTest}.
 */
public final class RewriteSlices {
  private final KeyComparator keys;
  private final long targetBytes;

  /**
   * A cutter.
   *
   * @param schema the table's schema
   * @param targetBytes bytes of input that a slice should have
   */
  public RewriteSlices(TableSchema schema, long targetBytes) {
    this.keys = KeyComparator.of(schema.keyType());
    this.targetBytes = targetBytes;
  }

  /** The plan with its rewrites cut. */
  public CompactionPlan of(CompactionPlan plan) {
    List<CompactionStep> steps = new ArrayList<>();
    for (CompactionStep step : plan.steps()) {
      if (step instanceof Rewrite rewrite) {
        steps.addAll(slices(rewrite));
      } else {
        steps.add(step);
      }
    }
    return plan.withSteps(steps);
  }

  private List<Rewrite> slices(Rewrite rewrite) {
    if (rewrite.bytes() <= targetBytes || !rewrite.keys().equals(KeyRange.ALL)) {
      return List.of(rewrite);
    }
    List<Rewrite> slices = new ArrayList<>();
    BinaryRow from = null;
    for (BinaryRow to : chosen(rewrite, borders(rewrite.inputs()))) {
      slices.add(slice(rewrite, new KeyRange(from, to)));
      from = to;
    }
    slices.add(slice(rewrite, new KeyRange(from, null)));
    return slices;
  }

  /** Where the rewrite may be cut, ascending: each but the first key of the slice that follows. */
  private List<BinaryRow> borders(List<CompactionInput> inputs) {
    Map<Integer, Integer> filesOfRuns = new HashMap<>();
    inputs.forEach(input -> filesOfRuns.merge(input.runRank(), 1, Integer::sum));
    int longest =
        filesOfRuns.entrySet().stream()
            .max(
                Map.Entry.<Integer, Integer>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .orElse(0);
    TreeSet<BinaryRow> borders = new TreeSet<>(keys);
    BinaryRow largest = null;
    for (CompactionInput input :
        inputs.stream().sorted(Comparator.comparing(i -> i.file().minKey(), keys)).toList()) {
      DataFile file = input.file();
      boolean crossed = largest != null && keys.compare(file.minKey(), largest) <= 0;
      if (input.runRank() == longest || !crossed) {
        borders.add(file.minKey());
      }
      largest =
          largest == null || keys.compare(file.maxKey(), largest) > 0 ? file.maxKey() : largest;
    }
    borders.pollFirst();
    return List.copyOf(borders);
  }

  /** The borders at which about {@code targetBytes} of input have come together. */
  private List<BinaryRow> chosen(Rewrite rewrite, List<BinaryRow> borders) {
    List<BinaryRow> chosen = new ArrayList<>();
    double[] bytes = new double[borders.size() + 1];
    for (CompactionInput input : rewrite.inputs()) {
      int first = piece(borders, input.file().minKey());
      int last = piece(borders, input.file().maxKey());
      for (int i = first; i <= last; i++) {
        bytes[i] += (double) input.file().size() / (last - first + 1);
      }
    }
    double rest = 0;
    for (double piece : bytes) {
      rest += piece;
    }
    double collected = 0;
    for (int i = 0; i < borders.size(); i++) {
      collected += bytes[i];
      rest -= bytes[i];
      if (collected >= targetBytes && rest >= targetBytes / 2.0) {
        chosen.add(borders.get(i));
        collected = 0;
      }
    }
    return chosen;
  }

  /** The piece that holds a key: number of borders that are not above it. */
  private int piece(List<BinaryRow> borders, BinaryRow key) {
    int low = 0;
    int high = borders.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.compare(borders.get(middle), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Rewrite slice(Rewrite rewrite, KeyRange range) {
    return new Rewrite(
        meeting(rewrite.inputs(), range),
        meeting(rewrite.upper(), range),
        rewrite.deletes(),
        range);
  }

  private List<CompactionInput> meeting(List<CompactionInput> inputs, KeyRange range) {
    return inputs.stream().filter(input -> meets(input.file(), range)).toList();
  }

  private boolean meets(DataFile file, KeyRange range) {
    @Nullable BinaryRow from = range.from();
    @Nullable BinaryRow to = range.to();
    return (from == null || keys.compare(file.maxKey(), from) >= 0)
        && (to == null || keys.compare(file.minKey(), to) < 0);
  }
}
