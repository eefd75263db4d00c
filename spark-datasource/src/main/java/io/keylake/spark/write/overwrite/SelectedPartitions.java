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

package io.keylake.spark.write.overwrite;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.write.overwrite.RowCondition.RowTest;
import io.keylake.table.commit.OverwriteScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.expressions.filter.PartitionPredicate;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * The partitions that conditions select. Each partition is asked about once; NULL and the empty
 * text are different values. Safe for several threads.
 */
public final class SelectedPartitions implements java.util.function.Predicate<BinaryRow> {
  private final PartitionRows rows;
  private final List<RowTest> tests;
  private final Map<BinaryRow, Boolean> known = new HashMap<>();

  private SelectedPartitions(TableSchema schema, List<RowTest> tests) {
    this.rows = new PartitionRows(schema.partitionType());
    this.tests = List.copyOf(tests);
  }

  /**
   * What conditions of a statement select, when they select whole partitions: each is about
   * partition columns only. A table without partitions is one partition.
   */
  public static Optional<OverwriteScope> of(TableSchema schema, Predicate[] predicates) {
    List<RowTest> tests = new ArrayList<>();
    List<Predicate> others = new ArrayList<>();
    for (Predicate predicate : predicates) {
      if (predicate instanceof PartitionPredicate asked) {
        tests.add(asked::eval);
      } else {
        others.add(predicate);
      }
    }
    Optional<RowTest> other =
        RowCondition.of(others.toArray(new Predicate[0]))
            .flatMap(condition -> condition.test(schema.partitionType()));
    if (other.isEmpty()) {
      return Optional.empty();
    }
    tests.add(other.get());
    return Optional.of(
        new OverwriteScope.Partitions(
            new SelectedPartitions(schema, tests), RowCondition.text(predicates)));
  }

  /** What a condition selects, when it selects whole partitions. */
  public static Optional<OverwriteScope> of(TableSchema schema, RowCondition condition) {
    return condition
        .test(schema.partitionType())
        .map(
            test ->
                new OverwriteScope.Partitions(
                    new SelectedPartitions(schema, List.of(test)), condition.text()));
  }

  @Override
  public synchronized boolean test(BinaryRow partition) {
    return known.computeIfAbsent(partition, this::evaluate);
  }

  private boolean evaluate(BinaryRow partition) {
    InternalRow values = rows.rowToSpark(partition);
    return tests.stream().allMatch(test -> test.isTrue(values));
  }
}
