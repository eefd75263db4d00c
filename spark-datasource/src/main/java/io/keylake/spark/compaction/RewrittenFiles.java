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

package io.keylake.spark.compaction;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.compaction.changes.ChangedRows;
import io.keylake.spark.file.gather.PickedRows;
import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import io.keylake.spark.merge.fold.FoldedRows;
import io.keylake.spark.merge.runs.MergeSink;
import io.keylake.spark.merge.runs.MergeSources;
import io.keylake.spark.merge.runs.MergedKeys;
import io.keylake.spark.merge.runs.RowGroupTarget;
import io.keylake.spark.merge.runs.RunCursor;
import io.keylake.spark.merge.runs.RunCursor.Role;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.RecordExpiry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gives the rows that stand for their keys to an output. For one thread. */
final class RewrittenFiles implements MergeSink, RowGroupTarget, ChangedRows.Gone {
  private final RowOutput output;
  private final Deletes deletes;
  private final CompactionSpec spec;
  private final int oldLevel;
  private final PickedRows picked = new PickedRows();
  private final List<DroppedRows> dropped = new ArrayList<>();
  private boolean[] staying = new boolean[0];
  private boolean anyDropped;

  /**
   * @param oldLevel the lowest level of which no changes are told: only rows from there on may be
   *     written without being seen
   */
  RewrittenFiles(RowOutput output, Deletes deletes, CompactionSpec spec, int oldLevel) {
    this.output = output;
    this.deletes = deletes;
    this.spec = spec;
    this.oldLevel = oldLevel;
  }

  /** What comes next is of another merge, of the same runs. */
  void beginMerge() {
    staying = new boolean[0];
    dropped.clear();
  }

  @Override
  public void accept(MergedKeys keys, MergeSources sources) throws IOException {
    if (staying.length == 0) {
      start(sources.runs());
    }
    picked.clear(keys.size());
    anyDropped = findDropped(sources);
    for (int key = 0; key < keys.size(); key++) {
      int source = keys.afterRun(key);
      int row = keys.afterRow(key);
      if (!staying[source] && !isGone(source, row)) {
        picked.add(source, row);
      }
    }
    output.write(sources.all(), picked);
  }

  @Override
  public boolean isGone(int source, int row) {
    return anyDropped && dropped.get(source).isDropped(row);
  }

  private boolean findDropped(MergeSources sources) {
    if (dropped.isEmpty()) {
      return false;
    }
    boolean any = false;
    List<RunCursor> runs = sources.runs();
    for (int run = 0; run < runs.size(); run++) {
      dropped.get(run).lookAt(runs.get(run));
      any |= dropped.get(run).any();
    }
    FoldedRows folded = sources.folded();
    if (folded != null) {
      dropped.get(runs.size()).lookAt(folded);
      any |= dropped.get(runs.size()).any();
    }
    return any;
  }

  private void start(List<RunCursor> runs) {
    staying = new boolean[runs.size() + 1];
    RecordExpiry expiry = spec.expiry();
    ExpiryMask mask = expiry == null ? null : ExpiryMask.of(expiry, spec.schema().rowType());
    int timeColumn = expiry == null ? -1 : timeColumn(expiry);
    for (int source = 0; source < staying.length; source++) {
      staying[source] = source < runs.size() && runs.get(source).role() == Role.STAYING;
      if (deletes == Deletes.DROPPED) {
        dropped.add(new DroppedRows(mask, timeColumn));
      }
    }
  }

  private int timeColumn(RecordExpiry expiry) {
    return spec.schema().rowType().indexOf(expiry.column());
  }

  @Override
  public Optional<RowGroupSource> open(CompactionInput input, TableSchema fileSchema)
      throws IOException {
    return spec.expiry() == null && input.file().level() >= oldLevel
        ? output.rowGroups(input, fileSchema)
        : Optional.empty();
  }

  @Override
  public void append(RowGroup group) throws IOException {
    output.append(group);
  }
}
