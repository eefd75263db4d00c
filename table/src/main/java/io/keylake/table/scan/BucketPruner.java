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
import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.table.bucket.BucketFunction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the buckets that can hold wanted rows, when the query binds every bucket-key column to
 * few values by equality or IN. Safe for use by many threads.
 *
 * <ol>
 *   <li>All combinations of the columns' values are hashed, at most 1000; beyond that nothing is
 *       pruned.
 *   <li>Each file is judged by its own total number of buckets; files without one are kept.
 * </ol>
 *
 * <p>Rule source: table behaviour, filter push-down; pinned by {@code BucketPrunerTest}.
 */
final class BucketPruner {
  private static final int MAX_COMBINATIONS = 1000;

  private final BucketFunction function;
  private final List<BinaryRow> keys;
  private final Map<Integer, BitSet> bucketsByTotal = new ConcurrentHashMap<>();

  private BucketPruner(BucketFunction function, List<BinaryRow> keys) {
    this.function = function;
    this.keys = keys;
  }

  /**
   * A pruner, or empty when the conjuncts do not bind the key.
   *
   * @param keyType the bucket-key columns in order
   */
  static Optional<BucketPruner> of(
      BucketFunction function, RowType keyType, List<Predicate> conjuncts) {
    List<List<Object>> rows = List.of(List.of());
    for (DataField column : keyType.fields()) {
      Set<Object> values = boundValues(column, conjuncts);
      if (values == null || (long) rows.size() * values.size() > MAX_COMBINATIONS) {
        return Optional.empty();
      }
      rows = product(rows, values);
    }
    if (keyType.size() == 0) {
      return Optional.empty();
    }
    BinaryRowCodec codec = BinaryRowCodec.of(keyType);
    return Optional.of(new BucketPruner(function, rows.stream().map(codec::encode).toList()));
  }

  private static List<List<Object>> product(List<List<Object>> rows, Set<Object> values) {
    List<List<Object>> product = new ArrayList<>();
    for (List<Object> row : rows) {
      for (Object value : values) {
        List<Object> longer = new ArrayList<>(row);
        longer.add(value);
        product.add(longer);
      }
    }
    return product;
  }

  /** The values some conjunct allows for the column, the fewest there are; null = unbound. */
  private static @Nullable Set<Object> boundValues(DataField column, List<Predicate> conjuncts) {
    Set<Object> fewest = null;
    for (Predicate conjunct : conjuncts) {
      Set<Object> values = new LinkedHashSet<>();
      if (collect(column, conjunct, values) && (fewest == null || values.size() < fewest.size())) {
        fewest = values;
      }
    }
    return fewest;
  }

  private static boolean collect(DataField column, Predicate predicate, Set<Object> values) {
    if (predicate instanceof Predicate.Or or) {
      return or.parts().stream().allMatch(part -> collect(column, part, values));
    }
    if (predicate instanceof Leaf leaf
        && leaf.field().id() == column.id()
        && leaf.field().type().asNullable().equals(column.type().asNullable())
        && (leaf.operator() == Operator.EQUAL || leaf.operator() == Operator.IN)) {
      values.addAll(leaf.literals());
      return true;
    }
    return false;
  }

  /** Whether the bucket can hold wanted rows. */
  boolean keeps(int bucket, int totalBuckets) {
    if (totalBuckets <= 0 || bucket < 0) {
      return true;
    }
    return bucketsByTotal.computeIfAbsent(totalBuckets, this::buckets).get(bucket);
  }

  private BitSet buckets(int totalBuckets) {
    BitSet buckets = new BitSet(totalBuckets);
    keys.forEach(key -> buckets.set(function.bucket(key, totalBuckets)));
    return buckets;
  }
}
