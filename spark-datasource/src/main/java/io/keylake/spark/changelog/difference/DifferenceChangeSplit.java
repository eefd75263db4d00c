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

package io.keylake.spark.changelog.difference;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.row.BinaryRow;
import io.keylake.spark.changelog.ChangeRows;
import io.keylake.spark.changelog.ChangeSplit;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.changelog.CommitMark;
import io.keylake.table.changes.ChangedBucket;
import io.keylake.table.difference.DifferenceFile;
import io.keylake.table.difference.DifferencePlanner;
import io.keylake.table.difference.DifferenceSplit;
import io.keylake.table.scan.BucketFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Changes that are computed from two states of a bucket. A key has all its changes in one split.
 * The columns of the read are whole: a struct cannot be read without some of its fields, since rows
 * are compared in all of them.
 *
 * @param mark the commit
 * @param files what is compared
 */
public record DifferenceChangeSplit(CommitMark mark, DifferenceSplit files) implements ChangeSplit {
  private static final long serialVersionUID = 1L;

  /**
   * The splits of a commit, or of a range of them.
   *
   * @param buckets the changed buckets, each with both of its sides
   */
  public static List<DifferenceChangeSplit> of(
      CommitMark mark, List<ChangedBucket> buckets, DifferencePlanner planner) {
    List<BucketFiles> before = new ArrayList<>();
    List<BucketFiles> after = new ArrayList<>();
    for (ChangedBucket bucket : buckets) {
      BucketFiles then = bucket.before();
      BucketFiles now = bucket.after();
      if (then == null || now == null) {
        throw new IllegalArgumentException(
            "The changes of bucket " + bucket.bucket() + " are stored, not computed");
      }
      before.add(then);
      after.add(now);
    }
    return planner.plan(before, after).stream()
        .map(split -> new DifferenceChangeSplit(mark, split))
        .toList();
  }

  @Override
  public BinaryRow partition() {
    return files.partition();
  }

  @Override
  public int bucket() {
    return files.bucket();
  }

  @Override
  public Stream<DataFile> dataFiles() {
    return files.files().stream().map(DifferenceFile::file);
  }

  @Override
  public long size() {
    return files.size();
  }

  @Override
  public long rowCount() {
    return files.rowCount();
  }

  @Override
  public ChangeRows open(ChangeTask task) throws IOException {
    StoredVectors vectors = new StoredVectors(HadoopFileIO.of(task.conf()));
    if (task.spec().data().schema().hasPrimaryKey()) {
      String path = files.files().get(0).path();
      String bucket = path.substring(0, path.lastIndexOf('/'));
      OrderingColumns.check(task.spec().data().schema(), bucket);
      DifferenceRuns runs = new DifferenceRuns(files, vectors);
      return runs.areAllShared()
          ? new NoChanges()
          : new KeyedDifferenceReader(task, files, runs, bucket);
    }
    boolean rowsCame = files.files().stream().anyMatch(file -> file.before() == null);
    boolean rowsWent = files.files().stream().anyMatch(file -> file.before() != null);
    return rowsCame && rowsWent
        ? new RowMultisets(task, files, vectors)
        : new AppendedDifferenceReader(task, files, vectors);
  }
}
