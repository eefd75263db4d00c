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
import io.keylake.table.options.CompactionOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.IndexedVector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the options of an append table say of its files.
 *
 * @param targetBytes size of a data file
 * @param smallBytes size below which a file is small
 * @param openCostBytes bytes that a file counts for besides its own
 * @param minFiles smallest number of small files that are put together, at least 2
 * @param maxFiles largest number of files that a minor compaction takes
 * @param deleteRatio share of deleted rows above which a file is rewritten
 * @param rewritesAllFiles whether a full compaction rewrites large files, too
 */
record AppendRules(
    long targetBytes,
    long smallBytes,
    long openCostBytes,
    int minFiles,
    int maxFiles,
    double deleteRatio,
    boolean rewritesAllFiles) {
  static AppendRules of(TableOptions options) {
    CompactionOptions.SmallFiles small = options.compaction().smallFiles();
    long target = options.dataFile().targetFileBytes();
    return new AppendRules(
        target,
        small.bytes(target),
        options.scan().splitOpenCostBytes(),
        Math.max(2, small.minFiles()),
        small.maxFiles(),
        small.deleteRatio(),
        options.compaction().fullness().rewritesAllFiles());
  }

  boolean isSmall(DataFile file) {
    return file.size() < smallBytes;
  }

  /** Whether so many rows are deleted that the file is rewritten; an unknown number is too many. */
  boolean isMuchDeleted(DataFile file, @Nullable IndexedVector vector) {
    if (vector == null) {
      return false;
    }
    Long deleted = vector.ref().cardinality();
    return deleted == null || deleted > file.rowCount() * deleteRatio;
  }

  /**
   * Cuts a list of files into bins that are written one by one: a bin ends when it has two files
   * and, with the cost of opening them, twice the target size.
   */
  List<List<DataFile>> bins(List<DataFile> files) {
    return cut(files, 0);
  }

  /**
   * The same, but a bin ends only where the last file that is written of it will not be small, so
   * that nothing is left for the next compaction.
   */
  List<List<DataFile>> fullBins(List<DataFile> files) {
    return cut(files, smallBytes);
  }

  private List<List<DataFile>> cut(List<DataFile> files, long smallestRest) {
    List<List<DataFile>> bins = new ArrayList<>();
    List<DataFile> bin = new ArrayList<>();
    long weight = 0;
    long bytes = 0;
    for (DataFile file : files) {
      bin.add(file);
      weight += file.size() + openCostBytes;
      bytes += file.size();
      if (bin.size() >= 2 && weight >= 2 * targetBytes && bytes % targetBytes >= smallestRest) {
        bins.add(bin);
        bin = new ArrayList<>();
        weight = 0;
        bytes = 0;
      }
    }
    if (!bin.isEmpty()) {
      bins.add(bin);
    }
    return bins;
  }

  /** Whether a bin is complete, so that it is written however few files it has. */
  boolean isComplete(List<DataFile> bin) {
    long bytes = bin.stream().mapToLong(DataFile::size).sum();
    return bin.size() >= 2 && bytes + bin.size() * openCostBytes >= 2 * targetBytes;
  }
}
