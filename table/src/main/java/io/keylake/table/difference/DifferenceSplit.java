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

package io.keylake.table.difference;

import io.keylake.format.row.BinaryRow;
import io.keylake.table.lsm.KeyRange;
import java.io.Serializable;
import java.util.List;

/**
 * Files whose rows are compared with one another to find what two states of a bucket differ in, or
 * of a range of its keys. The differences of all splits together are those of the states: no split
 * needs to know of another.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number; the first of them where a partition has got another number of
 *     buckets and is compared as a whole
 * @param keys the keys that are compared; files may have others. All for append tables
 * @param comparesSequence whether sequence numbers (and user sequence fields) must be compared to
 *     order the rows of a key; false when in both states the rows of each run are newer than those
 *     of all runs behind it
 * @param files at least one of which is not {@link DifferenceFile#isShared}; by smallest key, or in
 *     the order of writing
 * @param size about how many bytes of the files have these keys
 */
public record DifferenceSplit(
    BinaryRow partition,
    int bucket,
    KeyRange keys,
    boolean comparesSequence,
    List<DifferenceFile> files,
    long size)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public DifferenceSplit {
    files = List.copyOf(files);
  }

  /** About how many rows differ at most: those of files that are not shared. */
  public long rowCount() {
    return files.stream()
        .filter(file -> !file.isShared())
        .mapToLong(file -> file.file().rowCount())
        .sum();
  }
}
