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

package io.keylake.spark.write.change;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.conf.BeforeImage;
import io.keylake.table.options.CommitOptions.KeyUpdate;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.ColumnRule;
import io.keylake.table.options.engine.EngineRules;
import io.keylake.table.options.engine.EngineRules.Retracts;
import java.io.Serializable;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.jspecify.annotations.Nullable;

/**
 * How a statement's changes are written. Travels to executors.
 *
 * @param command the statement
 * @param purpose what it is for
 * @param table the table's name, for messages
 * @param schema a schema with a primary key
 * @param keyUpdate what becomes of an update that changes the key
 * @param before what comes with each row as it was; null = nothing
 */
public record ChangeRules(
    Command command,
    Purpose purpose,
    String table,
    TableSchema schema,
    KeyUpdate keyUpdate,
    @Nullable BeforeImage before)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** How a key is removed. */
  enum Removal {
    /** By a record of kind -D that keeps what it must of the row. */
    RECORD,
    /** By an override. */
    OVERRIDE
  }

  /** The rules of a statement on a table. */
  public static ChangeRules of(
      Command command, String table, TableSchema schema, KeyUpdate keyUpdate) {
    return of(command, Purpose.STATEMENT, table, schema, keyUpdate);
  }

  /** The rules of a statement on a table that serves a purpose. */
  static ChangeRules of(
      Command command, Purpose purpose, String table, TableSchema schema, KeyUpdate keyUpdate) {
    return new ChangeRules(
        command, purpose, table, schema, keyUpdate, BeforeImage.of(schema, command).orElse(null));
  }

  MergeOptions merge() {
    return TableOptions.of(schema).merge();
  }

  EngineRules engine() {
    return EngineRules.of(schema, table);
  }

  /** Whether the changelog gets rows as they were and as they are. */
  boolean tellsImages() {
    return purpose == Purpose.STATEMENT && merge().changelogProducer() == ChangelogProducer.INPUT;
  }

  /**
   * How keys are removed.
   *
   * <ol>
   *   <li>Where the engine passes rows of kind -D over, or takes them back column by column, they
   *       do not remove keys.
   *   <li>A row of kind -D that removes a key leaves its own values to rows that follow. They are
   *       NULL, which is as good as none, but in columns that are NOT NULL: there a following row
   *       of partial-update has a value of its own, one of aggregation would be added to it.
   *   <li>New rows of an overwrite may have the keys that it removes, and are written by other
   *       tasks.
   * </ol>
   */
  Removal removal() {
    if (purpose == Purpose.OVERWRITE) {
      return Removal.OVERRIDE;
    }
    EngineRules rules = engine();
    boolean byRecord;
    if (rules instanceof EngineRules.Deduplicate deduplicate) {
      byRecord = !deduplicate.skipsRetracts();
    } else if (rules instanceof EngineRules.PartialUpdate partial) {
      byRecord = partial.retracts() == Retracts.REMOVE_ON_DELETE;
    } else if (rules instanceof EngineRules.Aggregation aggregation) {
      byRecord = aggregation.removesOnDelete() && leavesNothing(aggregation);
    } else {
      byRecord = false;
    }
    return byRecord ? Removal.RECORD : Removal.OVERRIDE;
  }

  private boolean leavesNothing(EngineRules.Aggregation aggregation) {
    for (int i = 0; i < schema.fields().size(); i++) {
      ColumnRule rule = aggregation.columns().get(i);
      boolean isSequence = merge().sequenceFields().contains(schema.fields().get(i).name());
      boolean isGone =
          rule.function() == Plain.KEY
              || isSequence
              || schema.fields().get(i).type().nullable() && !keepsFirst(rule);
      if (!isGone) {
        return false;
      }
    }
    return true;
  }

  /** For these functions the row of kind -D is the first one, whatever it holds. */
  private static boolean keepsFirst(ColumnRule rule) {
    return rule.function() == Plain.FIRST_VALUE || rule.function() == Plain.FIRST_NON_NULL_VALUE;
  }
}
