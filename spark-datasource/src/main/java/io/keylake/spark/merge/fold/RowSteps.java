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

package io.keylake.spark.merge.fold;

import io.keylake.format.row.ChangeKind;
import io.keylake.format.types.DataField;
import io.keylake.spark.merge.function.FoldSteps;
import io.keylake.table.options.engine.ColumnRule;
import io.keylake.table.options.engine.EngineRules;
import java.util.List;

/** Finds out what the rows of a key do to its columns, by the rules of one engine. */
interface RowSteps {
  /** The number of lanes that columns may be in. */
  int lanes();

  /**
   * Adds what the rows of a key do: at least one entry, the first of which names the first row.
   *
   * @param begin the first row of the key
   * @param end the row behind its last one; there are at least two
   * @return the kind of the folded row
   */
  ChangeKind add(VersionBatch versions, int begin, int end, FoldSteps steps);

  /**
   * The steps of an engine that computes rows.
   *
   * @param fields the columns of the versions
   * @param columns the positions, in the table, of these columns
   */
  static RowSteps of(
      String table, EngineRules rules, List<DataField> fields, List<Integer> columns) {
    if (rules instanceof EngineRules.PartialUpdate partial) {
      return new PartialUpdateSteps(table, partial, fields, columns);
    } else if (rules instanceof EngineRules.Aggregation aggregation) {
      return new AggregationSteps(aggregation);
    } else if (rules instanceof EngineRules.Completion completion) {
      return new CompletionSteps(completion, fields, columns);
    }
    throw notComputed(rules);
  }

  /** The rules of all columns of the table. */
  static List<ColumnRule> columnRules(EngineRules rules) {
    if (rules instanceof EngineRules.PartialUpdate partial) {
      return partial.columns();
    } else if (rules instanceof EngineRules.Aggregation aggregation) {
      return aggregation.columns();
    } else if (rules instanceof EngineRules.Completion completion) {
      return completion.columns();
    }
    throw notComputed(rules);
  }

  private static IllegalArgumentException notComputed(EngineRules rules) {
    return new IllegalArgumentException("Rows are not computed by " + rules);
  }
}
