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
 * Files of which each row must be checked against other runs: every unit is scanned once and masked
 * by its probes.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param units ordered by smallest key, so that a task covers a contiguous range of keys
 */
public record MergeSplit(BinaryRow partition, int bucket, List<ScanUnit> units) implements Split {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public MergeSplit {
    units = List.copyOf(units);
  }

  @Override
  public Stream<DataFile> dataFiles() {
    return units.stream()
        .flatMap(
            unit -> Stream.concat(Stream.of(unit.file()), unit.probes().stream().map(Probe::file)));
  }

  @Override
  public long size() {
    return units.stream().mapToLong(ScanUnit::length).sum();
  }

  @Override
  public long rowCount() {
    return rows(units);
  }

  static long rows(List<ScanUnit> units) {
    long rows = 0;
    for (ScanUnit unit : units) {
      long size = Math.max(1, unit.file().size());
      rows += Math.round((double) unit.file().rowCount() * unit.length() / size);
    }
    return rows;
  }
}
