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

package io.keylake.table.maintenance;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Where key, partition and bucket key are in the rows of one schema. */
final class RowShape {
  /** Some columns of a row as a row of their own. */
  private static final class Part {
    private final BinaryRowCodec codec;
    private final List<Integer> positions;
    private final boolean exact;

    Part(RowType row, List<String> names) {
      RowType type = row.project(names);
      this.codec = BinaryRowCodec.of(type);
      this.positions = names.stream().map(row::indexOf).toList();
      this.exact = type.fields().stream().allMatch(field -> ColumnFacts.isExact(field.type()));
    }

    BinaryRow of(List<? extends @Nullable Object> values) {
      List<@Nullable Object> part = new ArrayList<>(positions.size());
      positions.forEach(position -> part.add(values.get(position)));
      return codec.encode(part);
    }
  }

  private final TableSchema schema;
  private final RowType type;
  private final Part key;
  private final Part partition;
  private final Part bucketKey;
  private final @Nullable BucketFunction function;

  RowShape(TableSchema schema) {
    this.schema = schema;
    this.type = schema.rowType();
    this.key = new Part(type, schema.trimmedPrimaryKeys());
    this.partition = new Part(type, schema.partitionKeys());
    BucketOptions bucket = TableOptions.of(schema).bucket();
    this.bucketKey = new Part(type, bucket.keys());
    BucketMode mode = BucketMode.of(schema);
    boolean computed = mode instanceof BucketMode.Fixed || mode instanceof BucketMode.Postpone;
    this.function =
        computed && bucketKey.exact
            ? BucketFunction.of(bucket.function(), type.project(bucket.keys()))
            : null;
  }

  RowType type() {
    return type;
  }

  List<String> keyNames() {
    return schema.trimmedPrimaryKeys();
  }

  boolean isKeyed() {
    return schema.hasPrimaryKey();
  }

  /** Whether keys are read as they are stored. */
  boolean hasExactKeys() {
    return key.exact;
  }

  boolean hasExactPartitions() {
    return partition.exact;
  }

  KeyComparator keyOrder() {
    return KeyComparator.of(schema.keyType());
  }

  BinaryRow key(List<? extends @Nullable Object> values) {
    return key.of(values);
  }

  BinaryRow partition(List<? extends @Nullable Object> values) {
    return partition.of(values);
  }

  /** The bucket of a row; empty when the row does not tell. */
  OptionalInt bucket(List<? extends @Nullable Object> values, int totalBuckets) {
    return function == null || totalBuckets <= 0
        ? OptionalInt.empty()
        : OptionalInt.of(function.bucket(bucketKey.of(values), totalBuckets));
  }
}
