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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.merge.keys.KeyBatch;
import io.keylake.table.lsm.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are wanted of a run, as files and batches are asked for them: whole files by their
 * smallest and largest key, row groups and pages by the first key column, rows by all of them.
 */
final class KeyWindow {
  private final RowType keyType;
  private final KeyComparator order;
  private final KeyRange range;
  private final @Nullable BinaryRow last;
  private final @Nullable KeyBatch from;
  private final @Nullable KeyBatch to;

  private KeyWindow(RowType keyType, KeyRange range, @Nullable BinaryRow last, boolean exact) {
    this.keyType = keyType;
    this.order = KeyComparator.of(keyType);
    this.range = range;
    this.last = last;
    BinaryRow low = range.from();
    BinaryRow high = range.to();
    this.from = exact && low != null ? KeyBatch.of(keyType, low) : null;
    this.to = exact && high != null ? KeyBatch.of(keyType, high) : null;
  }

  /** The keys of {@code range}, no others. */
  static KeyWindow exactly(RowType keyType, KeyRange range) {
    return new KeyWindow(keyType, range, null, true);
  }

  /** All keys of {@code range} from the first to the last key of {@code files}, and others. */
  static KeyWindow around(RowType keyType, KeyRange range, List<DataFile> files) {
    KeyComparator order = KeyComparator.of(keyType);
    BinaryRow first = range.from();
    BinaryRow last = null;
    BinaryRow min = null;
    for (DataFile file : files) {
      min = min == null || order.compare(file.minKey(), min) < 0 ? file.minKey() : min;
      last = last == null || order.compare(file.maxKey(), last) > 0 ? file.maxKey() : last;
    }
    if (min != null && (first == null || order.compare(min, first) > 0)) {
      first = min;
    }
    return new KeyWindow(keyType, new KeyRange(first, range.to()), last, false);
  }

  /** Whether a file has none of the keys. */
  boolean excludes(DataFile file) {
    return (range.from() != null && order.compare(file.maxKey(), range.from()) < 0)
        || (range.to() != null && order.compare(file.minKey(), range.to()) >= 0)
        || (last != null && order.compare(file.minKey(), last) > 0);
  }

  /** What to ask of the row groups and pages of a file; null when all of it is wanted. */
  @Nullable Predicate predicate(DataFile file) {
    List<Predicate> parts = new ArrayList<>();
    BinaryRow low = range.from();
    if (low != null && order.compare(file.minKey(), low) < 0) {
      parts.add(onFirst(Predicate.Operator.GREATER_OR_EQUAL, low));
    }
    BinaryRow high = range.to();
    if (last != null && (high == null || order.compare(last, high) < 0)) {
      high = last;
    }
    if (high != null && order.compare(file.maxKey(), high) >= 0) {
      parts.add(onFirst(Predicate.Operator.LESS_OR_EQUAL, high));
    }
    return parts.isEmpty() ? null : new Predicate.And(parts);
  }

  private Predicate onFirst(Predicate.Operator operator, BinaryRow bound) {
    DataField first = keyType.field(0);
    Object value = Objects.requireNonNull(BinaryRowCodec.of(keyType).value(bound, 0));
    return new Predicate.Leaf(first, operator, List.of(value));
  }

  /** Whether rows of a file may have to be left out. */
  boolean cuts(DataFile file) {
    return (from != null || to != null) && predicate(file) != null;
  }

  /** The first row of a batch that is wanted. */
  int begin(KeyBatch keys) {
    return from == null ? 0 : keys.firstNotBelow(0, from, 0);
  }

  /** The first row of a batch behind those that are wanted. */
  int end(KeyBatch keys) {
    return to == null ? keys.size() : keys.firstNotBelow(0, to, 0);
  }

  /**
   * How many leading bytes are the same in all keys of {@code files} and in the bounds; makes the
   * bounds ready for batches that leave these bytes out.
   */
  int shareBytes(List<DataFile> files) {
    BinaryRow min = null;
    BinaryRow max = null;
    for (DataFile file : files) {
      min = min == null || order.compare(file.minKey(), min) < 0 ? file.minKey() : min;
      max = max == null || order.compare(file.maxKey(), max) > 0 ? file.maxKey() : max;
    }
    int shared = 0;
    if (min != null && max != null) {
      KeyBatch smallest = KeyBatch.of(keyType, min);
      shared = smallest.sharedBytes(0, KeyBatch.of(keyType, max), 0);
      shared = from == null ? shared : Math.min(shared, smallest.sharedBytes(0, from, 0));
      shared = to == null ? shared : Math.min(shared, smallest.sharedBytes(0, to, 0));
    }
    if (from != null) {
      from.makePrefixes(shared);
    }
    if (to != null) {
      to.makePrefixes(shared);
    }
    return shared;
  }
}
