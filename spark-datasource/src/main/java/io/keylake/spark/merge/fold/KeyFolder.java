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

import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.engine.EngineRules;
import java.util.List;

/**
 * Folds the rows of keys by the rules of an engine that computes rows: partial-update or
 * aggregation. First it is found out, row by row, what each row does to the columns of each lane
 * ({@link io.keylake.spark.merge.function.FoldSteps}); then each column is folded on its own. For
 * one thread; the owner closes it.
 */
public final class KeyFolder implements AutoCloseable {
  /**
   * A folder of some columns.
   *
   * @param table the table's name, for messages
   * @param schema the columns of the table
   * @param rules the rules of its engine
   * @param columns positions, in the table, of the columns of the rows; with all that {@link
   *     #needed} says
   */
  public KeyFolder(String table, TableSchema schema, EngineRules rules, List<Integer> columns) {
    throw new UnsupportedOperationException(table + schema.id() + rules + columns);
  }

  /**
   * Positions, in the table, of the columns that must be read to fold {@code wanted}: these first,
   * in their order, then the fields of the sequence groups that decide about them.
   */
  public static List<Integer> needed(EngineRules rules, List<Integer> wanted) {
    throw new UnsupportedOperationException(rules.toString() + wanted);
  }

  /**
   * Folds all keys of {@code versions}; the result has one row for each, in their order, and is
   * valid until the next call.
   *
   * @throws io.keylake.format.errors.InvalidRequestException when rows of a key cannot be folded
   */
  public FoldedRows fold(VersionBatch versions) {
    throw new UnsupportedOperationException(versions.toString());
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
