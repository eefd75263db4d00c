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
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * What a step made; travels to the driver.
 *
 * @param added new files, or the moved file with its new level
 * @param marks rows of files above the output level that are outdated now, by name of the file
 * @param rowsRead rows of the inputs that were looked at
 * @param spread new files of other buckets than the plan's, by bucket: where rows move
 * @param changelog new changelog files
 */
public record StepResult(
    List<DataFile> added,
    Map<String, DeletionVector> marks,
    long rowsRead,
    Map<Integer, List<DataFile>> spread,
    List<DataFile> changelog)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the collections. */
  public StepResult {
    added = List.copyOf(added);
    marks = Map.copyOf(marks);
    spread = Map.copyOf(spread);
    changelog = List.copyOf(changelog);
  }

  /** What a step made in the plan's bucket. */
  public StepResult(List<DataFile> added, Map<String, DeletionVector> marks, long rowsRead) {
    this(added, marks, rowsRead, Map.of(), List.of());
  }

  /** What a step made in other buckets than the plan's. */
  static StepResult spread(Map<Integer, List<DataFile>> files, long rowsRead) {
    return new StepResult(List.of(), Map.of(), rowsRead, files, List.of());
  }
}
