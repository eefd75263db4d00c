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

import io.keylake.format.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;

/**
 * What a commit made.
 *
 * @param snapshots in order; none when there was nothing to commit
 * @param compaction what became of the compaction part
 * @param dropped the changes of the request whose compaction was not committed because another
 *     commit was in its way, or storage failed after the rows were committed; the buckets can be
 *     compacted anew. The files that it made are deleted, or left to the removal of orphans when
 *     storage failed
 */
public record CommitResult(
    List<Snapshot> snapshots, Compaction compaction, List<BucketChange> dropped) {
  /** What became of the compaction part. */
  public enum Compaction {
    /** There was none. */
    NONE,
    /** Committed, but for the buckets in {@link CommitResult#dropped()}. */
    COMMITTED,
    /**
     * Nothing of it was committed, since other commits were in its way or storage failed; the rows
     * that were written are committed all the same.
     */
    DROPPED,
    /**
     * Storage does not say whether it was committed; the rows that were written are committed. No
     * file was deleted.
     */
    UNKNOWN
  }

  /** Copies the lists. */
  public CommitResult {
    snapshots = List.copyOf(snapshots);
    dropped = List.copyOf(dropped);
  }

  /** The newest of the snapshots. */
  public Optional<Snapshot> newest() {
    return snapshots.isEmpty()
        ? Optional.empty()
        : Optional.of(snapshots.get(snapshots.size() - 1));
  }
}
