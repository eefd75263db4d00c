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
import io.keylake.format.snapshot.ChangelogStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the oldest changelogs that outlive their snapshots, with the files that they alone need.
 *
 * <ol>
 *   <li>Numbers count from the newest snapshot, as for snapshots; consumers hold changelogs back.
 *   <li>With a changelog producer a changelog's own files go with it. Without one a file that a
 *       writer added goes with the changelog before the one that removed the file.
 *   <li>The order is that of {@link SnapshotExpiry}: the changelog goes before its files.
 * </ol>
 *
 * <p>For one thread. Rule source: table format, decoupled changelog. Pinned by {@code
 * ExpiryModelTest}.
 */
public final class ChangelogExpiry {
  private static final Logger LOG = LoggerFactory.getLogger(ChangelogExpiry.class);
  private static final long TOGETHER = 50;

  private final HistoryTable table;
  private final TableStorage storage;
  private final ChangelogStore changelogs;
  private final FileRemoval removal;

  /** The expiry of a branch's changelogs. */
  public ChangelogExpiry(HistoryTable table) {
    this.table = table;
    this.storage = table.storage();
    this.changelogs = storage.changelogs();
    this.removal = new FileRemoval(storage.io());
  }

  /** How many changelogs {@link #run} would remove. */
  public long count(ExpiryRequest request) {
    return existing(range(request));
  }

  /** How many changelogs {@link #runAll} would remove. */
  public long countAll() {
    return existing(everything());
  }

  /** Removes changelogs. */
  public Expired run(ExpiryRequest request) {
    return run(range(request));
  }

  /** Removes all changelogs, whatever consumers still have to read. */
  public Expired runAll() {
    return run(everything());
  }

  private long existing(IdRange range) {
    return changelogs.ids().stream().filter(id -> id >= range.first() && id < range.end()).count();
  }

  private IdRange everything() {
    List<Long> ids = changelogs.ids();
    return ids.isEmpty() ? new IdRange(0, 0) : new IdRange(ids.get(0), ids.get(ids.size() - 1) + 1);
  }

  private IdRange range(ExpiryRequest request) {
    IdRange all = everything();
    OptionalLong latest = storage.snapshots().latestId();
    if (all.isEmpty() || latest.isEmpty()) {
      return new IdRange(0, 0);
    }
    long end = Math.min(all.end(), request.end(all.first(), latest.getAsLong()));
    end = Math.min(end, storage.consumers().smallestNextSnapshot().orElse(end));
    Instant olderThan = request.olderThan();
    return new IdRange(all.first(), Math.max(all.first(), end))
        .expired(request.firstByAge(all.first(), latest.getAsLong()), olderThan, changelogs::find);
  }

  private Expired run(IdRange range) {
    IdRange left = range;
    Expired expired = Expired.NOTHING;
    while (!left.isEmpty()) {
      IdRange next = left.head(TOGETHER);
      expired = expired.and(expire(next));
      left = new IdRange(next.end(), left.end());
    }
    return expired;
  }

  private Expired expire(IdRange range) {
    List<Snapshot> expired = range.read(changelogs::find);
    if (expired.isEmpty()) {
      return Expired.NOTHING;
    }
    Candidates candidates = new Candidates(storage.layout(), table.addresses());
    for (int i = 0; i < expired.size(); i++) {
      collect(candidates, expired.get(i), i > 0);
    }
    VersionNeeds needs = new VersionNeeds(storage, candidates);
    next(range.end()).ifPresent(next -> removed(candidates, next));
    changelogs.find(range.end()).ifPresent(needs::keepLongLived);
    storage.snapshots().earliestId().stream()
        .boxed()
        .flatMap(id -> storage.snapshots().find(id).stream())
        .forEach(needs::keepNames);
    Neighbours neighbours = new Neighbours(storage);
    neighbours.subtract(candidates, range);
    expired.forEach(changelog -> storage.io().delete(changelogs.file(changelog.id())));
    if (changelogs.find(range.end()).isPresent()) {
      changelogs.writeEarliestHint(range.end());
    } else if (changelogs.ids().isEmpty()) {
      changelogs.deleteHints();
    }
    neighbours.subtract(candidates, range);
    return new Expired(expired.size(), removal.delete(UnneededFiles.of(candidates)));
  }

  private Optional<Snapshot> next(long id) {
    Optional<Snapshot> changelog = changelogs.find(id);
    return changelog.isPresent() ? changelog : storage.snapshots().find(id);
  }

  private void collect(Candidates candidates, Snapshot changelog, boolean withRemoved) {
    Candidates found = candidates.none();
    try {
      ExpiredVersions.changelog(storage, found, changelog);
      if (exists(changelog.baseManifestList())) {
        ExpiredVersions.list(found, changelog.baseManifestList(), storage.baseManifests(changelog));
      }
      if (exists(changelog.deltaManifestList())) {
        ExpiredVersions.list(
            found, changelog.deltaManifestList(), storage.deltaManifests(changelog));
      }
      if (withRemoved) {
        removed(found, changelog);
      }
    } catch (CorruptTableException e) {
      LOG.warn(
          "Files of the expired changelog {} of {} are left to the removal of orphans: {}",
          changelog.id(),
          storage.name(),
          e.getMessage());
      return;
    }
    candidates.addAll(found);
  }

  /** Files that writers added and that the version removed: they were kept as changes. */
  private void removed(Candidates found, Snapshot version) {
    if (!exists(version.deltaManifestList())) {
      return;
    }
    Candidates removed = found.none();
    VersionNeeds.forEach(
        storage,
        storage.deltaManifests(version),
        entry -> {
          if (entry.kind() == EntryKind.ADD) {
            removed.keep(entry);
          } else if (entry.file().source() != FileSource.COMPACT) {
            removed.add(entry);
          }
        });
    found.addAll(removed);
  }

  private boolean exists(String list) {
    return storage.io().exists(storage.layout().manifest(list));
  }
}
