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

package io.keylake.spark.read.changes;

import io.keylake.spark.changelog.ChangeSplit;
import io.keylake.spark.changelog.CommitMark;
import io.keylake.spark.changelog.StoredChangeSplit;
import io.keylake.spark.changelog.difference.DifferenceChangeSplit;
import io.keylake.table.changes.ChangeFile;
import io.keylake.table.changes.ChangedBucket;
import io.keylake.table.changes.CommitChanges;
import io.keylake.table.difference.DifferencePlanner;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.FileTest;
import io.keylake.table.split.SplitSize;
import java.util.ArrayList;
import java.util.List;

/** Cuts the changes of commits into splits; files that hold no wanted row are left out. */
final class ChangeSplits {
  private final boolean isKeyed;
  private final FileTest test;
  private final DifferencePlanner differences;

  ChangeSplits(ChangeTarget target, FileTest test) {
    this.isKeyed = target.schema().hasPrimaryKey();
    this.test = test;
    this.differences =
        new DifferencePlanner(
            target.schema(),
            target.conf().options(),
            FileAddresses.of(
                target.storage().layout(), target.schema(), target.conf().options().fileLayout()),
            SplitSize.of(target.conf().scan()).targetBytes());
  }

  List<ChangeSplit> of(CommitChanges commit) {
    CommitMark mark = new CommitMark(commit.version(), commit.timeMillis());
    return switch (commit.source()) {
      case CHANGELOG, ADDED_FILES -> stored(mark, commit.buckets());
      case DIFFERENCE -> List.copyOf(DifferenceChangeSplit.of(mark, commit.buckets(), differences));
    };
  }

  private List<ChangeSplit> stored(CommitMark mark, List<ChangedBucket> buckets) {
    List<ChangeSplit> splits = new ArrayList<>();
    for (ChangedBucket bucket : buckets) {
      List<ChangeFile> files =
          bucket.files().stream()
              .filter(file -> test.mayMatch(bucket.partition(), file.file()))
              .toList();
      if (isKeyed && !files.isEmpty()) {
        splits.add(split(mark, bucket, files));
      } else {
        files.forEach(file -> splits.add(split(mark, bucket, List.of(file))));
      }
    }
    return splits;
  }

  private static ChangeSplit split(CommitMark mark, ChangedBucket bucket, List<ChangeFile> files) {
    return new StoredChangeSplit(mark, bucket.partition(), bucket.bucket(), files);
  }

  /** Rows that a split gives for certain. */
  static long certainRows(ChangeSplit split) {
    return split instanceof StoredChangeSplit ? split.rowCount() : 0;
  }
}
