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

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.fence.EarlierCommits;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.TableOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a write repeats one that was committed, asked before its tasks run, so that they write
 * nothing. The commit asks again.
 */
public final class Repetition {
  private static final Logger LOG = LoggerFactory.getLogger(Repetition.class);

  private Repetition() {}

  /**
   * Whether the write was committed before.
   *
   * @throws CommitConflictException KEYLAKE_FENCE_EXPIRED when nothing tells any more
   */
  public static boolean isOf(JobIdentity identity, TableStorage storage, TableOptions options) {
    if (identity.kind() == JobIdentity.Kind.BATCH) {
      return false;
    }
    Long since = MicroBatch.running().map(MicroBatch.Plan::plannedMillis).orElse(null);
    EarlierCommits.Answer answer =
        new EarlierCommits(storage)
            .ask(
                identity.user(),
                identity.identifier(),
                identity.kind() == JobIdentity.Kind.EPOCH ? since : null);
    boolean isRepeated =
        switch (answer) {
          case HAPPENED -> true;
          case NOT_YET -> false;
          case UNKNOWN -> isTaken(identity, storage, options);
        };
    if (isRepeated) {
      LOG.info("{} is in {} already: nothing is written", identity.text(), storage.name());
    }
    return isRepeated;
  }

  private static boolean isTaken(JobIdentity identity, TableStorage storage, TableOptions options) {
    return switch (CommitKeys.LOST_FENCE.read(options.asMap())) {
      case COMMIT -> false;
      case SKIP -> true;
      case FAIL ->
          throw new CommitConflictException(
              Condition.KEYLAKE_FENCE_EXPIRED,
              "Cannot tell whether "
                  + identity.text()
                  + " was committed to table "
                  + storage.name()
                  + ": the snapshots that would say so were expired by another engine, or longer"
                  + " ago than '"
                  + CommitKeys.FENCE_RETAINED.name()
                  + "'. Nothing was written. See whether its rows are there, then run once with '"
                  + CommitKeys.LOST_FENCE.name()
                  + "' = 'skip' if they are, or 'commit' if not. Let Keylake expire snapshots of"
                  + " this table to avoid this.",
              null);
    };
  }
}
