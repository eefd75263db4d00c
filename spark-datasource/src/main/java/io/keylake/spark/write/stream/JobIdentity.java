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

package io.keylake.spark.write.stream;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.Ids;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.TableOptions;
import java.util.List;
import java.util.Optional;

/**
 * What the commit of a write is known by.
 *
 * <ol>
 *   <li>An epoch of a streaming query: the query's id, which lives as long as its checkpoint, and
 *       the epoch.
 *   <li>A statement with {@code txnAppId} and {@code txnVersion}: these.
 *   <li>Any other: a new user.
 * </ol>
 *
 * @param user who commits
 * @param identifier which commit of the user
 * @param kind what it comes from
 * @param compaction whether the write compacts what its options say
 */
public record JobIdentity(String user, long identifier, Kind kind, Compaction compaction) {
  private static final String APP_PREFIX = "txn-";

  /** What the identity of a write comes from. */
  public enum Kind {
    /** Nobody repeats it. */
    BATCH,
    /** The options of the statement. */
    NUMBERED,
    /** A streaming query. */
    EPOCH
  }

  /** Whether a write compacts. */
  public enum Compaction {
    /** As the options say. */
    BY_OPTIONS,
    /** It leaves that to a later epoch. */
    LATER
  }

  /** A write that nobody repeats. */
  public static JobIdentity batch() {
    return new JobIdentity(
        Ids.random().next(), Snapshot.BATCH_IDENTIFIER, Kind.BATCH, Compaction.BY_OPTIONS);
  }

  /**
   * The identity of a statement with these options.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_OPTION when one of the two options is missing
   */
  public static JobIdentity of(TableOptions options, String table) {
    Optional<String> app = CommitKeys.TXN_APP.find(options.asMap());
    Optional<Long> version = CommitKeys.TXN_VERSION.find(options.asMap());
    if (app.isEmpty() && version.isEmpty()) {
      return batch();
    }
    if (app.isEmpty() || version.isEmpty()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "A write to "
              + table
              + " has only one of the options '"
              + CommitKeys.TXN_APP.name()
              + "' and '"
              + CommitKeys.TXN_VERSION.name()
              + "'. Give both, so that its repetition is recognised, or none.");
    }
    return new JobIdentity(
        APP_PREFIX + app.get(), version.get(), Kind.NUMBERED, Compaction.BY_OPTIONS);
  }

  /** The identity of an epoch. */
  public static JobIdentity of(MicroBatch batch, Compaction compaction) {
    return new JobIdentity(batch.queryId(), batch.epoch(), Kind.EPOCH, compaction);
  }

  /** The identity of the next write of the same target: a new one where nobody repeats it. */
  public JobIdentity ofOneWrite() {
    return kind == Kind.BATCH
        ? new JobIdentity(Ids.random().next(), identifier, kind, compaction)
        : this;
  }

  /** The request that commits changes under this identity. */
  public CommitRequest request(List<BucketChange> changes) {
    return kind == Kind.BATCH
        ? CommitRequest.batch(user, changes)
        : CommitRequest.numbered(user, identifier, changes);
  }

  /** How messages name it. */
  public String text() {
    return switch (kind) {
      case BATCH -> "the statement";
      case NUMBERED ->
          CommitKeys.TXN_VERSION.name()
              + " "
              + identifier
              + " of "
              + CommitKeys.TXN_APP.name()
              + " '"
              + user.substring(APP_PREFIX.length())
              + "'";
      case EPOCH -> "epoch " + identifier + " of query " + user;
    };
  }
}
