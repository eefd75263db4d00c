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

package io.keylake.table.expiry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.JsonFile;
import io.keylake.table.options.CommitKeys;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Marks partitions as done by the file {@code _SUCCESS} in their folder, which says when it was
 * made and when it was renewed last.
 *
 * <p>Rule source: table format, success files. Pinned by {@code CleanupSparkTest}.
 */
public final class PartitionMarks {
  private static final String FILE = "_SUCCESS";
  private static final String CREATED = "creationTime";
  private static final String MODIFIED = "modificationTime";
  private static final String SUCCESS_FILE = "success-file";

  private final HistoryTable table;
  private final Clock clock;

  /**
   * The marks of a table's partitions.
   *
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_OPTION when the table asks for another
   *     mark than a file
   */
  public PartitionMarks(HistoryTable table, Clock clock) {
    this.table = table;
    this.clock = clock;
    for (String action : CommitKeys.MARK_DONE_ACTION.read(table.options().asMap()).split(",", -1)) {
      if (!action.strip().equals(SUCCESS_FILE)) {
        throw new UnsupportedTableException(
            Condition.KEYLAKE_UNSUPPORTED_OPTION,
            "Cannot mark partitions of "
                + table.storage().name()
                + " as done: this version does not support '"
                + action.strip()
                + "' in the option 'partition.mark-done-action'. Use 'success-file'.",
            null);
      }
    }
  }

  /** Where a partition's mark is. */
  public Location file(BinaryRow partition) {
    return table.addresses().bucketFolder(partition, 0).parent().child(FILE);
  }

  /** When the partition was marked first, milliseconds since the epoch; empty when it is not. */
  public OptionalLong created(BinaryRow partition) {
    Location file = file(partition);
    Optional<byte[]> content = table.storage().io().readIfExists(file);
    return content.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(JsonFile.parse(content.get(), file.path()).requiredLong(CREATED));
  }

  /** Marks a partition, or renews its mark. */
  public void mark(BinaryRow partition) {
    long now = clock.millis();
    ObjectNode json = JsonFile.newObject();
    json.put(CREATED, created(partition).orElse(now));
    json.put(MODIFIED, now);
    table.storage().io().overwrite(file(partition), JsonFile.write(json));
  }
}
