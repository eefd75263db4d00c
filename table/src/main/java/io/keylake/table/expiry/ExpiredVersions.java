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

import io.keylake.format.datafile.FileSource;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that may go with consecutive versions.
 *
 * <ol>
 *   <li>A data file goes with the snapshot before the one that removed it. So those are asked that
 *       follow the expired ones, up to the first that stays. A file that the same snapshot adds
 *       again, on another level, stays.
 *   <li>Changelog files go with their snapshot.
 *   <li>Manifest lists, manifests, index manifests, index files and statistics go with the last
 *       version that names them.
 *   <li>What an expired snapshot leaves to its changelog stays, see {@link Survivor}.
 *   <li>A version whose metadata cannot be read gives no files: they are left to the removal of
 *       orphans.
 * </ol>
 *
 * <p>Memory is needed for the files of the given versions, not for those of the table.
 *
 * <p>Rule source: table format, snapshot expiration and decoupled changelog. Pinned by {@code
 * SnapshotExpiryTest} and {@code ExpiryModelTest}.
 */
final class ExpiredVersions {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiredVersions.class);

  /** What outlives an expired snapshot as its changelog. */
  enum Survivor {
    NOTHING,
    /** Its changelog files: writers make them. */
    CHANGELOG_FILES,
    /** The files that writers added, with base and delta lists: they are the changes. */
    ADDED_FILES
  }

  private final TableStorage storage;
  private final Candidates candidates;
  private final Survivor survivor;

  ExpiredVersions(TableStorage storage, Candidates candidates, Survivor survivor) {
    this.storage = storage;
    this.candidates = candidates;
    this.survivor = survivor;
  }

  /** Notes what may go with {@code expired}, which {@code next} follows. */
  void collect(List<Snapshot> expired, Snapshot next) {
    for (int i = 0; i < expired.size(); i++) {
      Snapshot version = expired.get(i);
      boolean isFirst = i == 0;
      tryTo(
          version,
          found -> {
            if (!isFirst) {
              removed(found, version);
            }
            named(found, version);
          });
    }
    removed(candidates, next);
  }

  private interface Collection {
    void into(Candidates found);
  }

  private void tryTo(Snapshot version, Collection collection) {
    Candidates found = candidates.none();
    try {
      collection.into(found);
    } catch (CorruptTableException e) {
      LOG.warn(
          "Files of the expired snapshot {} of {} are left to the removal of orphans: {}",
          version.id(),
          storage.name(),
          e.getMessage());
      return;
    }
    candidates.addAll(found);
  }

  private void removed(Candidates found, Snapshot version) {
    Candidates removed = candidates.none();
    VersionNeeds.forEach(
        storage,
        storage.deltaManifests(version),
        entry -> {
          if (entry.kind() == EntryKind.ADD) {
            removed.keep(entry);
          } else if (goes(entry)) {
            removed.add(entry);
          }
        });
    found.addAll(removed);
  }

  private boolean goes(ManifestEntry entry) {
    return survivor != Survivor.ADDED_FILES || entry.file().source() == FileSource.COMPACT;
  }

  private void named(Candidates found, Snapshot version) {
    if (survivor != Survivor.ADDED_FILES) {
      list(found, version.baseManifestList(), storage.baseManifests(version));
      list(found, version.deltaManifestList(), storage.deltaManifests(version));
    }
    if (survivor == Survivor.NOTHING) {
      changelog(storage, found, version);
    }
    String indexManifest = version.indexManifest();
    if (indexManifest != null) {
      found.addManifest(indexManifest);
      storage.indexEntries(version).forEach(found::add);
    }
    String statistics = version.statistics();
    if (statistics != null) {
      found.addStatistics(statistics);
    }
  }

  /** Notes the changelog files of a version, and the metadata files that lead to them. */
  static void changelog(TableStorage storage, Candidates found, Snapshot version) {
    String list = version.changelogManifestList();
    if (list != null) {
      List<ManifestFile> manifests = storage.changelogManifests(version);
      list(found, list, manifests);
      VersionNeeds.forEach(storage, manifests, found::add);
    }
  }

  static void list(Candidates found, String list, List<ManifestFile> manifests) {
    found.addManifest(list);
    manifests.forEach(manifest -> found.addManifest(manifest.name()));
  }
}
