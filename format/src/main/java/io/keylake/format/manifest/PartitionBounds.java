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

package io.keylake.format.manifest;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.ValueComparator;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Minimum, maximum and null count of each partition column over the entries of a manifest, columns
 * independently, text not truncated. A column that is NULL in all entries has NULL bounds.
 *
 * <p>Rule source: table format, manifest list record; pinned by {@code ManifestWriterTest}.
 */
final class PartitionBounds {
  private final BinaryRowCodec codec;
  private final List<Comparator<Object>> orders;
  private final @Nullable Object[] min;
  private final @Nullable Object[] max;
  private final long[] nulls;
  private @Nullable BinaryRow last;

  PartitionBounds(RowType partitionType) {
    codec = BinaryRowCodec.of(partitionType);
    orders =
        partitionType.fields().stream().map(field -> ValueComparator.of(field.type())).toList();
    min = new @Nullable Object[partitionType.size()];
    max = new @Nullable Object[partitionType.size()];
    nulls = new long[partitionType.size()];
  }

  void add(BinaryRow partition) {
    for (int i = 0; i < nulls.length; i++) {
      if (partition.isNullAt(i)) {
        nulls[i]++;
      }
    }
    if (partition.equals(last)) {
      return;
    }
    last = partition;
    for (int i = 0; i < nulls.length; i++) {
      Object value = codec.value(partition, i);
      if (value == null) {
        continue;
      }
      Object low = min[i];
      Object high = max[i];
      min[i] = low == null || orders.get(i).compare(value, low) < 0 ? value : low;
      max[i] = high == null || orders.get(i).compare(value, high) > 0 ? value : high;
    }
  }

  ColumnStats toStats() {
    if (nulls.length == 0) {
      return ColumnStats.EMPTY;
    }
    List<@Nullable Long> counts = new ArrayList<>(nulls.length);
    Arrays.stream(nulls).forEach(counts::add);
    return new ColumnStats(
        codec.encode(Arrays.asList(min)), codec.encode(Arrays.asList(max)), counts);
  }
}
