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

package io.keylake.table.scan;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.StatsEvaluator;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Tells from the statistics of a file whether it may hold a row that satisfies conditions. Safe for
 * use by many threads.
 */
public final class FileTest {
  private final List<StatsEvaluator> tests;
  private final FileBounds bounds;

  /**
   * A test of a table's files.
   *
   * @param schema the schema that is read
   * @param schemas gives the schema of an id
   * @param conjuncts the conditions
   */
  public FileTest(
      TableSchema schema, LongFunction<TableSchema> schemas, List<Predicate> conjuncts) {
    this.tests = conjuncts.stream().map(StatsEvaluator::of).toList();
    this.bounds = new FileBounds(schema, schemas);
  }

  /** Whether a file, with its statistics, may hold such a row. */
  public boolean mayMatch(BinaryRow partition, DataFile file) {
    return tests.stream()
        .allMatch(
            test -> test.mayMatch(file.rowCount(), column -> bounds.of(column, partition, file)));
  }
}
