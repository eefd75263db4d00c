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

package io.keylake.table.commit;

import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.SnapshotStore;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.fence.FenceStore;
import java.util.Optional;

/**
 * Finds snapshots that a user has committed before. A user's identifiers never decrease, so the
 * search, newest first, ends at a smaller one, and a larger one says that the commit is a late
 * repetition, whatever part of it.
 *
 * <p>Rule source: table format, snapshot file (same user and identifier) and commit protocol.
 */
final class OwnCommits {
  /** The two snapshots that one commit can make. */
  enum Phase {
    WRITE,
    COMPACT;

    boolean makes(CommitKind kind) {
      return (kind == CommitKind.COMPACT) == (this == COMPACT);
    }
  }

  private final SnapshotStore snapshots;
  private final FenceStore fences;

  OwnCommits(TableStorage storage) {
    this.snapshots = storage.snapshots();
    this.fences = new FenceStore(storage);
  }

  /**
   * The snapshot that {@code phase} of a commit made, or that a later commit of the user made, of
   * the ids after one up to another.
   */
  Optional<Snapshot> find(String user, long identifier, Phase phase, long after, long upTo) {
    for (long id = upTo; id > Math.max(0, after); id--) {
      Optional<Snapshot> snapshot = snapshots.find(id);
      if (snapshot.isEmpty()) {
        return Optional.empty();
      }
      if (snapshot.get().commitUser().equals(user)) {
        if (snapshot.get().commitIdentifier() < identifier) {
          return Optional.empty();
        }
        if (snapshot.get().commitIdentifier() > identifier
            || phase.makes(snapshot.get().commitKind())) {
          return snapshot;
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Where the search for an earlier run of a commit begins: before that no snapshot can be of it. A
   * stream may have committed before the snapshot it is based on now.
   *
   * @param latest the newest snapshot's id, read before
   */
  long firstSearched(CommitRequest request, long latest) {
    if (isOfStream(request)) {
      return fences.begin(latest);
    }
    Snapshot base = request.base();
    return base == null ? 0 : base.id();
  }

  /** Whether a commit has happened so long ago that its snapshot has expired. */
  boolean isFenced(CommitRequest request) {
    return isOfStream(request) && fences.holds(request.user(), request.identifier());
  }

  private static boolean isOfStream(CommitRequest request) {
    return request.identifier() != Snapshot.BATCH_IDENTIFIER;
  }
}
