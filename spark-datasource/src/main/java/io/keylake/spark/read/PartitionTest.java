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

package io.keylake.spark.read;

import io.keylake.format.predicate.RowEvaluator;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.expressions.filter.PartitionPredicate;

/**
 * Whether a partition fulfils all conditions on partition columns. Each is asked once. Safe for use
 * by many threads.
 */
public final class PartitionTest implements Predicate<BinaryRow> {
  private final List<RowEvaluator> evaluators;
  private final List<PartitionPredicate> asked;
  private final PartitionRows rows;
  private final Map<BinaryRow, Boolean> known = new HashMap<>();

  /** The test that conditions make. */
  public PartitionTest(RowType type, ScanFilters filters) {
    this.evaluators =
        filters.partition().stream().map(predicate -> RowEvaluator.of(predicate, type)).toList();
    this.asked = filters.asked();
    this.rows = new PartitionRows(type);
  }

  @Override
  public synchronized boolean test(BinaryRow partition) {
    return known.computeIfAbsent(partition, this::evaluate);
  }

  private boolean evaluate(BinaryRow partition) {
    if (!evaluators.stream().allMatch(evaluator -> evaluator.matches(partition))) {
      return false;
    }
    InternalRow values = rows.rowToSpark(partition);
    return asked.stream().allMatch(predicate -> predicate.eval(values));
  }
}
