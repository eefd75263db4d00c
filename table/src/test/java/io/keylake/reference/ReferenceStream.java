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

package io.keylake.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.StreamTableScan;

/** What the reference implementation delivers to a stream that follows a table. */
public final class ReferenceStream {
  private static final int IDLE_STEPS = 20;

  private ReferenceStream() {}

  /**
   * The rows of all snapshots from the first one on, by the snapshot that brings them. Each is its
   * kind, a space, and canonical JSON.
   *
   * @param until the last snapshot that is followed
   */
  public static Map<Long, List<String>> changes(ReferenceTable reference, long until)
      throws Exception {
    FileStoreTable table =
        reference.load(Map.of("scan.mode", "from-snapshot", "scan.snapshot-id", "1"));
    ReadBuilder builder = table.newReadBuilder();
    StreamTableScan scan = builder.newStreamScan();
    Map<Long, List<String>> changes = new TreeMap<>();
    int idle = 0;
    Long next = scan.checkpoint();
    while ((next == null || next <= until) && idle < IDLE_STEPS) {
      Long before = next;
      List<Split> splits = scan.plan().splits();
      for (Split split : splits) {
        changes
            .computeIfAbsent(((DataSplit) split).snapshotId(), any -> new ArrayList<>())
            .addAll(rows(builder, split, table));
      }
      next = scan.checkpoint();
      idle = splits.isEmpty() && Objects.equals(before, next) ? idle + 1 : 0;
    }
    return changes;
  }

  private static List<String> rows(ReadBuilder builder, Split split, FileStoreTable table)
      throws Exception {
    List<String> lines = new ArrayList<>();
    try (IOManager io = ReferenceTable.io();
        RecordReaderIterator<InternalRow> rows =
            new RecordReaderIterator<>(builder.newRead().withIOManager(io).createReader(split))) {
      while (rows.hasNext()) {
        InternalRow row = rows.next();
        lines.add(row.getRowKind().shortString() + " " + ReferenceValues.out(row, table.rowType()));
      }
    }
    return lines;
  }
}
