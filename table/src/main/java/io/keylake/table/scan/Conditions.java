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

import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.predicate.RowEvaluator;
import io.keylake.format.predicate.StatsEvaluator;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.List;

/**
 * The conjuncts of a query by what they can prune: partitions exactly, files by their keys, files
 * by their values. Immutable.
 *
 * @param partition on partition columns only
 * @param key on columns of the trimmed primary key only
 * @param value all others
 * @param all every conjunct
 */
record Conditions(
    List<Predicate> partition, List<Predicate> key, List<Predicate> value, List<Predicate> all) {
  static Conditions of(List<Predicate> conjuncts, TableSchema schema) {
    RowType partitionType = schema.partitionType();
    RowType keyType = schema.keyType();
    List<Predicate> partition = new ArrayList<>();
    List<Predicate> key = new ArrayList<>();
    List<Predicate> value = new ArrayList<>();
    for (Predicate conjunct : conjuncts) {
      if (isWithin(conjunct, partitionType)) {
        partition.add(conjunct);
      } else if (isWithin(conjunct, keyType)) {
        key.add(conjunct);
      } else {
        value.add(conjunct);
      }
    }
    return new Conditions(partition, key, value, conjuncts);
  }

  private static boolean isWithin(Predicate predicate, RowType type) {
    return Predicates.fieldIds(predicate).stream().allMatch(id -> type.indexOfId(id) >= 0);
  }

  List<StatsEvaluator> partitionStats() {
    return partition.stream().map(StatsEvaluator::of).toList();
  }

  /** An exact test of partitions. */
  java.util.function.Predicate<BinaryRow> partitionTest(RowType partitionType) {
    List<RowEvaluator> evaluators =
        partition.stream().map(predicate -> RowEvaluator.of(predicate, partitionType)).toList();
    return row -> evaluators.stream().allMatch(evaluator -> evaluator.matches(row));
  }
}
