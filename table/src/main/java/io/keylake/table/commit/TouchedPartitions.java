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

package io.keylake.table.commit;

import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestReader;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.ValueComparator;
import io.keylake.format.types.RowType;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The partitions, or buckets of them, that a commit looks at: tells which manifests can speak of
 * them and reads their entries. Immutable.
 */
final class TouchedPartitions {
  /**
   * With more partitions than this, testing each against each manifest costs more than it saves.
   */
  private static final int MAX_TESTED = 256;

  private final Predicate<BinaryRow> filter;
  private final @Nullable Set<BinaryRow> partitions;
  private final Map<BinaryRow, NavigableSet<Integer>> buckets;
  private final BinaryRowCodec codec;

  private TouchedPartitions(
      Predicate<BinaryRow> filter,
      @Nullable Set<BinaryRow> partitions,
      Map<BinaryRow, NavigableSet<Integer>> buckets,
      RowType partitionType) {
    this.filter = filter;
    this.partitions = partitions;
    this.buckets = buckets;
    this.codec = BinaryRowCodec.of(partitionType);
  }

  /** Exactly these. */
  static TouchedPartitions of(Collection<BinaryRow> partitions, RowType partitionType) {
    Set<BinaryRow> set = Set.copyOf(partitions);
    return new TouchedPartitions(set::contains, set, Map.of(), partitionType);
  }

  /** Exactly the buckets of these changes. */
  static TouchedPartitions ofBuckets(Collection<BucketChange> changes, RowType partitionType) {
    Map<BinaryRow, NavigableSet<Integer>> buckets = new HashMap<>();
    for (BucketChange change : changes) {
      buckets
          .computeIfAbsent(change.partition(), partition -> new TreeSet<>())
          .add(change.bucket());
    }
    Set<BinaryRow> set = Set.copyOf(buckets.keySet());
    return new TouchedPartitions(set::contains, set, buckets, partitionType);
  }

  /** Those that a filter selects. */
  static TouchedPartitions where(Predicate<BinaryRow> filter, RowType partitionType) {
    return new TouchedPartitions(filter, null, Map.of(), partitionType);
  }

  boolean contains(BinaryRow partition, int bucket) {
    if (!filter.test(partition)) {
      return false;
    }
    NavigableSet<Integer> wanted = buckets.get(partition);
    return wanted == null || wanted.contains(bucket);
  }

  /** The entries of these partitions, manifests in order. */
  void read(
      ManifestReader reader,
      List<ManifestFile> manifests,
      StatsProjection stats,
      Consumer<List<ManifestEntry>> result) {
    List<ManifestFile> wanted = manifests.stream().filter(this::mayContain).toList();
    ParallelReads.<ManifestFile, List<ManifestEntry>>forEach(
        wanted, manifest -> reader.entries(manifest, stats, entryFilter()), result);
  }

  private EntryFilter entryFilter() {
    return new EntryFilter() {
      @Override
      public boolean keepsBucket(BinaryRow partition, int bucket, int totalBuckets) {
        return contains(partition, bucket);
      }

      @Override
      public boolean keepsLevel(int level) {
        return true;
      }
    };
  }

  /** Whether the manifest can hold an entry of one of the partitions. */
  boolean mayContain(ManifestFile manifest) {
    Set<BinaryRow> tested = partitions;
    if (tested == null || tested.size() > MAX_TESTED) {
      return true;
    }
    return tested.stream()
        .anyMatch(
            partition -> mayContainBucket(manifest, partition) && isWithin(manifest, partition));
  }

  private boolean mayContainBucket(ManifestFile manifest, BinaryRow partition) {
    NavigableSet<Integer> wanted = buckets.get(partition);
    Integer min = manifest.minBucket();
    Integer max = manifest.maxBucket();
    if (wanted == null || min == null || max == null) {
      return true;
    }
    Integer first = wanted.ceiling(min);
    return first != null && first <= max;
  }

  private boolean isWithin(ManifestFile manifest, BinaryRow partition) {
    BinaryRow min = manifest.partitionStats().minValues();
    BinaryRow max = manifest.partitionStats().maxValues();
    for (int i = 0; i < codec.type().size(); i++) {
      Object value = codec.value(partition, i);
      Object low = codec.value(min, i);
      Object high = codec.value(max, i);
      if (value == null) {
        Long nulls = manifest.partitionStats().nullCounts().get(i);
        if (nulls != null && nulls == 0) {
          return false;
        }
      } else if (low == null || high == null) {
        return false;
      } else {
        var order = ValueComparator.of(codec.type().field(i).type());
        if (order.compare(value, low) < 0 || order.compare(value, high) > 0) {
          return false;
        }
      }
    }
    return true;
  }
}
