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

package io.keylake.catalog;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.KeylakeTable;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A table whose definition is replaced and whose rows are overwritten, in one history: the next
 * schema has columns with fresh ids, so that rows of old files show in none of them, and old
 * snapshots keep theirs.
 *
 * @param storage the table's files
 * @param table the table as it will be
 * @param replaced the schema that is replaced
 * @param schema the schema that follows it
 * @param clock tells when the old definition is restored
 */
record ReplacedDefinition(
    TableStorage storage, KeylakeTable table, TableSchema replaced, TableSchema schema, Clock clock)
    implements StagedChange {
  @Override
  public void publish() {
    if (storage.schemas().publish(schema) != FileIO.Publication.PUBLISHED) {
      throw new CommitConflictException(
          Condition.KEYLAKE_CONCURRENT_MODIFICATION,
          "Cannot replace table "
              + storage.name()
              + ": another session changed its definition while the query ran. Run the statement"
              + " again.");
    }
  }

  /** Publishes the old definition again, unless the rows or another change came after all. */
  @Override
  public void takeBack() {
    OptionalLong newest = storage.schemas().latestId();
    Optional<Snapshot> snapshot = storage.snapshots().latest();
    boolean committed = snapshot.isPresent() && snapshot.get().schemaId() >= schema.id();
    if (committed || newest.isEmpty() || newest.getAsLong() != schema.id()) {
      return;
    }
    TableSchema restored =
        new TableSchema(
            replaced.version(),
            schema.id() + 1,
            replaced.fields(),
            schema.highestFieldId(),
            replaced.partitionKeys(),
            replaced.primaryKeys(),
            replaced.options(),
            replaced.comment(),
            clock.millis(),
            replaced.unknown());
    FileIO.Publication publication = storage.schemas().publish(restored);
    if (publication != FileIO.Publication.PUBLISHED) {
      throw new CommitConflictException(
          Condition.KEYLAKE_CONCURRENT_MODIFICATION,
          "Cannot restore the definition of table "
              + storage.name()
              + " from schema "
              + replaced.id()
              + ": another session changed it. Check its columns.");
    }
  }

  @Override
  public void finish() {}

  @Override
  public void discard() {}

  @Override
  public void commitWithoutRows() {
    if (storage.snapshots().latestId().isPresent()) {
      table.truncateTable();
    }
  }
}
