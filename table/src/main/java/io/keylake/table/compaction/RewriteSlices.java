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

import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.lsm.KeyCuts;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.lsm.Sections.RankedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Cuts a large rewrite by key ({@link KeyCuts}) into several that tasks carry out side by side. A
 * slice has the files that meet its keys; the slices together have every key once.
 *
 * <p>Pinned by {@code RewriteSlicesTest}.
 */
public final class RewriteSlices {
  private final KeyCuts cuts;
  private final long targetBytes;

  /**
   * A cutter.
   *
   * @param schema the table's schema
   * @param targetBytes bytes of input that a slice should have
   */
  public RewriteSlices(TableSchema schema, long targetBytes) {
    this.cuts = new KeyCuts(KeyComparator.of(schema.keyType()), targetBytes);
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
    if (rewrite.bytes() <= targetBytes) {
      return List.of(rewrite);
    }
    List<RankedFile> files = new ArrayList<>();
    Stream.of(rewrite.inputs(), rewrite.incoming().overrides(), rewrite.incoming().records())
        .flatMap(List::stream)
        .forEach(input -> files.add(new RankedFile(input.file(), input.runRank())));
    return cuts.ranges(files).stream()
        .flatMap(range -> cuts.common(range, rewrite.keys()).stream())
        .map(range -> slice(rewrite, range))
        .toList();
  }

  private Rewrite slice(Rewrite rewrite, KeyRange range) {
    return new Rewrite(
        meeting(rewrite.inputs(), range),
        meeting(rewrite.upper(), range),
        rewrite.incoming().only(input -> cuts.meets(input.file(), range)),
        rewrite.deletes(),
        range);
  }

  private List<CompactionInput> meeting(List<CompactionInput> inputs, KeyRange range) {
    return inputs.stream().filter(input -> cuts.meets(input.file(), range)).toList();
  }
}
