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
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Conditions that a set of partitions fulfils; others may fulfil them, too. */
final class PartitionConditions {
  private PartitionConditions() {}

  /** One condition for each partition column: the values that occur. */
  static List<Predicate> anyOf(Set<BinaryRow> partitions, RowType partitionType) {
    BinaryRowCodec codec = BinaryRowCodec.of(partitionType);
    List<Predicate> conditions = new ArrayList<>();
    for (int position = 0; position < partitionType.size(); position++) {
      DataField column = partitionType.field(position);
      Set<Object> values = new LinkedHashSet<>();
      List<Predicate> either = new ArrayList<>();
      for (BinaryRow partition : partitions) {
        Object value = codec.value(partition, position);
        if (value == null) {
          either.add(Predicates.isNull(column));
        } else {
          values.add(value);
        }
      }
      if (!values.isEmpty()) {
        either.add(Predicates.in(column, values));
      }
      conditions.add(Predicates.or(either));
    }
    return conditions;
  }
}
