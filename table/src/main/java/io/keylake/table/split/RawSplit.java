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
import java.util.List;
import java.util.stream.Stream;

/**
 * Files that need no merging: their batches are handed on as they are, but for deletion vectors.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param units in the order in which they are read; none has probes
 */
public record RawSplit(BinaryRow partition, int bucket, List<ScanUnit> units) implements Split {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public RawSplit {
    units = List.copyOf(units);
  }

  @Override
  public Stream<DataFile> dataFiles() {
    return units.stream().map(ScanUnit::file);
  }

  @Override
  public long size() {
    return units.stream().mapToLong(ScanUnit::length).sum();
  }

  @Override
  public long rowCount() {
    return MergeSplit.rows(units);
  }
}
