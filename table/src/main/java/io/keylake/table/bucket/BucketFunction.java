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

package io.keylake.table.bucket;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.RowHash;
import io.keylake.format.types.RowType;
import io.keylake.table.options.BucketOptions;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Computes the bucket of a bucket key. Immutable and safe for use by many threads.
 *
 * <ol>
 *   <li>default: the remainder of the hash of the key's bytes divided by the number of buckets,
 *       then its absolute value (not the floor modulus). Example: INT 1 in 5 buckets is 3.
 *   <li>mod: the floor modulus of the one INT or BIGINT column; NULL counts as 0.
 *   <li>hive: {@link HiveHash} without its sign bit, modulo the number of buckets.
 * </ol>
 *
 * <p>Rule source: table format, bucket assignment. Pinned by {@code BucketFunctionTest}.
 */
@FunctionalInterface
public interface BucketFunction extends Serializable {
  /** The bucket of {@code key}, from 0 to {@code buckets} - 1. */
  int bucket(BinaryRow key, int buckets);

  /** The function of a table; {@code keyType} has the bucket-key columns in order. */
  static BucketFunction of(BucketOptions.Function function, RowType keyType) {
    return switch (function) {
      case DEFAULT -> (key, buckets) -> ofHash(RowHash.murmur(key), buckets);
      case MOD -> new ModFunction(keyType);
      case HIVE -> new HiveFunction(keyType);
    };
  }

  /** The bucket that the default function gives to a key of this hash. */
  static int ofHash(int hash, int buckets) {
    return Math.abs(hash % buckets);
  }

  /**
   * The floor modulus of the only column.
   *
   * @param keyType one INT or BIGINT column
   */
  record ModFunction(RowType keyType) implements BucketFunction {
    private static final long serialVersionUID = 1L;

    /** Checks the type. */
    public ModFunction {
      if (keyType.size() != 1) {
        throw new IllegalArgumentException("The mod function has one column, not " + keyType);
      }
      ModFunction.slotBytes(keyType);
    }

    @Override
    public int bucket(BinaryRow key, int buckets) {
      if (key.isNullAt(0)) {
        return 0;
      }
      long value = slotBytes(keyType) == Integer.BYTES ? intOf(key) : longOf(key);
      return (int) Math.floorMod(value, (long) buckets);
    }

    private static int slotBytes(RowType type) {
      return switch (type.field(0).type().root()) {
        case INT -> Integer.BYTES;
        case BIGINT -> Long.BYTES;
        default ->
            throw new IllegalArgumentException("The mod function needs INT or BIGINT: " + type);
      };
    }

    private static int intOf(BinaryRow key) {
      return (int) longOf(key);
    }

    private static long longOf(BinaryRow key) {
      return ByteBuffer.wrap(key.array()).order(ByteOrder.LITTLE_ENDIAN).getLong(Long.BYTES);
    }
  }

  /**
   * The hash that Hive uses.
   *
   * @param keyType the columns
   */
  record HiveFunction(RowType keyType) implements BucketFunction {
    private static final long serialVersionUID = 1L;

    @Override
    public int bucket(BinaryRow key, int buckets) {
      return (HiveHash.of(keyType, key) & Integer.MAX_VALUE) % buckets;
    }
  }
}
