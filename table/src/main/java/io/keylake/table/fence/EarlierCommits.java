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

package io.keylake.table.fence;

import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.SnapshotStore;
import io.keylake.format.snapshot.TableStorage;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Whether a commit of a stream, or of a job that numbers its commits, has happened before, as of
 * snapshots and fences. Identifiers of a user never decrease: a newer one stands for all older.
 *
 * <p>Pinned by {@code FencesTest}.
 */
public final class EarlierCommits {
  private final SnapshotStore snapshots;
  private final FenceStore fences;

  /** What is known of a branch. */
  public EarlierCommits(TableStorage storage) {
    this.snapshots = storage.snapshots();
    this.fences = new FenceStore(storage);
  }

  /** Whether a commit has happened. */
  public enum Answer {
    /** It, or a later one of the same user, is part of the table's history. */
    HAPPENED,
    /** It is not. */
    NOT_YET,
    /** The snapshots that would tell were expired by another engine, or it is too long ago. */
    UNKNOWN
  }

  /**
   * Whether a commit has happened.
   *
   * @param sinceMillis it cannot have happened before this time; null = it may have at any time, so
   *     the first commit of a user cannot be told from one that was lost: the first is one of
   *     identifier 0
   */
  public Answer ask(String user, long identifier, @Nullable Long sinceMillis) {
    Optional<Known> newest = newest(user);
    if (newest.isPresent() && newest.get().identifier() >= identifier) {
      return Answer.HAPPENED;
    }
    Snapshot earliest = earliest().orElse(null);
    if (fences.coveredTo().isEmpty()) {
      return Answer.NOT_YET;
    }
    Coverage coverage = fences.coverage(earliest);
    if (sinceMillis == null && newest.isEmpty()) {
      return coverage.lostMillis() > 0 && identifier > 0 ? Answer.UNKNOWN : Answer.NOT_YET;
    }
    long since =
        Math.max(sinceMillis == null ? 0 : sinceMillis, newest.map(Known::timeMillis).orElse(0L));
    boolean isLost = coverage.lostMillis() > since || coverage.agedMillis() >= since;
    return isLost ? Answer.UNKNOWN : Answer.NOT_YET;
  }

  private Optional<Snapshot> earliest() {
    OptionalLong id = snapshots.earliestId();
    return id.isPresent() ? snapshots.find(id.getAsLong()) : Optional.empty();
  }

  /** The identifier of a user's newest commit; empty when none is known. */
  public OptionalLong newestIdentifier(String user) {
    Optional<Known> newest = newest(user);
    return newest.isPresent() ? OptionalLong.of(newest.get().identifier()) : OptionalLong.empty();
  }

  private record Known(long identifier, long timeMillis) {}

  /** Snapshots are looked at before fences, which are written before snapshots are deleted. */
  private Optional<Known> newest(String user) {
    long latest = snapshots.latestId().orElse(0);
    OptionalLong covered = fences.coveredTo();
    if (covered.isEmpty()) {
      return Optional.empty();
    }
    for (long id = latest; id > covered.getAsLong(); id--) {
      Optional<Snapshot> snapshot = snapshots.find(id);
      if (snapshot.isEmpty()) {
        break;
      }
      if (snapshot.get().commitUser().equals(user)) {
        return snapshot.map(own -> new Known(own.commitIdentifier(), own.timeMillis()));
      }
    }
    return fences.newest(user).map(fence -> new Known(fence.identifier(), fence.timeMillis()));
  }
}
