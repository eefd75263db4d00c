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
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import io.keylake.table.split.StoredVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The files of one bucket as inputs of steps. */
record BucketInputs(BucketFiles bucket, FileAddresses addresses) {
  /** A file whose rows are read; it travels without statistics. */
  CompactionInput read(DataFile file, int runRank) {
    return new CompactionInput(path(file), file.withoutStats(), runRank, vector(file));
  }

  /** A file that is moved as it is; its new entry keeps the statistics. */
  CompactionInput moved(DataFile file, int runRank) {
    return new CompactionInput(path(file), file, runRank, vector(file));
  }

  boolean hasVector(DataFile file) {
    return bucket.vectors().containsKey(file.name());
  }

  /** The plan that carries out these steps. */
  CompactionPlan plan(int outputLevel, List<CompactionStep> steps) {
    return new CompactionPlan(
        bucket.partition(),
        bucket.bucket(),
        bucket.totalBuckets(),
        outputLevel,
        steps,
        bucket.vectorFiles());
  }

  /** The plan that writes the files of each list one after the other; empty without lists. */
  Optional<CompactionPlan> concatenations(List<List<DataFile>> lists) {
    List<CompactionStep> steps = new ArrayList<>();
    for (List<DataFile> files : lists) {
      List<CompactionInput> read = new ArrayList<>();
      for (DataFile file : files) {
        read.add(read(file, read.size()));
      }
      steps.add(new CompactionStep.Concatenate(read));
    }
    return steps.isEmpty() ? Optional.empty() : Optional.of(plan(0, steps));
  }

  private String path(DataFile file) {
    return addresses.dataFile(bucket.partition(), bucket.bucket(), file).path();
  }

  private @Nullable StoredVector vector(DataFile file) {
    IndexedVector vector = bucket.vectors().get(file.name());
    return vector == null ? null : new StoredVector(vector.path(), vector.ref());
  }
}
