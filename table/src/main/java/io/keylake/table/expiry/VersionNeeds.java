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

package io.keylake.table.expiry;

import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Takes away from candidates what versions need. Manifests are read as a stream: memory is needed
 * for candidates only, however large the versions are. A file that cannot be read is a failure, so
 * a version never seems to need less than it does. For one thread.
 */
final class VersionNeeds {
  private final TableStorage storage;
  private final Candidates candidates;

  VersionNeeds(TableStorage storage, Candidates candidates) {
    this.storage = storage;
    this.candidates = candidates;
  }

  /** Keeps all that reading the version, and its changes, takes. */
  void keepVersion(Snapshot version) {
    keepNames(version);
    Map<FileIdentity, ManifestEntry> live = new HashMap<>();
    forEach(
        storage.dataManifests(version),
        entry -> {
          if (candidates.mayHold(entry.file())) {
            FileIdentity identity = FileIdentity.of(entry);
            if (entry.kind() == EntryKind.ADD) {
              live.put(identity, entry);
            } else {
              live.remove(identity);
            }
          }
        });
    live.values().forEach(candidates::keep);
    keepChangelog(version);
  }

  /** Keeps what the version added, and all metadata files that it names. */
  void keepAdded(Snapshot version) {
    keepNames(version);
    keepAll(storage.deltaManifests(version));
    keepChangelog(version);
  }

  /** Keeps the metadata, index and statistics files that the version names. */
  void keepNames(Snapshot version) {
    candidates.keepManifest(version.baseManifestList());
    candidates.keepManifest(version.deltaManifestList());
    storage.dataManifests(version).forEach(manifest -> candidates.keepManifest(manifest.name()));
    String indexManifest = version.indexManifest();
    if (indexManifest != null) {
      candidates.keepManifest(indexManifest);
      storage.indexEntries(version).forEach(candidates::keep);
    }
    String statistics = version.statistics();
    if (statistics != null) {
      candidates.keepStatistics(statistics);
    }
  }

  /** Keeps the changelog files of a version, and the metadata files that lead to them. */
  void keepChangelog(Snapshot version) {
    String list = version.changelogManifestList();
    if (list != null) {
      candidates.keepManifest(list);
      keepAll(storage.changelogManifests(version));
    }
  }

  /**
   * Keeps what a changelog that outlives its snapshot has: its base and delta lists, or manifests
   * of them, may be gone; they need nothing then.
   */
  void keepLongLived(Snapshot version) {
    keepChangelog(version);
    Stream.of(version.baseManifestList(), version.deltaManifestList())
        .filter(this::exists)
        .forEach(
            list -> {
              candidates.keepManifest(list);
              List<ManifestFile> manifests =
                  storage.manifests().list(list, null).stream().filter(this::exists).toList();
              manifests.forEach(manifest -> candidates.keepManifest(manifest.name()));
              if (list.equals(version.deltaManifestList())) {
                keepAdded(manifests);
              }
            });
  }

  private boolean exists(ManifestFile manifest) {
    return exists(manifest.name());
  }

  private boolean exists(String metadataFile) {
    return storage.io().exists(storage.layout().manifest(metadataFile));
  }

  private void keepAll(List<ManifestFile> manifests) {
    manifests.forEach(manifest -> candidates.keepManifest(manifest.name()));
    keepAdded(manifests);
  }

  private void keepAdded(List<ManifestFile> manifests) {
    forEach(
        manifests,
        entry -> {
          if (entry.kind() == EntryKind.ADD) {
            candidates.keep(entry);
          }
        });
  }

  private void forEach(List<ManifestFile> manifests, Consumer<ManifestEntry> consumer) {
    forEach(storage, manifests, consumer);
  }

  /** The entries of manifests in their order, without statistics. */
  static void forEach(
      TableStorage storage, List<ManifestFile> manifests, Consumer<ManifestEntry> consumer) {
    ParallelReads.<ManifestFile, List<ManifestEntry>>forEach(
        manifests,
        manifest -> storage.manifests().entries(manifest, StatsProjection.SKIP, EntryFilter.ALL),
        entries -> entries.forEach(consumer));
  }
}
