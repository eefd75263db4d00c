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

package io.keylake.table.evolution;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.evolution.SchemaEvolution.History;
import io.keylake.table.options.support.WriteSupport;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Publishes changes of a table's definition: reads the newest schema, applies the changes,
 * publishes the result as the next one, and starts again when another writer published first.
 */
public final class SchemaUpdate {
  private static final int ATTEMPTS = 20;

  private final SchemaStore store;
  private final SchemaEvolution evolution;

  /** Changes the table of {@code store} by the rules of {@code evolution}. */
  public SchemaUpdate(SchemaStore store, SchemaEvolution evolution) {
    this.store = store;
    this.evolution = evolution;
  }

  /**
   * Applies the changes to the newest schema and returns the result, which is the newest schema
   * itself when nothing changes. {@code history} is asked anew for each attempt.
   *
   * @throws InvalidRequestException when a change is not allowed, or the table does not exist
   * @throws CommitConflictException when other writers kept coming first
   */
  public TableSchema commit(List<SchemaChange> changes, Supplier<History> history) {
    return commit(changes, history, (before, after) -> {});
  }

  /**
   * The same with a further check, which is given the newest schema and the one that would follow.
   */
  public TableSchema commit(
      List<SchemaChange> changes,
      Supplier<History> history,
      BiConsumer<TableSchema, TableSchema> check) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      TableSchema newest = store.latest().orElseThrow(this::noTable);
      TableSchema changed = evolution.apply(newest, changes, history.get());
      if (isSameDefinition(newest, changed)) {
        return newest;
      }
      WriteSupport.checkDefinition(changed, evolution.table());
      check.accept(newest, changed);
      if (store.publish(changed) == FileIO.Publication.PUBLISHED) {
        return changed;
      }
    }
    throw new CommitConflictException(
        Condition.KEYLAKE_CONCURRENT_MODIFICATION,
        "Cannot change the definition of table "
            + evolution.table()
            + ": other writers changed it first, "
            + ATTEMPTS
            + " times. Nothing was changed; run the statement again.");
  }

  private static boolean isSameDefinition(TableSchema one, TableSchema other) {
    return one.fields().equals(other.fields())
        && one.primaryKeys().equals(other.primaryKeys())
        && one.options().equals(other.options())
        && Objects.equals(one.comment(), other.comment());
  }

  private InvalidRequestException noTable() {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "Cannot change the definition of table "
            + evolution.table()
            + ": it does not exist any more. Check its name.");
  }
}
