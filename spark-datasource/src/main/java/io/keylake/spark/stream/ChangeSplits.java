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
import io.keylake.spark.changelog.StoredChangeSplit;
import io.keylake.spark.changelog.difference.DifferenceChangeSplit;
import io.keylake.table.changes.ChangeFile;
import io.keylake.table.changes.ChangedBucket;
import io.keylake.table.changes.CommitChanges;
import io.keylake.table.difference.DifferencePlanner;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.FileTest;
import io.keylake.table.split.SplitSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts the changes of a commit into splits, in the order of changes of each bucket: one a file
 * where they are stored, else as they are computed.
 */
final class ChangeSplits {
  private final FileTest test;
  private final DifferencePlanner differences;

  /**
   * Splits of a table.
   *
   * @param test which files may hold wanted rows
   */
  ChangeSplits(StreamTarget target, FileTest test) {
    this.test = test;
    TableOptions options = target.options();
    this.differences =
        new DifferencePlanner(
            target.schema(),
            options,
            FileAddresses.of(target.storage().layout(), target.schema(), options.fileLayout()),
            SplitSize.of(options.scan()).targetBytes());
  }

  /**
   * A split with the number of buckets of its partition.
   *
   * @param split the split
   * @param totalBuckets -1 where rows choose no bucket
   */
  record Numbered(ChangeSplit split, int totalBuckets) {}

  /** The splits of a commit. */
  List<Numbered> of(CommitChanges commit) {
    CommitMark mark = new CommitMark(commit.version(), commit.timeMillis());
    return switch (commit.source()) {
      case CHANGELOG, ADDED_FILES -> stored(mark, commit.buckets());
      case DIFFERENCE -> computed(mark, commit.buckets());
    };
  }

  private List<Numbered> stored(CommitMark mark, List<ChangedBucket> buckets) {
    List<Numbered> splits = new ArrayList<>();
    for (ChangedBucket bucket : buckets) {
      for (ChangeFile file : bucket.files()) {
        if (test.mayMatch(bucket.partition(), file.file())) {
          splits.add(
              new Numbered(
                  new StoredChangeSplit(mark, bucket.partition(), bucket.bucket(), List.of(file)),
                  bucket.totalBuckets()));
        }
      }
    }
    return splits;
  }

  private List<Numbered> computed(CommitMark mark, List<ChangedBucket> buckets) {
    Map<BinaryRow, Integer> totals = new HashMap<>();
    buckets.forEach(bucket -> totals.put(bucket.partition(), bucket.totalBuckets()));
    List<Numbered> splits = new ArrayList<>();
    for (ChangeSplit split : DifferenceChangeSplit.of(mark, buckets, differences)) {
      splits.add(new Numbered(split, totals.getOrDefault(split.partition(), -1)));
    }
    return splits;
  }
}
