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
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds snapshots that a user has committed before. A user's identifiers never decrease, so the
 * search, newest first, ends at a smaller one.
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

  OwnCommits(SnapshotStore snapshots) {
    this.snapshots = snapshots;
  }

  /** The snapshot that {@code phase} of a commit made, of the ids after one up to another. */
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
        if (snapshot.get().commitIdentifier() == identifier
            && phase.makes(snapshot.get().commitKind())) {
          return snapshot;
        }
      }
    }
    return Optional.empty();
  }

  /** The identifier of the user's newest snapshot; empty when there is none left. */
  OptionalLong newestIdentifier(String user) {
    for (long id = snapshots.latestId().orElse(0); id > 0; id--) {
      Optional<Snapshot> snapshot = snapshots.find(id);
      if (snapshot.isEmpty()) {
        return OptionalLong.empty();
      }
      if (snapshot.get().commitUser().equals(user)) {
        return OptionalLong.of(snapshot.get().commitIdentifier());
      }
    }
    return OptionalLong.empty();
  }
}
