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

package io.keylake.table.options;

import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How commits are made and retried.
 *
 * @param timeout time after which no new try starts; null = no limit
 * @param maxRetries tries after the first one
 * @param minRetryWait pause before the first retry, doubled with each one
 * @param maxRetryWait longest pause
 * @param ignoreEmpty whether a commit without changes makes no snapshot; null = the job decides
 * @param discardDuplicates whether files that the table already has are left out of an append
 * @param lastSafeSnapshot a commit fails when another user compacted or overwrote after it; null =
 *     not checked
 * @param overwriteUpgrade whether files of an overwrite go to the top level when they can
 * @param isolation what row-level statements conflict with
 * @param keyUpdate what becomes of an update that changes the primary key
 */
public record CommitOptions(
    @Nullable Duration timeout,
    int maxRetries,
    Duration minRetryWait,
    Duration maxRetryWait,
    @Nullable Boolean ignoreEmpty,
    boolean discardDuplicates,
    @Nullable Long lastSafeSnapshot,
    boolean overwriteUpgrade,
    Isolation isolation,
    KeyUpdate keyUpdate)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What row-level statements conflict with. */
  public enum Isolation {
    /** Commits that changed what they read or wrote. */
    SERIALIZABLE,
    /** Commits that changed what they wrote. */
    SNAPSHOT
  }

  /** What becomes of an update that changes the primary key. */
  public enum KeyUpdate {
    /** The statement fails. */
    REFUSE,
    /** The row moves; a row that has the key is replaced. */
    MOVE
  }

  /** What becomes of a repeatable commit that may have happened, when nothing tells any more. */
  public enum LostFence {
    /** It fails. */
    FAIL,
    /** It is committed as if it had not happened. */
    COMMIT,
    /** It is passed over as if it had happened. */
    SKIP
  }

  static CommitOptions of(Map<String, String> values) {
    return new CommitOptions(
        CommitKeys.TIMEOUT.find(values).orElse(null),
        CommitKeys.MAX_RETRIES.read(values),
        CommitKeys.MIN_RETRY_WAIT.read(values),
        CommitKeys.MAX_RETRY_WAIT.read(values),
        CommitKeys.IGNORE_EMPTY.find(values).orElse(null),
        CommitKeys.DISCARD_DUPLICATES.read(values),
        CommitKeys.STRICT_LAST_SAFE_SNAPSHOT.find(values).orElse(null),
        CommitKeys.OVERWRITE_UPGRADE.read(values),
        CommitKeys.ISOLATION_LEVEL.read(values),
        CommitKeys.KEY_UPDATE.read(values));
  }
}
