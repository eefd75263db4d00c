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

package io.keylake.table.lsm;

import io.keylake.format.datafile.DataFile;
import java.util.List;

/**
 * Files of one level whose key ranges do not overlap.
 *
 * @param level their level
 * @param files ordered by smallest key; at least one
 */
public record SortedRun(int level, List<DataFile> files) {
  /** Copies the list. */
  public SortedRun {
    files = List.copyOf(files);
    if (files.isEmpty()) {
      throw new IllegalArgumentException("A sorted run has at least one file");
    }
  }

  /** Bytes of all files. */
  public long size() {
    return files.stream().mapToLong(DataFile::size).sum();
  }

  /** Stored rows of all files. */
  public long rowCount() {
    return files.stream().mapToLong(DataFile::rowCount).sum();
  }
}
