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

package io.keylake.spark.merge.fold;

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.merge.function.FoldSteps;
import io.keylake.table.options.engine.EngineRules;

/**
 * The rules of the engine {@code aggregation}.
 *
 * <ol>
 *   <li>A row of kind +I or +U is added to every column.
 *   <li>A row of kind -U or -D is taken back from every column: sum +I 5, -D 5 is a row with 0.
 *   <li>{@code aggregation.remove-record-on-delete}: a row of kind -D replaces the row by its own
 *       values and removes it. What is added after it is added to these values: sum +I 5, -D 2, +I
 *       3 is 5.
 *   <li>The kind is -D when the last row has removed the key, otherwise +I.
 * </ol>
 *
 * Rule source: table behaviour, aggregation. Pinned by {@code KeyFolderTest}.
 */
final class AggregationSteps implements RowSteps {
  private final boolean removesOnDelete;

  AggregationSteps(EngineRules.Aggregation rules) {
    removesOnDelete = rules.removesOnDelete();
  }

  @Override
  public int lanes() {
    return 1;
  }

  @Override
  public ChangeKind add(VersionBatch versions, int begin, int end, FoldSteps steps) {
    boolean removed = false;
    for (int version = begin; version < end; version++) {
      ChangeKind kind = ChangeKind.ofCode(versions.kind(version));
      removed = removesOnDelete && kind == ChangeKind.DELETE;
      byte step = FoldSteps.ADD;
      if (removed) {
        step = FoldSteps.RESET;
      } else if (kind.isRetract()) {
        step = FoldSteps.RETRACT;
      }
      steps.set(steps.addEntry(version), step);
    }
    return removed ? ChangeKind.DELETE : ChangeKind.INSERT;
  }
}
