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

package io.keylake.spark.stream;

import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.changes.ChangeLog;
import java.util.Optional;
import java.util.OptionalLong;

/** The snapshots that a query meets, and whether those it has read are still the table's. */
final class StreamHistory {
  private final StreamTarget target;
  private final ChangeLog changes;
  private final StreamErrors errors;

  StreamHistory(StreamTarget target, ChangeLog changes) {
    this.target = target;
    this.changes = changes;
    this.errors = new StreamErrors(target.name().text());
  }

  StreamErrors errors() {
    return errors;
  }

  /** The newest snapshot; empty when there is none. */
  Optional<Snapshot> latest() {
    return target.storage().snapshots().latest();
  }

  /** The id of the newest snapshot; 0 when there is none. */
  long latestId() {
    return changes.latestId().orElse(0);
  }

  /** The oldest id whose changes are kept; empty when there is none. */
  OptionalLong earliestId() {
    return changes.earliestId();
  }

  /** A snapshot, expired or not, as long as its changes are kept. */
  Optional<Snapshot> find(long id) {
    return changes.find(id);
  }

  /** The version that is being read in whole: a snapshot, or a tag of one that has expired. */
  Optional<Snapshot> version(StreamPosition position) {
    Optional<Snapshot> live = target.storage().snapshots().find(position.snapshotId());
    if (live.isPresent()) {
      return live;
    }
    return target.storage().tags().all().stream()
        .map(Tag::snapshot)
        .filter(snapshot -> snapshot.id() == position.snapshotId())
        .filter(snapshot -> snapshot.deltaManifestList().equals(position.manifestList()))
        .findFirst();
  }

  /**
   * Checks that what was read is still part of the table.
   *
   * @throws io.keylake.format.errors.InvalidRequestException KEYLAKE_STREAM_ROLLED_BACK when it is
   *     not
   */
  void check(StreamPosition position) {
    if (position.snapshotId() == 0) {
      return;
    }
    Optional<Snapshot> read = find(position.snapshotId());
    boolean isGone =
        read.isEmpty()
            ? latestId() < position.snapshotId() && version(position).isEmpty()
            : !position.manifestList().isEmpty()
                && !read.get().deltaManifestList().equals(position.manifestList());
    if (isGone) {
      throw errors.rolledBack(position, changes.latestId());
    }
  }
}
