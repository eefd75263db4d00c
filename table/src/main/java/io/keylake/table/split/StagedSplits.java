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

package io.keylake.table.split;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.layout.TableLayout;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.StagedPartition;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts partitions with staged rows into splits: each has some of the partition's buckets, and reads
 * the staged rows once for all of them; small ones share a task.
 */
final class StagedSplits {
  private final FileAddresses addresses;
  private final SplitSize size;

  StagedSplits(FileAddresses addresses, SplitSize size) {
    this.addresses = addresses;
    this.size = size;
  }

  /** The splits of each task. */
  List<List<Split>> tasks(List<StagedPartition> partitions) {
    List<List<Split>> tasks = new ArrayList<>();
    List<Split> open = new ArrayList<>();
    long weight = 0;
    for (StagedPartition partition : partitions) {
      for (StagedSplit split : splits(partition)) {
        long more = split.size() + size.openCostBytes() * split.dataFiles().count();
        if (!open.isEmpty() && weight + more > size.targetBytes()) {
          tasks.add(List.copyOf(open));
          open.clear();
          weight = 0;
        }
        open.add(split);
        weight += more;
      }
    }
    if (!open.isEmpty()) {
      tasks.add(List.copyOf(open));
    }
    return tasks;
  }

  /** As many splits as the files together fill; neighbouring buckets go together. */
  private List<StagedSplit> splits(StagedPartition partition) {
    List<StagedFile> staged =
        partition.files().stream().map(file -> staged(partition, file)).toList();
    List<BucketFiles> buckets = partition.buckets();
    long bytes =
        partition.files().stream().mapToLong(DataFile::size).sum()
            + buckets.stream()
                .flatMap(bucket -> bucket.files().stream())
                .mapToLong(DataFile::size)
                .sum();
    long wanted = Math.max(1, (bytes - 1) / size.targetBytes() + 1);
    int count = (int) Math.min(buckets.size(), wanted);
    List<StagedSplit> splits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) buckets.size() * i / count);
      int to = (int) ((long) buckets.size() * (i + 1) / count);
      splits.add(
          new StagedSplit(
              addresses.layout().root(),
              addresses.layout().branch(),
              partition.partition(),
              partition.totalBuckets(),
              staged,
              buckets.subList(from, to)));
    }
    return splits;
  }

  private StagedFile staged(StagedPartition partition, DataFile file) {
    return new StagedFile(
        addresses.dataFile(partition.partition(), TableLayout.POSTPONE_BUCKET, file).path(), file);
  }
}
