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

package io.keylake.spark.write;

import io.keylake.format.row.BinaryRow;
import io.keylake.table.commit.BucketChange;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * What one task wrote.
 *
 * @param changes one of each bucket
 * @param overrides files of rows that stand for their keys, of each bucket that has some; they do
 *     not become part of the table
 * @param repeatedKey a key of which the task was given more than one row, as text; null = none
 * @param givenPartitions where keys move between partitions: those that rows came with
 */
public record BucketWriteMessage(
    List<BucketChange> changes,
    List<BucketChange> overrides,
    @Nullable String repeatedKey,
    Set<BinaryRow> givenPartitions)
    implements WriterCommitMessage {
  private static final long serialVersionUID = 1L;

  /** Copies the lists. */
  public BucketWriteMessage {
    changes = List.copyOf(changes);
    overrides = List.copyOf(overrides);
    givenPartitions = Set.copyOf(givenPartitions);
  }

  /** Rows in the written files that are not deletes. */
  public long rows() {
    return changes.stream()
        .flatMap(change -> change.written().added().stream())
        .mapToLong(
            file -> file.rowCount() - (file.deleteRowCount() == null ? 0 : file.deleteRowCount()))
        .sum();
  }
}
