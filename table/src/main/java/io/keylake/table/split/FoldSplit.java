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
import io.keylake.format.row.BinaryRow;
import io.keylake.table.lsm.KeyRange;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files of several runs whose rows are folded: the rows of a key together make a row that none of
 * them has. All runs are read side by side, in the order of keys.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param keys the keys that are read; files may have others
 * @param comparesSequence whether sequence numbers (and user sequence fields) must be compared to
 *     order the rows of a key; false when the rows of each run are newer than those of all runs
 *     behind it
 * @param files by run, newest first, then by smallest key
 * @param size about how many bytes of the files have these keys
 */
public record FoldSplit(
    BinaryRow partition,
    int bucket,
    KeyRange keys,
    boolean comparesSequence,
    List<FoldFile> files,
    long size)
    implements Split {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public FoldSplit {
    files = List.copyOf(files);
  }

  @Override
  public List<ScanUnit> units() {
    return List.of();
  }

  @Override
  public Stream<DataFile> dataFiles() {
    return files.stream().map(FoldFile::file);
  }

  @Override
  public long rowCount() {
    long rows = 0;
    long bytes = 0;
    for (FoldFile file : files) {
      rows += file.file().rowCount();
      bytes += file.file().size();
    }
    return Math.round((double) rows * size / Math.max(1, bytes));
  }
}
