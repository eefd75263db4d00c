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

package io.keylake.spark.maintenance;

import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Partitions in batches whose files fit the driver's memory together. Holds one number per
 * partition of the table, whatever its number of files.
 */
public final class PartitionBatches {
  /** Files that the driver plans at once; a partition with more is planned alone. */
  static final long FILES = 50_000;

  private PartitionBatches() {}

  /** The chosen partitions of a snapshot that have files, in the order of the manifests. */
  public static List<Set<BinaryRow>> of(
      TableStorage storage, Snapshot snapshot, PartitionChoice choice) {
    Map<BinaryRow, Long> files = files(storage, snapshot);
    return batches(files, choice.chosen(files.keySet()), FILES);
  }

  static List<Set<BinaryRow>> batches(
      Map<BinaryRow, Long> files, List<BinaryRow> chosen, long limit) {
    List<Set<BinaryRow>> batches = new ArrayList<>();
    Set<BinaryRow> open = new LinkedHashSet<>();
    long held = 0;
    for (BinaryRow partition : chosen) {
      long more = files.getOrDefault(partition, 0L);
      if (!open.isEmpty() && held + more > limit) {
        batches.add(open);
        open = new LinkedHashSet<>();
        held = 0;
      }
      open.add(partition);
      held += more;
    }
    if (!open.isEmpty()) {
      batches.add(open);
    }
    return batches;
  }

  private static Map<BinaryRow, Long> files(TableStorage storage, Snapshot snapshot) {
    Map<BinaryRow, Long> files = new LinkedHashMap<>();
    ParallelReads.<ManifestFile, List<ManifestEntry>>forEach(
        storage.dataManifests(snapshot),
        manifest -> storage.manifests().entries(manifest, StatsProjection.SKIP, EntryFilter.ALL),
        entries -> entries.forEach(entry -> count(files, entry)));
    files.values().removeIf(count -> count <= 0);
    return files;
  }

  private static void count(Map<BinaryRow, Long> files, ManifestEntry entry) {
    if (entry.bucket() >= 0) {
      files.merge(entry.partition(), entry.kind() == EntryKind.ADD ? 1L : -1L, Long::sum);
    }
  }
}
