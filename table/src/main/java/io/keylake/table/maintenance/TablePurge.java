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

package io.keylake.table.maintenance;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Ids;
import io.keylake.format.snapshot.BranchStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.expiry.ChangelogExpiry;
import io.keylake.table.expiry.ExpiryRequest;
import io.keylake.table.expiry.FileRemoval;
import io.keylake.table.expiry.HistoryTable;
import io.keylake.table.expiry.ManagedFolders;
import io.keylake.table.expiry.ReferencedMetadata;
import io.keylake.table.expiry.SnapshotExpiry;
import io.keylake.table.expiry.UnneededFiles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Removes all rows of a table with all history: what is left is the definition, and one empty
 * snapshot if there was any. Tags, branches, changelogs and consumers go. No age protects files, so
 * nobody may write meanwhile.
 *
 * <ol>
 *   <li>The table is emptied by a commit; from then on it is readable and empty, wherever a run
 *       stops. The procedure can be repeated.
 *   <li>Branches, tags and consumers go, then all snapshots but that one with their files, then
 *       every file that it does not name.
 * </ol>
 */
public final class TablePurge {
  private final HistoryTable table;
  private final TableStorage storage;

  /** The purge of a table, seen through its main branch. */
  public TablePurge(HistoryTable table) {
    this.table = table;
    this.storage = table.storage();
    if (!storage.layout().isMainBranch()) {
      throw new IllegalArgumentException("A branch cannot be purged");
    }
  }

  /**
   * How many files there are: {@link #run} removes all but the manifests that the empty snapshot
   * still names.
   */
  public long count() {
    return files().size();
  }

  private List<FileStatus> files() {
    List<FileStatus> files = new ArrayList<>();
    for (ManagedFolders.Place place : ManagedFolders.of(table, 1)) {
      place.forEachFile(storage.io(), files::add);
    }
    return files;
  }

  /**
   * Purges the table.
   *
   * @param ids gives the commit its name
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when somebody writes meanwhile
   */
  public FileRemoval.Removed run(TableCommitter committer, Ids ids) {
    Optional<Snapshot> emptied =
        committer
            .commit(
                CommitRequest.batch(ids.next(), List.of())
                    .overwriting(new OverwriteScope.WholeTable())
                    .withProperties(Map.of(Snapshot.OPERATION, "PURGE")))
            .newest()
            .or(storage.snapshots()::latest);
    for (BranchStore.Branch branch : storage.branches().all()) {
      new Branches(storage).delete(branch.name());
    }
    storage.tags().names().forEach(storage.tags()::delete);
    storage.consumers().all().keySet().forEach(storage.consumers()::delete);
    ExpiryRequest onlyNewest = new ExpiryRequest(1, 1, Instant.ofEpochMilli(0), Long.MAX_VALUE);
    return new SnapshotExpiry(table)
        .run(onlyNewest)
        .files()
        .and(new ChangelogExpiry(table).runAll().files())
        .and(removeOthers(emptied));
  }

  private FileRemoval.Removed removeOthers(Optional<Snapshot> emptied) {
    List<FileStatus> files = files();
    Set<String> named = new HashSet<>();
    ReferencedMetadata metadata = ReferencedMetadata.of(storage);
    named.addAll(metadata.names());
    Optional<Snapshot> newest = storage.snapshots().latest();
    boolean isOurs =
        newest.map(Snapshot::deltaManifestList).equals(emptied.map(Snapshot::deltaManifestList));
    if (!isOurs) {
      throw new CommitConflictException(
          Condition.KEYLAKE_CONCURRENT_MODIFICATION,
          "Table "
              + storage.name()
              + " was written while it was purged. Stop its writers and run the statement again.",
          null);
    }
    return new FileRemoval(storage.io())
        .delete(
            UnneededFiles.orphans(files, Instant.ofEpochMilli(Long.MAX_VALUE), named::contains));
  }
}
