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
import io.keylake.format.fileio.Location;
import io.keylake.format.row.BinaryRow;
import io.keylake.table.scan.BucketFiles;
import java.util.List;
import java.util.stream.Stream;

/**
 * Some buckets of a partition with staged rows on top of them. Its reader sorts those of the staged
 * rows that belong into these buckets into a run of level 0, newer than all others, and reads the
 * buckets with it.
 *
 * @param root the table's folder
 * @param branch the branch that is read
 * @param partition values of the partition columns
 * @param totalBuckets number of buckets of the partition
 * @param staged all staged files of the partition, in the order of writing
 * @param buckets at least one; all files of each
 */
public record StagedSplit(
    Location root,
    String branch,
    BinaryRow partition,
    int totalBuckets,
    List<StagedFile> staged,
    List<BucketFiles> buckets)
    implements Split {
  private static final long serialVersionUID = 1L;

  /** Copies the lists. */
  public StagedSplit {
    staged = List.copyOf(staged);
    buckets = List.copyOf(buckets);
  }

  /** The first of the buckets. */
  @Override
  public int bucket() {
    return buckets.get(0).bucket();
  }

  @Override
  public List<ScanUnit> units() {
    return List.of();
  }

  @Override
  public Stream<DataFile> dataFiles() {
    return Stream.concat(
        staged.stream().map(StagedFile::file),
        buckets.stream().flatMap(bucket -> bucket.files().stream()));
  }

  @Override
  public long size() {
    return dataFiles().mapToLong(DataFile::size).sum();
  }

  /** Staged rows count in each split of the partition. */
  @Override
  public long rowCount() {
    return dataFiles().mapToLong(DataFile::rowCount).sum();
  }
}
