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

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.ChangelogStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.SnapshotStore;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.expiry.ExpiredVersions.Survivor;
import io.keylake.table.fence.FenceStore;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Removes the oldest snapshots of a branch with the files that they alone need.
 *
 * <ol>
 *   <li>With max retained M, min retained m, age T and limit L, of snapshots e to n: those below
 *       n-M+1 expire, then those older than T, never from n-m+1 on, never more than L, never what a
 *       consumer still has to read.
 *   <li>First everything is read that decides which files may go; a failure there changes nothing.
 *       Then the changelogs of the snapshots are saved, if they outlive them, and what tells which
 *       commits of streams have happened, see {@link FenceStore}. Then the snapshot files go,
 *       oldest first. Then tags and branches are looked at once more, and at last the files go. So
 *       every version that is listed is complete at every moment: a run that stops in between
 *       leaves files that nothing needs, for the removal of orphans; data files among them once the
 *       manifests that name them as removed have been merged.
 *   <li>Who tags a snapshot, or makes a branch of it, looks afterwards whether the snapshot is
 *       still there: then it was, or will be, seen here.
 * </ol>
 *
 * <p>Many snapshots are expired some at a time, so that memory is needed for the files of a few.
 * Runs of several processes do not disturb each other. For one thread.
 *
 * <p>Rule source: table format, snapshot expiration. Pinned by {@code SnapshotExpiryTest}, {@code
 * ExpiryModelTest} and {@code ExpiryFaultTest}.
 */
public final class SnapshotExpiry {
  /** How many snapshots are expired together. */
  private static final long TOGETHER = 50;

  private final HistoryTable table;
  private final TableStorage storage;
  private final SnapshotStore snapshots;
  private final ExpiryRules rules;
  private final FileRemoval removal;

  /** The expiry of a table's branch. */
  public SnapshotExpiry(HistoryTable table) {
    this.table = table;
    this.storage = table.storage();
    this.snapshots = storage.snapshots();
    this.rules = ExpiryRules.of(table.options());
    this.removal = new FileRemoval(storage.io());
  }

  /** How many snapshots {@link #run} would remove. */
  public long count(ExpiryRequest request) {
    return range(request).size();
  }

  /** Removes snapshots. */
  public Expired run(ExpiryRequest request) {
    IdRange left = range(request);
    Expired expired = Expired.NOTHING;
    while (!left.isEmpty()) {
      IdRange next = left.head(TOGETHER);
      expired = expired.and(expire(next));
      left = new IdRange(next.end(), left.end());
    }
    return expired;
  }

  private IdRange range(ExpiryRequest request) {
    OptionalLong latest = snapshots.latestId();
    if (latest.isEmpty() || latest.getAsLong() <= request.retainMin()) {
      return new IdRange(0, 0);
    }
    long earliest = snapshots.earliestId().orElse(latest.getAsLong());
    long end = request.end(earliest, latest.getAsLong());
    if (end > earliest && !rules.consumersHoldChangelogsOnly()) {
      end = Math.min(end, storage.consumers().smallestKept().orElse(end));
    }
    return new IdRange(earliest, Math.max(earliest, end))
        .expired(
            request.firstByAge(earliest, latest.getAsLong()), request.olderThan(), snapshots::find);
  }

  /** Removes some; nothing where another process has expired more meanwhile. */
  private Expired expire(IdRange range) {
    Optional<Snapshot> next = from(range.end());
    List<Snapshot> expired = range.read(snapshots::find);
    if (next.isEmpty() || expired.isEmpty()) {
      return Expired.NOTHING;
    }
    Candidates candidates = new Candidates(storage.layout(), table.addresses());
    Neighbours neighbours = new Neighbours(storage);
    try {
      new ExpiredVersions(storage, candidates, survivor()).collect(expired, next.get());
      new VersionNeeds(storage, candidates).keepNames(next.get());
      neighbours.subtract(candidates, range);
    } catch (CorruptTableException e) {
      if (snapshots.find(next.get().id()).equals(next)) {
        throw e;
      }
      return Expired.NOTHING;
    }
    if (survivor() != Survivor.NOTHING) {
      saveChangelogs(expired);
    }
    keepFences(expired, next.get());
    for (Snapshot snapshot : expired) {
      storage.io().delete(snapshots.file(snapshot.id()));
    }
    snapshots.writeEarliestHint(next.get().id());
    neighbours.subtract(candidates, range);
    UnneededFiles files = UnneededFiles.of(candidates);
    FileRemoval.Removed removed = removal.delete(files);
    if (rules.cleansEmptyFolders()) {
      removal.deleteEmptyFolders(files, table.dataFolder());
    }
    return new Expired(expired.size(), removed);
  }

  private void keepFences(List<Snapshot> expired, Snapshot next) {
    long kept = CommitKeys.FENCE_RETAINED.read(table.options().asMap()).toMillis();
    new FenceStore(storage).keep(expired, next, next.timeMillis() - kept);
  }

  /** The snapshot of an id, or the one after it where ids are left out. */
  private Optional<Snapshot> from(long id) {
    Optional<Snapshot> found = snapshots.find(id);
    return found.isPresent()
        ? found
        : snapshots.ids().stream().filter(other -> other > id).findFirst().flatMap(snapshots::find);
  }

  private Survivor survivor() {
    if (!table.options().retention().decouplesChangelogs()) {
      return Survivor.NOTHING;
    }
    return table.options().merge().changelogProducer() == ChangelogProducer.NONE
        ? Survivor.ADDED_FILES
        : Survivor.CHANGELOG_FILES;
  }

  private void saveChangelogs(List<Snapshot> expired) {
    ChangelogStore changelogs = storage.changelogs();
    long newest = 0;
    for (Snapshot snapshot : expired) {
      Location file = snapshots.file(snapshot.id());
      if (storage.io().exists(file)) {
        boolean isOurs = changelogs.publish(snapshot) == FileIO.Publication.PUBLISHED;
        if (isOurs && !storage.io().exists(file)) {
          // Another process has expired it meanwhile, and perhaps its changelog, too.
          storage.io().delete(changelogs.file(snapshot.id()));
        } else {
          newest = snapshot.id();
        }
      }
    }
    if (newest > 0) {
      changelogs.writeLatestHint(newest);
    }
  }
}
