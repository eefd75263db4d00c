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

import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.TableOptions;
import java.io.Serializable;

/**
 * How a table spreads the rows of a partition over buckets.
 *
 * <ol>
 *   <li>{@code bucket} of at least 1: {@link Fixed}.
 *   <li>{@code bucket} = -1 without a primary key: {@link Unaware}.
 *   <li>{@code bucket} = -1 with a primary key that holds all partition columns: {@link Dynamic};
 *       with one that does not: {@link CrossPartition}.
 *   <li>{@code bucket} = -2: {@link Postpone}.
 * </ol>
 *
 * <p>Rule source: table format, rules at table creation (bucket mode). Pinned by {@code
 * BucketModeTest}.
 */
public sealed interface BucketMode extends Serializable {
  /** What manifest entries of the mode say of the number of buckets. */
  int totalBuckets();

  /**
   * A hash of the bucket key gives the bucket.
   *
   * @param totalBuckets number of buckets of a newly written partition
   */
  record Fixed(int totalBuckets) implements BucketMode {
    private static final long serialVersionUID = 1L;
  }

  /** An append table without buckets: all files are in bucket 0. */
  record Unaware() implements BucketMode {
    private static final long serialVersionUID = 1L;

    @Override
    public int totalBuckets() {
      return -1;
    }
  }

  /** The writer assigns buckets to key hashes and stores them in hash indexes. */
  record Dynamic() implements BucketMode {
    private static final long serialVersionUID = 1L;

    @Override
    public int totalBuckets() {
      return -1;
    }
  }

  /** The writer finds the partition and bucket of each key by reading all keys. */
  record CrossPartition() implements BucketMode {
    private static final long serialVersionUID = 1L;

    @Override
    public int totalBuckets() {
      return -1;
    }
  }

  /** Rows are staged in bucket -2 until compaction finds their bucket. */
  record Postpone() implements BucketMode {
    private static final long serialVersionUID = 1L;

    @Override
    public int totalBuckets() {
      return -2;
    }
  }

  /** The mode of a table. */
  static BucketMode of(TableSchema schema) {
    return of(schema, TableOptions.of(schema).bucket());
  }

  /** The mode of a table with these options. */
  static BucketMode of(TableSchema schema, BucketOptions options) {
    if (options.count() >= 1) {
      return new Fixed(options.count());
    }
    if (options.count() == -2) {
      return new Postpone();
    }
    if (!schema.hasPrimaryKey()) {
      return new Unaware();
    }
    return schema.primaryKeys().containsAll(schema.partitionKeys())
        ? new Dynamic()
        : new CrossPartition();
  }
}
