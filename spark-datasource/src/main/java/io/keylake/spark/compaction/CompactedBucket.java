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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a finished plan changes in its bucket.
 *
 * <ol>
 *   <li>All inputs are removed as they were, each once, however many steps have rewritten parts of
 *       it. A moved file is removed at its old level and added at the new one.
 *   <li>The vector of a file goes with the file; a moved file keeps its vector.
 *   <li>Marks of all steps are added to the vectors that their files have.
 * </ol>
 */
public final class CompactedBucket {
  private CompactedBucket() {}

  /**
   * The changes, after the index file has been written where vectors change.
   *
   * @param results of all steps of the plan
   * @param indexes writes index files
   */
  public static FileChanges changes(
      CompactionPlan plan, List<StepResult> results, VectorIndexes indexes) {
    List<DataFile> removed = plan.inputs().stream().map(CompactionInput::file).toList();
    List<DataFile> added = new ArrayList<>();
    List<DataFile> changelog = new ArrayList<>();
    Map<String, DeletionVector> marks = new HashMap<>();
    for (StepResult result : results) {
      added.addAll(result.added());
      changelog.addAll(result.changelog());
      result
          .marks()
          .forEach(
              (name, marked) ->
                  marks.computeIfAbsent(name, file -> new DeletionVector()).addAll(marked));
    }
    Set<String> gone = new HashSet<>();
    removed.forEach(file -> gone.add(file.name()));
    added.forEach(file -> gone.remove(file.name()));
    VectorIndexes.Change change = indexes.write(plan, gone, marks);
    return new FileChanges(added, removed, changelog, change.added(), change.removed());
  }
}
