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

package io.keylake.table.reference;

import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import java.util.List;

/** The data files of a whole version. Needs memory for their metadata. */
public final class LiveEntries {
  private LiveEntries() {}

  /** The live files of a snapshot, in the order in which they were added. */
  public static List<ManifestEntry> of(
      TableStorage storage, Snapshot snapshot, StatsProjection stats) {
    ManifestMerge merge = new ManifestMerge(storage.snapshots().file(snapshot.id()).path());
    ParallelReads.<ManifestFile, List<ManifestEntry>>forEach(
        storage.dataManifests(snapshot),
        manifest -> storage.manifests().entries(manifest, stats, EntryFilter.ALL),
        merge::addAll);
    return merge.entries().stream().filter(entry -> entry.kind() == EntryKind.ADD).toList();
  }
}
