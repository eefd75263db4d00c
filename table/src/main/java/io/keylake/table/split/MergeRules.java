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

package io.keylake.table.split;

import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.MergeOptions.Engine;
import io.keylake.table.options.ScanOptions.Visibility;
import io.keylake.table.options.TableOptions;

/**
 * How files of one bucket of a table relate.
 *
 * @param merging whether they hide rows of one another
 * @param order what orders the rows of a key
 * @param aboveLevelZero whether they do so above level 0
 */
record MergeRules(Merging merging, VersionOrder order, AboveLevelZero aboveLevelZero) {
  /** Whether files hide rows of one another, and what decides. */
  enum Merging {
    /** Rows have no key: every stored row is a row of the table, but for deletion vectors. */
    APPEND,
    /** What may be outdated is not seen: every row seen counts, but for deletion vectors. */
    NEVER,
    /** The last row of a key counts. */
    LAST_ROW,
    /** The first row of a key counts; a row above level 0 comes before all of level 0. */
    FIRST_ROW,
    /** The rows of a key together make the row that counts. */
    COMPUTED
  }

  /** What orders the rows of a key. */
  enum VersionOrder {
    SEQUENCE_NUMBER,
    /** User sequence fields come before the sequence number. */
    USER_SEQUENCE
  }

  /** Whether a key may occur on several levels above 0. */
  enum AboveLevelZero {
    /** Outdated rows are marked in deletion vectors, or never written. */
    DISJOINT,
    OVERLAPPING
  }

  static MergeRules of(TableSchema schema, TableOptions options) {
    if (!schema.hasPrimaryKey()) {
      return unmerged(Merging.APPEND);
    }
    MergeOptions merge = options.merge();
    boolean firstRow = merge.engine() == Engine.FIRST_ROW;
    boolean disjoint = firstRow || (merge.deletionVectors() && !options.vectorsMayBeMissing());
    boolean compacted = options.scan().visibility() == Visibility.COMPACTED;
    if (compacted && (firstRow || merge.deletionVectors())) {
      return unmerged(Merging.NEVER);
    }
    return new MergeRules(
        switch (merge.engine()) {
          case DEDUPLICATE -> Merging.LAST_ROW;
          case FIRST_ROW -> Merging.FIRST_ROW;
          case PARTIAL_UPDATE, AGGREGATION -> Merging.COMPUTED;
        },
        merge.sequenceFields().isEmpty()
            ? VersionOrder.SEQUENCE_NUMBER
            : VersionOrder.USER_SEQUENCE,
        disjoint ? AboveLevelZero.DISJOINT : AboveLevelZero.OVERLAPPING);
  }

  private static MergeRules unmerged(Merging merging) {
    return new MergeRules(merging, VersionOrder.SEQUENCE_NUMBER, AboveLevelZero.DISJOINT);
  }
}
