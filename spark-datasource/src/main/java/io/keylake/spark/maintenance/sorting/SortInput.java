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

package io.keylake.spark.maintenance.sorting;

import io.keylake.format.row.BinaryRow;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What one task of a sort compaction reads.
 *
 * @param files one after the other
 */
public record SortInput(List<PartitionFile> files) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** A task reads at least so much, if there is so much. */
  private static final long TASK_BYTES = 64L << 20;

  /** What opening a file costs besides its bytes. */
  private static final long FILE_BYTES = 1L << 20;

  /** Copies the list. */
  public SortInput {
    files = List.copyOf(files);
  }

  /**
   * One file.
   *
   * @param plan position of its partition's plan
   * @param partition values of the partition columns
   * @param input the file
   */
  public record PartitionFile(int plan, BinaryRow partition, CompactionInput input)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** The inputs of some plans in tasks for so many cores. */
  public static List<SortInput> of(List<CompactionPlan> plans, int cores) {
    List<PartitionFile> all = new ArrayList<>();
    long total = 0;
    for (int plan = 0; plan < plans.size(); plan++) {
      for (CompactionInput input : plans.get(plan).inputs()) {
        all.add(new PartitionFile(plan, plans.get(plan).partition(), input));
        total += cost(input);
      }
    }
    long limit = Math.min(TASK_BYTES, total / Math.max(1, cores));
    List<SortInput> tasks = new ArrayList<>();
    List<PartitionFile> open = new ArrayList<>();
    long bytes = 0;
    for (PartitionFile file : all) {
      if (!open.isEmpty() && bytes + cost(file.input()) > limit) {
        tasks.add(new SortInput(open));
        open.clear();
        bytes = 0;
      }
      open.add(file);
      bytes += cost(file.input());
    }
    if (!open.isEmpty()) {
      tasks.add(new SortInput(open));
    }
    return tasks;
  }

  private static long cost(CompactionInput input) {
    return FILE_BYTES + input.file().size();
  }
}
