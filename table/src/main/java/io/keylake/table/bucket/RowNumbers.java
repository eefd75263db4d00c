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

package io.keylake.table.bucket;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.schema.SystemColumns;
import java.util.ArrayList;
import java.util.List;

/**
 * What a commit adds to a table whose rows have ids, with its numbers.
 *
 * <ol>
 *   <li>New files of a write get the id of the snapshot as the sequence number of their rows.
 *   <li>Those of them that do not store ids get consecutive ids from the counter of the snapshot
 *       before, in the order of the entries.
 *   <li>What a compaction made keeps the numbers that its rows store.
 * </ol>
 *
 * Rule source: table format, row tracking at commit; pinned by {@code RowNumbersTest}.
 *
 * @param added the entries
 * @param nextRowId the counter after them
 */
public record RowNumbers(List<ManifestEntry> added, long nextRowId) {
  /** Copies the list. */
  public RowNumbers {
    added = List.copyOf(added);
  }

  /**
   * Numbers files.
   *
   * @param firstRowId the counter before them
   * @param snapshotId the snapshot that adds them
   */
  public static RowNumbers of(List<ManifestEntry> added, long firstRowId, long snapshotId) {
    List<ManifestEntry> numbered = new ArrayList<>();
    long next = firstRowId;
    for (ManifestEntry entry : added) {
      DataFile file = entry.file();
      if (file.source() != FileSource.APPEND || file.firstRowId() != null) {
        numbered.add(entry);
        continue;
      }
      List<String> columns = file.writeColumns();
      boolean storesIds = columns != null && columns.contains(SystemColumns.ROW_ID.name());
      numbered.add(with(entry, file.numbered(snapshotId, storesIds ? null : Long.valueOf(next))));
      next += storesIds ? 0 : file.rowCount();
    }
    return new RowNumbers(numbered, next);
  }

  private static ManifestEntry with(ManifestEntry entry, DataFile file) {
    return new ManifestEntry(
        entry.kind(), entry.partition(), entry.bucket(), entry.totalBuckets(), file);
  }
}
