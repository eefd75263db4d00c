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
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;

/** A table that does not exist yet: it does from the moment its first schema is published. */
record NewTable(TableStorage storage, TableSchema schema) implements StagedChange {
  /** Makes the table exist; false when it does already. */
  static boolean publish(TableStorage storage, TableSchema schema) {
    if (storage.snapshots().latestId().isPresent()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Cannot create table "
              + storage.name()
              + ": "
              + storage.layout().root()
              + " holds snapshots of a table that has lost its schema. Move the folder away.");
    }
    return storage.schemas().publish(schema) == FileIO.Publication.PUBLISHED;
  }

  @Override
  public void publish() {
    if (!publish(storage, schema)) {
      throw new CommitConflictException(
          Condition.KEYLAKE_CONCURRENT_MODIFICATION,
          "Cannot create table "
              + storage.name()
              + ": another session created it while the query ran. Drop it or use another name.");
    }
  }

  @Override
  public void takeBack() {
    if (storage.snapshots().latestId().isEmpty()) {
      storage.io().delete(storage.layout().schema(schema.id()));
      discard();
    }
  }

  @Override
  public void finish() {}

  /** Deletes the folders that tasks left; never a file, which may be another session's. */
  @Override
  public void discard() {
    Location root = storage.layout().root();
    if (!holdsFile(root)) {
      storage.io().deleteFolder(root);
    }
  }

  private boolean holdsFile(Location folder) {
    for (FileStatus child : storage.io().list(folder)) {
      if (!child.isDirectory() || holdsFile(child.location())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void commitWithoutRows() {}
}
