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

import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.support.OptionChanges;
import java.time.Clock;
import java.util.List;

/**
 * Applies changes to a schema. The rules for columns are in {@link SchemaDraft}, those for options
 * in {@link OptionChanges}; the result obeys those of a new table, too. Immutable.
 */
public final class SchemaEvolution {
  /** Whether data may depend on the definition. */
  public enum History {
    /** The table has never been written. */
    EMPTY,
    HAS_SNAPSHOTS
  }

  private final String table;
  private final Clock clock;

  /**
   * For the table of this name, which messages give; new schemas take their time from the clock.
   */
  public SchemaEvolution(String table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /** The name of the table. */
  String table() {
    return table;
  }

  /**
   * The successor of {@code schema} with all changes applied in order.
   *
   * @throws io.keylake.format.errors.InvalidRequestException when one of them is not allowed
   */
  public TableSchema apply(TableSchema schema, List<SchemaChange> changes, History history) {
    SchemaDraft draft = new SchemaDraft(schema, table, history);
    changes.forEach(change -> change.applyTo(draft));
    switch (history) {
      case EMPTY -> OptionChanges.checkEmpty(schema, draft.requestedOptions(), table);
      case HAS_SNAPSHOTS -> OptionChanges.checkFilled(schema, draft.requestedOptions(), table);
    }
    TableSchema changed = draft.toSchema(Math.max(clock.millis(), schema.timeMillis()));
    DefinitionRules rules = new DefinitionRules(table);
    rules.check(changed);
    rules.checkDefaults(changed.fields(), schema.fields());
    return changed;
  }
}
