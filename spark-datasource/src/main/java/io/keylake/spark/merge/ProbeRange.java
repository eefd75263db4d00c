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

package io.keylake.spark.merge;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.ValueComparator;
import io.keylake.format.types.DataField;
import io.keylake.spark.file.FilePredicates;
import io.keylake.spark.file.ValueRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a probe can hold keys of a unit: its rows between the unit's bounds of the first
 * key column that also satisfy the read's conditions on key columns. Other conditions of the read
 * never apply to a probe: its newer version hides the unit's row whether it is wanted or not.
 */
final class ProbeRange {
  private final ReadTask task;
  private final DataField firstKey;
  private final BinaryRowCodec keys;
  private final Comparator<Object> order;
  private final ValueRange unit;
  private final @Nullable Predicate onKeys;

  /**
   * @param unit bounds of the first key column over the rows of the unit
   */
  ProbeRange(ReadTask task, ValueRange unit) {
    this.task = task;
    this.firstKey = task.keyType().field(0);
    this.keys = BinaryRowCodec.of(task.keyType());
    this.order = ValueComparator.of(firstKey.type());
    this.unit = unit;
    Predicate predicate = task.spec().predicate();
    this.onKeys =
        predicate == null
            ? null
            : FilePredicates.only(
                predicate, task.keyType().fields().stream().map(DataField::id).toList());
  }

  /** The bounds of the first key column of a whole file. */
  static ValueRange ofFile(ReadTask task, BinaryRow minKey, BinaryRow maxKey) {
    BinaryRowCodec codec = BinaryRowCodec.of(task.keyType());
    return new ValueRange(
        Objects.requireNonNull(codec.value(minKey, 0)),
        Objects.requireNonNull(codec.value(maxKey, 0)));
  }

  /** What to ask of a probe with these keys; null when it must be read whole. */
  @Nullable Predicate of(BinaryRow minKey, BinaryRow maxKey) {
    List<Predicate> parts = new ArrayList<>();
    Object min = Objects.requireNonNull(keys.value(minKey, 0));
    Object max = Objects.requireNonNull(keys.value(maxKey, 0));
    if (order.compare(min, unit.min()) < 0) {
      parts.add(
          new Predicate.Leaf(firstKey, Predicate.Operator.GREATER_OR_EQUAL, List.of(unit.min())));
    }
    if (order.compare(max, unit.max()) > 0) {
      parts.add(
          new Predicate.Leaf(firstKey, Predicate.Operator.LESS_OR_EQUAL, List.of(unit.max())));
    }
    if (onKeys != null) {
      parts.add(onKeys);
    }
    return parts.isEmpty() ? null : new Predicate.And(parts);
  }

  /** Whether a file with these keys cannot hold a key of the unit. */
  boolean excludes(BinaryRow minKey, BinaryRow maxKey) {
    return order.compare(Objects.requireNonNull(keys.value(maxKey, 0)), unit.min()) < 0
        || order.compare(Objects.requireNonNull(keys.value(minKey, 0)), unit.max()) > 0;
  }

  /** The bounds of the first key column over the rows of the unit. */
  ValueRange unit() {
    return unit;
  }

  /** Whether all keys of the unit lie in {@code other}. */
  boolean isWithin(ValueRange other) {
    return order.compare(other.min(), unit.min()) <= 0
        && order.compare(unit.max(), other.max()) <= 0;
  }

  /** The range that spans this one and {@code other}. */
  ProbeRange and(ValueRange other) {
    return new ProbeRange(
        task,
        new ValueRange(
            order.compare(other.min(), unit.min()) < 0 ? other.min() : unit.min(),
            order.compare(other.max(), unit.max()) > 0 ? other.max() : unit.max()));
  }
}
