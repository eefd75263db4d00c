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

package io.keylake.spark.rowlevel.append;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.read.ReadTarget;
import io.keylake.spark.rowlevel.StatementScans;
import io.keylake.spark.write.WriteTarget;
import io.keylake.spark.write.change.Purpose;
import io.keylake.spark.write.change.Statement;
import io.keylake.table.evolution.TrackedRows;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ReadRange;
import java.util.List;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.jspecify.annotations.Nullable;

/**
 * What a statement works on. Lives on the driver.
 *
 * @param command what it does
 * @param purpose what that is for
 * @param read the version that its scan reads
 * @param write the same table for writing
 * @param scans the scans of the version that is read
 */
record AppendStatement(
    RowLevelOperation.Command command,
    Purpose purpose,
    ReadTarget read,
    WriteTarget write,
    StatementScans scans) {

  /** The files that the statement may have read rows of, of the version that it read. */
  List<BucketFiles> scanned() {
    return scans.candidates();
  }

  /** What must not have changed since that version; null = only the touched files. */
  @Nullable ReadRange readRange() {
    return scans.readRange(write.options().commit().isolation());
  }

  /**
   * The table for writing the new rows: without compaction, which might take away the very files of
   * which rows are deleted.
   */
  WriteTarget rows() {
    return write.withoutCompaction();
  }

  /** The same for rows that keep their ids. */
  WriteTarget trackedRows() {
    TableSchema stored = TrackedRows.stored(write.schema());
    return new WriteTarget(
        write.name(),
        write.storage(),
        stored,
        TableOptions.of(stored, write.options().asMap()),
        write.functions(),
        null,
        write.identity());
  }

  /** Its name among the properties of its snapshot. */
  String operation() {
    return Statement.operation(command, purpose);
  }
}
