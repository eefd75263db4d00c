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

package io.keylake.spark.merge.runs;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.table.options.MergeOptions;

/** Decides what becomes of a key of which several runs hold a row: the rule of a merge engine. */
interface KeyFold {
  /** Adds the key of {@code versions}, of which there are at least two, to {@code keys}. */
  void fold(KeyVersions versions, MergedKeys keys);

  /** The rule of a table. */
  static KeyFold of(String table, TableSchema schema, MergeOptions merge) {
    return switch (merge.engine()) {
      case DEDUPLICATE -> new NewestOfKey(new SequenceOrder(schema, merge));
      case PARTIAL_UPDATE, AGGREGATION, FIRST_ROW ->
          throw new UnsupportedTableException(
              Condition.KEYLAKE_UNSUPPORTED_FEATURE,
              "Table "
                  + table
                  + " has the merge engine "
                  + merge.engine()
                  + ", whose rows cannot be compacted. Set 'write-only' = 'true' and compact the"
                  + " table with another engine.");
    };
  }
}
