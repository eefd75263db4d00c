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
import io.keylake.table.split.Split;
import java.util.List;
import java.util.stream.Collectors;

/** The smallest work that a trigger takes or leaves: it is never cut. */
sealed interface WorkPiece {
  /** How much it is. */
  WorkSize size();

  /** The partition whose rows it has. */
  BinaryRow partition();

  /** The bucket whose rows it has. */
  int bucket();

  /** What tells it from all other pieces of its snapshot. */
  String identity();

  /**
   * Rows of a whole version.
   *
   * @param splits read one after another; at least one
   */
  record OfVersion(List<Split> splits) implements WorkPiece {
    public OfVersion {
      splits = List.copyOf(splits);
    }

    @Override
    public WorkSize size() {
      long files = 0;
      long rows = 0;
      long bytes = 0;
      for (Split split : splits) {
        files += split.units().isEmpty() ? split.dataFiles().count() : split.units().size();
        rows += split.rowCount();
        bytes += split.size();
      }
      return new WorkSize(files, rows, bytes);
    }

    @Override
    public BinaryRow partition() {
      return splits.get(0).partition();
    }

    @Override
    public int bucket() {
      return splits.get(0).bucket();
    }

    @Override
    public String identity() {
      return splits.stream()
          .map(
              split ->
                  split.dataFiles().map(file -> file.name()).collect(Collectors.joining(","))
                      + split.units().stream()
                          .map(unit -> ":" + unit.start() + "+" + unit.length())
                          .collect(Collectors.joining()))
          .collect(Collectors.joining(";"));
    }
  }

  /**
   * Changes of one bucket in one commit.
   *
   * @param split what is read
   * @param totalBuckets number of buckets of the partition; -1 where rows choose no bucket
   */
  record OfCommit(ChangeSplit split, int totalBuckets) implements WorkPiece {
    @Override
    public WorkSize size() {
      return new WorkSize(split.dataFiles().count(), split.rowCount(), split.size());
    }

    @Override
    public BinaryRow partition() {
      return split.partition();
    }

    @Override
    public int bucket() {
      return split.bucket();
    }

    @Override
    public String identity() {
      return split.dataFiles().map(file -> file.name()).collect(Collectors.joining(","));
    }
  }
}
