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

import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.predicate.StatsEvaluator;
import io.keylake.format.predicate.ValueBounds;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides from a manifest list which manifests can hold wanted entries. Immutable. */
final class ManifestPruner {
  private final List<StatsEvaluator> partitionConditions;
  private final RowType partitionType;
  private final BinaryRowCodec codec;
  private final VisibleFiles visible;

  /**
   * A pruner.
   *
   * @param partitionConditions conditions on partition columns only
   */
  ManifestPruner(
      List<StatsEvaluator> partitionConditions, RowType partitionType, VisibleFiles visible) {
    this.partitionConditions = partitionConditions;
    this.partitionType = partitionType;
    this.codec = BinaryRowCodec.of(partitionType);
    this.visible = visible;
  }

  boolean mayHoldWanted(ManifestFile manifest) {
    Integer maxLevel = manifest.maxLevel();
    Integer maxBucket = manifest.maxBucket();
    if ((maxLevel != null && !visible.anyUpToLevel(maxLevel))
        || (maxBucket != null && !visible.anyUpToBucket(maxBucket))) {
      return false;
    }
    long entries = manifest.addedFiles() + manifest.deletedFiles();
    return partitionConditions.stream()
        .allMatch(
            condition ->
                condition.mayMatch(entries, column -> bounds(column, manifest.partitionStats())));
  }

  private ValueBounds bounds(DataField column, ColumnStats stats) {
    int position = partitionType.indexOfId(column.id());
    if (position < 0 || stats.minValues().arity() != partitionType.size()) {
      return ValueBounds.UNKNOWN;
    }
    List<@Nullable Long> nullCounts = stats.nullCounts();
    return new ValueBounds(
        codec.value(stats.minValues(), position),
        codec.value(stats.maxValues(), position),
        position < nullCounts.size() ? nullCounts.get(position) : null);
  }
}
