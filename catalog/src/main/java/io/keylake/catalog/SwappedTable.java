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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.TableStorage;
import java.util.ArrayList;
import java.util.List;

/**
 * A table that is replaced with all its history: the new one is made aside and takes the place of
 * the old one when it is complete; then the old files go.
 *
 * @param made the new table
 * @param old the old table's files
 * @param aside the new table's files
 * @param folder the folder that both pass through
 */
record SwappedTable(NewTable made, TableStorage old, TableStorage aside, Location folder)
    implements StagedChange {
  private static final String REPLACED = "replaced";

  /** Refuses when tags or branches would go with the old history. */
  static void checkNothingElseRefersTo(TableStorage storage) {
    List<String> references = new ArrayList<>(storage.tags().names());
    storage.branches().all().forEach(branch -> references.add(branch.name()));
    if (!references.isEmpty()) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Cannot replace table "
              + storage.name()
              + ": its partition columns, primary key or kind of buckets change, so its history"
              + " ends, but these tags and branches keep parts of it: "
              + references
              + ". Delete them first.");
    }
  }

  @Override
  public void publish() {
    made.publish();
  }

  @Override
  public void takeBack() {
    discard();
  }

  @Override
  public void finish() {
    FileIO io = old.io();
    Location place = old.layout().root();
    Location replaced = folder.child(REPLACED);
    String schemas = old.layout().schemaFolder().name();
    io.renameFolder(place, replaced, schemas);
    try {
      io.renameFolder(aside.layout().root(), place, schemas);
    } catch (RuntimeException failure) {
      io.renameFolder(replaced, place, schemas);
      throw failure;
    }
    io.deleteFolder(folder);
  }

  @Override
  public void discard() {
    old.io().deleteFolder(folder);
  }

  @Override
  public void commitWithoutRows() {
    made.commitWithoutRows();
  }
}
