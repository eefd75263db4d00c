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

package io.keylake.spark.read.layout;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * How the files of a scan spread rows: by partition columns, and by a bucket key over a fixed
 * number of buckets.
 *
 * <ol>
 *   <li>Partitions may have different numbers of buckets, as rescaling leaves them: their greatest
 *       common divisor counts. Example: buckets 5 of 8 and 1 of 4 are both 1 of 4.
 *   <li>Files of dynamic, postponed and no buckets say nothing. Nor do files whose schema has
 *       another bucket key.
 * </ol>
 *
 * @param partition the partition columns whose values can be keys, with the text of their types
 * @param key the bucket key
 * @param buckets number of buckets
 */
public record TableLayout(Map<String, String> partition, BucketKey key, int buckets) {
  /** Copies the map. */
  public TableLayout {
    partition = Collections.unmodifiableMap(new LinkedHashMap<>(partition));
  }

  /** The layout of {@code buckets}, files of a read with these options. */
  public static Optional<TableLayout> of(
      TableSchema schema,
      TableOptions options,
      List<BucketFiles> buckets,
      LongFunction<TableSchema> schemas) {
    if (!(BucketMode.of(schema, options.bucket()) instanceof BucketMode.Fixed fixed)) {
      return Optional.empty();
    }
    Optional<BucketKey> key = BucketKey.of(schema.rowType(), options.bucket());
    int count = buckets.isEmpty() ? fixed.totalBuckets() : commonCount(buckets);
    if (key.isEmpty() || count < 1 || !isKeyOfAll(schema, options.bucket(), buckets, schemas)) {
      return Optional.empty();
    }
    Map<String, String> partition = new LinkedHashMap<>();
    for (String column : schema.partitionKeys()) {
      DataField field = schema.rowType().field(schema.rowType().indexOf(column));
      if (BucketKey.isPartitionValue(field)) {
        partition.put(column, BucketKey.type(field).orElseThrow());
      }
    }
    return Optional.of(new TableLayout(partition, key.get(), count));
  }

  /** The greatest common divisor of the partitions' numbers of buckets; 0 = one has none. */
  private static int commonCount(List<BucketFiles> buckets) {
    BigInteger count = BigInteger.ZERO;
    for (BucketFiles bucket : buckets) {
      if (bucket.totalBuckets() < 1 || bucket.bucket() < 0) {
        return 0;
      }
      count = count.gcd(BigInteger.valueOf(bucket.totalBuckets()));
    }
    return count.intValue();
  }

  private static boolean isKeyOfAll(
      TableSchema schema,
      BucketOptions options,
      List<BucketFiles> buckets,
      LongFunction<TableSchema> schemas) {
    TreeSet<Long> ids = new TreeSet<>();
    buckets.forEach(bucket -> bucket.files().forEach(file -> ids.add(file.schemaId())));
    ids.remove(schema.id());
    List<String> wanted = keyColumns(schema.rowType(), options);
    for (long id : ids) {
      TableSchema of = schemas.apply(id);
      if (!keyColumns(of.rowType(), TableOptions.of(of).bucket()).equals(wanted)) {
        return false;
      }
    }
    return true;
  }

  /** The ids and types of the key's columns, and the function. */
  private static List<String> keyColumns(RowType rows, BucketOptions options) {
    List<String> columns = new ArrayList<>(List.of(options.function().name()));
    for (String name : options.keys()) {
      int position = rows.indexOf(name);
      columns.add(
          position < 0
              ? name
              : rows.field(position).id()
                  + " "
                  + BucketKey.type(rows.field(position)).orElse("other"));
    }
    return columns;
  }

  /** All of it: partition columns, then the bucket. */
  public ReportedLayout whole() {
    List<KeyPart> parts = new ArrayList<>();
    partition.keySet().forEach(column -> parts.add(new KeyPart.PartitionValue(column)));
    for (int i = 0; i < key.columns().size(); i++) {
      parts.add(new KeyPart.BucketNumber(key.columns().get(i), i));
    }
    return new ReportedLayout(parts, key, buckets);
  }
}
