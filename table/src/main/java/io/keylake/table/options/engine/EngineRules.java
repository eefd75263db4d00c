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

package io.keylake.table.options.engine;

import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.MergeOptions;
import java.io.Serializable;
import java.util.List;

/**
 * How rows of equal key combine, for one table. Rows of a key are looked at in one order: by the
 * table's sequence fields, then by sequence number, then the newer run last.
 *
 * <p>Rule source: table behaviour, merge engines.
 */
public sealed interface EngineRules extends Serializable {
  /**
   * The last row stands.
   *
   * @param skipsRetracts whether rows of kind -U and -D are passed over
   */
  record Deduplicate(boolean skipsRetracts) implements EngineRules {}

  /**
   * The first row stands; a row above level 0 comes before all of level 0.
   *
   * @param skipsRetracts whether rows of kind -U and -D are passed over; else they are refused
   */
  record FirstRow(boolean skipsRetracts) implements EngineRules {}

  /**
   * Each column keeps its latest value that is not NULL; columns of a sequence group keep what the
   * group's own fields say is the latest.
   *
   * @param retracts what becomes of rows of kind -U and -D
   * @param groups the sequence groups; lane {@code g + 1} of a column is group {@code g}
   * @param columns the rule of each column of the table, in order
   */
  record PartialUpdate(Retracts retracts, List<SequenceGroup> groups, List<ColumnRule> columns)
      implements EngineRules {
    /** Copies the lists. */
    public PartialUpdate {
      groups = List.copyOf(groups);
      columns = List.copyOf(columns);
    }
  }

  /**
   * Each column is aggregated by a function of its own.
   *
   * @param removesOnDelete whether a row of kind -D removes the key; else it is retracted
   * @param columns the rule of each column of the table, in order; all of lane 0
   */
  record Aggregation(boolean removesOnDelete, List<ColumnRule> columns) implements EngineRules {
    /** Copies the list. */
    public Aggregation {
      columns = List.copyOf(columns);
    }
  }

  /**
   * No engine of a table, but how a write that sets some columns of a deduplicate table completes
   * its rows: one after the other, by what the key had before.
   *
   * @param sequence positions of the table's sequence fields: a row that ends up with older ones is
   *     late and does nothing
   * @param order which of two sequence fields is newer
   * @param columns how each column of the table is set, in order; all of lane 0
   */
  record Completion(List<Integer> sequence, MergeOptions.SortOrder order, List<ColumnRule> columns)
      implements EngineRules {
    /** Copies the lists. */
    public Completion {
      sequence = List.copyOf(sequence);
      columns = List.copyOf(columns);
    }
  }

  /** What becomes of rows of kind -U and -D in a partial-update table. */
  enum Retracts {
    /** They are passed over. */
    SKIPPED,
    /** -D removes the key, -U is passed over. */
    REMOVE_ON_DELETE,
    /** They take back the columns of their sequence groups. */
    BY_GROUP,
    /** They cannot be merged with other rows. */
    REFUSED
  }

  /** Whether folding a key gives values that no stored row has. */
  default boolean computesRows() {
    return this instanceof PartialUpdate
        || this instanceof Aggregation
        || this instanceof Completion;
  }

  /**
   * Whether the oldest rows of a key may be folded first, and what comes of it with the others:
   * that gives what folding all of them gives. Not with sequence groups: what is left of a
   * retracted row does not say all of what its group has seen.
   */
  default boolean foldsInPieces() {
    return !(this instanceof PartialUpdate update) || update.groups().isEmpty();
  }

  /**
   * The rules of a table.
   *
   * @param schema a schema with a primary key
   * @param table the table's name, for messages
   * @throws io.keylake.format.errors.InvalidRequestException KEYLAKE_INVALID_OPTION or
   *     KEYLAKE_COLUMN_NOT_FOUND when the options contradict each other or the columns
   */
  static EngineRules of(TableSchema schema, String table) {
    return EngineOptions.rules(schema, table);
  }
}
