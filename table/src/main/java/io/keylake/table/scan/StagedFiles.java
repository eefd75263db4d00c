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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Finds the files in bucket -2 of a postpone table. Only manifests that speak of that bucket are
 * read. Rule source: table format, postpone buckets.
 */
public final class StagedFiles {
  private StagedFiles() {}

  /**
   * The live staged files of each partition, in the order of writing: commits one after another,
   * and in a commit the files of a writer one after another.
   *
   * @param partitions which partitions are wanted
   */
  public static Map<BinaryRow, List<DataFile>> of(
      TableStorage storage, Snapshot snapshot, Predicate<BinaryRow> partitions) {
    List<ManifestFile> manifests =
        storage.dataManifests(snapshot).stream().filter(StagedFiles::mayHoldStaged).toList();
    EntryFilter staged =
        new EntryFilter() {
          @Override
          public boolean keepsBucket(BinaryRow partition, int bucket, int totalBuckets) {
            return bucket == TableLayout.POSTPONE_BUCKET && partitions.test(partition);
          }

          @Override
          public boolean keepsLevel(int level) {
            return true;
          }
        };
    ManifestMerge merge = new ManifestMerge(storage.layout().snapshot(snapshot.id()).path());
    ParallelReads.<ManifestFile, List<ManifestEntry>>forEach(
        manifests,
        manifest -> storage.manifests().entries(manifest, StatsProjection.SKIP, staged),
        merge::addAll);
    Map<BinaryRow, List<DataFile>> files = new LinkedHashMap<>();
    for (ManifestEntry entry : merge.entries()) {
      if (entry.kind() == EntryKind.ADD) {
        files
            .computeIfAbsent(entry.partition(), partition -> new ArrayList<>())
            .add(entry.file().withoutStats());
      }
    }
    return files;
  }

  private static boolean mayHoldStaged(ManifestFile manifest) {
    Integer min = manifest.minBucket();
    return min == null || min <= TableLayout.POSTPONE_BUCKET;
  }
}
