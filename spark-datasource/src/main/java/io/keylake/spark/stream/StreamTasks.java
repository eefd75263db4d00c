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

package io.keylake.spark.stream;

import io.keylake.format.row.BinaryRow;
import io.keylake.spark.changelog.ChangeSplit;
import io.keylake.spark.changelog.CommitMark;
import io.keylake.spark.stream.task.StreamTask;
import io.keylake.table.scan.PartitionOrder;
import io.keylake.table.split.Split;
import io.keylake.table.split.SplitSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gives pieces to tasks.
 *
 * <ol>
 *   <li>Pieces of a version are packed in their order up to the wanted size.
 *   <li>Changes of one bucket go to one task, in the order of commits, so that the changes of a key
 *       stay in order; several small buckets share a task. When the number of buckets of a
 *       partition changed on the way, keys have moved: the whole partition goes to one task.
 *   <li>Changes of a table whose rows have no bucket are packed in the order of commits.
 * </ol>
 *
 * Pinned by {@code StreamTasksTest}.
 */
final class StreamTasks {
  private final SplitSize size;
  private final PartitionOrder partitions;
  private final Placement placement;

  /** Whether rows of a bucket have to stay in order. */
  enum Placement {
    BUCKETS_IN_ORDER,
    ANYWHERE
  }

  StreamTasks(SplitSize size, PartitionOrder partitions, Placement placement) {
    this.size = size;
    this.partitions = partitions;
    this.placement = placement;
  }

  /** Tasks that read pieces of a version. */
  List<StreamTask> ofVersion(List<WorkPiece.OfVersion> pieces, CommitMark mark) {
    List<StreamTask> tasks = new ArrayList<>();
    Packing packing = new Packing(size);
    List<Split> splits = new ArrayList<>();
    for (WorkPiece.OfVersion piece : pieces) {
      if (packing.startsNew(piece.size())) {
        tasks.add(new StreamTask.OfVersion(splits, mark));
        splits = new ArrayList<>();
      }
      splits.addAll(piece.splits());
    }
    if (!splits.isEmpty()) {
      tasks.add(new StreamTask.OfVersion(splits, mark));
    }
    return tasks;
  }

  /** Tasks that read changes. */
  List<StreamTask> ofCommits(List<WorkPiece.OfCommit> pieces) {
    List<StreamTask> tasks = new ArrayList<>();
    Packing packing = new Packing(size);
    List<ChangeSplit> splits = new ArrayList<>();
    for (List<WorkPiece.OfCommit> group : groups(pieces)) {
      WorkSize all =
          group.stream().map(WorkPiece.OfCommit::size).reduce(WorkSize.NONE, WorkSize::plus);
      if (packing.startsNew(all)) {
        tasks.add(new StreamTask.OfCommits(splits));
        splits = new ArrayList<>();
      }
      for (WorkPiece.OfCommit piece : group) {
        splits.add(piece.split());
      }
    }
    if (!splits.isEmpty()) {
      tasks.add(new StreamTask.OfCommits(splits));
    }
    return tasks;
  }

  /** What must not be spread over tasks. */
  private List<List<WorkPiece.OfCommit>> groups(List<WorkPiece.OfCommit> pieces) {
    if (placement == Placement.ANYWHERE) {
      return pieces.stream().map(List::of).toList();
    }
    Map<BinaryRow, Set<Integer>> totals = new HashMap<>();
    for (WorkPiece.OfCommit piece : pieces) {
      totals
          .computeIfAbsent(piece.partition(), partition -> new HashSet<>())
          .add(piece.totalBuckets());
    }
    Map<BinaryRow, TreeMap<Integer, List<WorkPiece.OfCommit>>> buckets = new TreeMap<>(partitions);
    for (WorkPiece.OfCommit piece : pieces) {
      boolean isWhole = totals.getOrDefault(piece.partition(), Set.of()).size() > 1;
      buckets
          .computeIfAbsent(piece.partition(), partition -> new TreeMap<>())
          .computeIfAbsent(isWhole ? 0 : piece.bucket(), bucket -> new ArrayList<>())
          .add(piece);
    }
    return buckets.values().stream().flatMap(ofPartition -> ofPartition.values().stream()).toList();
  }

  /** Fills one task after another. */
  private static final class Packing {
    private final SplitSize size;
    private long weight;
    private @Nullable WorkSize last;

    Packing(SplitSize size) {
      this.size = size;
    }

    /** Whether the next work starts a task, other than the first one. */
    boolean startsNew(WorkSize next) {
      long weightOfNext = Math.max(next.bytes(), next.files() * size.openCostBytes());
      boolean isNew = last != null && weight + weightOfNext > size.targetBytes();
      weight = isNew ? weightOfNext : weight + weightOfNext;
      last = next;
      return isNew;
    }
  }
}
