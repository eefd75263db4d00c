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
 * @param aboveLevelZero whether they do so above level 0
 */
record MergeRules(Merging merging, AboveLevelZero aboveLevelZero) {
  /** Whether files hide rows of one another, and what decides. */
  enum Merging {
    /** Rows have no key: every stored row is a row of the table, but for deletion vectors. */
    APPEND,
    /** What may be outdated is not seen: every row seen counts, but for deletion vectors. */
    NEVER,
    /** The row of a key with the greatest sequence number counts. */
    BY_KEY,
    /** User sequence fields count before the sequence number. */
    BY_USER_SEQUENCE
  }

  /** Whether a key may occur on several levels above 0. */
  enum AboveLevelZero {
    /** Outdated rows are marked in deletion vectors, or never written. */
    DISJOINT,
    OVERLAPPING
  }

  static MergeRules of(TableSchema schema, TableOptions options) {
    if (!schema.hasPrimaryKey()) {
      return new MergeRules(Merging.APPEND, AboveLevelZero.DISJOINT);
    }
    MergeOptions merge = options.merge();
    boolean firstRow = merge.engine() == Engine.FIRST_ROW;
    boolean disjoint = firstRow || (merge.deletionVectors() && !options.vectorsMayBeMissing());
    boolean compacted = options.scan().visibility() == Visibility.COMPACTED;
    if (compacted && (firstRow || merge.deletionVectors())) {
      return new MergeRules(Merging.NEVER, AboveLevelZero.DISJOINT);
    }
    return new MergeRules(
        merge.sequenceFields().isEmpty() ? Merging.BY_KEY : Merging.BY_USER_SEQUENCE,
        disjoint ? AboveLevelZero.DISJOINT : AboveLevelZero.OVERLAPPING);
  }
}
