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

package io.keylake.spark;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.types.DataField;
import io.keylake.table.options.TimeTravelOptions;
import java.util.Map;

/**
 * What options of one scan or write choose, once the table with its columns is loaded: another
 * branch, another version. Columns stay those of the loaded table, matched by id, because Spark has
 * resolved the statement with them; where that would be misleading the choice is refused.
 */
final class OptionVersions {
  private static final String BRANCH = "branch";

  private final TableVersion loaded;

  OptionVersions(TableVersion loaded) {
    this.loaded = loaded;
  }

  /** The version a scan reads; the loaded one when the options choose none. */
  TableVersion chosen(Map<String, String> options, TimeTravelOptions travel) {
    TableVersion onBranch = onBranch(options);
    if (travel.isLatest() || loaded.choice() == TableVersion.Choice.NAMED) {
      return onBranch;
    }
    TableStorage storage = onBranch.storage();
    Snapshot snapshot = TableVersion.snapshot(storage, travel).orElseThrow();
    checkColumns(snapshot, storage.schemas().load(snapshot.schemaId()));
    return new TableVersion(
        loaded.name(), storage, loaded.schema(), snapshot, TableVersion.Choice.NAMED);
  }

  /** The newest version of the branch that the options choose. */
  TableVersion onBranch(Map<String, String> options) {
    String branch = options.get(BRANCH);
    if (branch == null || branch.equals(loaded.storage().layout().branch())) {
      return loaded;
    }
    TableVersion newest = TableVersion.newest(loaded.name(), loaded.storage().onBranch(branch));
    if (!newest.schema().fields().equals(loaded.schema().fields())) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Branch " + branch + " of " + loaded.name().text() + " has other columns. " + by(branch));
    }
    return newest;
  }

  private String by(String branch) {
    return "Name it in the statement: `" + loaded.name().table() + "$branch_" + branch + "`.";
  }

  private void checkColumns(Snapshot chosen, TableSchema then) {
    boolean unrelated =
        loaded.schema().fields().stream()
            .noneMatch(field -> then.rowType().fieldById(field.id()).isPresent());
    for (DataField field : loaded.schema().fields()) {
      boolean missing = then.rowType().fieldById(field.id()).isEmpty();
      if (missing && (unrelated || !field.type().nullable())) {
        throw new InvalidRequestException(
            Condition.KEYLAKE_INVALID_REQUEST,
            "Snapshot "
                + chosen.id()
                + " of "
                + loaded.name().text()
                + " has other columns than the table today: it lacks "
                + field.name()
                + ". Read it with VERSION AS OF "
                + chosen.id()
                + ", which shows its own columns.");
      }
    }
  }

  /** Checks that options do not send a write elsewhere than to the loaded table. */
  void checkWrite(Map<String, String> options) {
    String branch = options.get(BRANCH);
    if (branch != null && !branch.equals(loaded.storage().layout().branch())) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "The option 'branch' = '" + branch + "' does not choose where to write. " + by(branch));
    }
  }
}
