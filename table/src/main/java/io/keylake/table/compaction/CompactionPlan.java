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

import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A compaction of one bucket.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param totalBuckets number of buckets of the partition; -1 for dynamic and unaware tables
 * @param outputLevel the level of the results; 0 for append tables
 * @param steps what is done
 * @param vectorFiles the index files that hold deletion vectors of the bucket now
 */
public record CompactionPlan(
    BinaryRow partition,
    int bucket,
    int totalBuckets,
    int outputLevel,
    List<CompactionStep> steps,
    List<IndexFile> vectorFiles)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the lists. */
  public CompactionPlan {
    steps = List.copyOf(steps);
    vectorFiles = List.copyOf(vectorFiles);
  }

  /** All files that the steps take from the table, each once. */
  public List<CompactionInput> inputs() {
    Map<String, CompactionInput> inputs = new LinkedHashMap<>();
    for (CompactionStep step : steps) {
      step.inputs().forEach(input -> inputs.putIfAbsent(input.file().name(), input));
    }
    return List.copyOf(inputs.values());
  }

  /** The buckets that new files may be put into. */
  public Set<Integer> writtenBuckets() {
    Set<Integer> buckets = new TreeSet<>();
    steps.forEach(step -> buckets.addAll(step.buckets(bucket)));
    return buckets;
  }

  /** The same plan with other steps. */
  public CompactionPlan withSteps(List<CompactionStep> others) {
    return new CompactionPlan(partition, bucket, totalBuckets, outputLevel, others, vectorFiles);
  }
}
