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

package io.keylake.spark.metadata;

import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.List;

/** All live data files of the pinned snapshot, whether or not a scan sees their rows. */
final class LiveFiles {
  private LiveFiles() {}

  static List<LiveFile> withStatistics(MetadataSource source) {
    return of(source, StatsProjection.KEEP);
  }

  static List<LiveFile> withoutStatistics(MetadataSource source) {
    return of(source, StatsProjection.SKIP);
  }

  private static List<LiveFile> of(MetadataSource source, StatsProjection stats) {
    Snapshot snapshot = source.snapshot();
    if (snapshot == null) {
      return List.of();
    }
    ManifestMerge merge =
        new ManifestMerge(source.storage().layout().snapshot(snapshot.id()).path());
    ParallelReads.forEach(
        source.storage().dataManifests(snapshot),
        manifest -> source.storage().manifests().entries(manifest, stats, EntryFilter.ALL),
        merge::addAll);
    FileAddresses addresses =
        FileAddresses.of(source.storage().layout(), source.schema(), source.options().fileLayout());
    List<LiveFile> files = new ArrayList<>();
    merge.entries().stream()
        .filter(entry -> entry.kind() == EntryKind.ADD)
        .forEach(
            entry ->
                files.add(
                    new LiveFile(
                        entry,
                        addresses
                            .dataFile(entry.partition(), entry.bucket(), entry.file())
                            .path())));
    return files;
  }
}
