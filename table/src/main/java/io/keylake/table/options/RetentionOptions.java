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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long history is kept.
 *
 * @param snapshots of snapshots
 * @param changelogs of changelogs; the same as {@code snapshots} unless set
 * @param expireLimit most snapshots removed in one run
 * @param tagRetained how long new tags are kept; null = for ever
 */
public record RetentionOptions(
    Window snapshots, Window changelogs, int expireLimit, @Nullable Duration tagRetained)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * What is kept.
   *
   * @param min never fewer
   * @param max never more
   * @param time in between, those younger than this
   */
  public record Window(int min, int max, Duration time) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  static RetentionOptions of(Map<String, String> values) {
    int max = CommitKeys.SNAPSHOT_RETAINED_MAX.read(values);
    int min = CommitKeys.SNAPSHOT_RETAINED_MIN.read(values);
    if (!CommitKeys.SNAPSHOT_RETAINED_MIN.isSet(values)) {
      min = Math.min(min, max);
    }
    Window snapshots = new Window(min, max, CommitKeys.SNAPSHOT_RETAINED_TIME.read(values));
    if (snapshots.min() > snapshots.max()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "Option '"
              + CommitKeys.SNAPSHOT_RETAINED_MIN.name()
              + "' = "
              + snapshots.min()
              + " is above '"
              + CommitKeys.SNAPSHOT_RETAINED_MAX.name()
              + "' = "
              + snapshots.max()
              + ". Lower the first or raise the second.");
    }
    Window changelogs =
        new Window(
            CommitKeys.CHANGELOG_RETAINED_MIN.find(values).orElse(snapshots.min()),
            CommitKeys.CHANGELOG_RETAINED_MAX.find(values).orElse(snapshots.max()),
            CommitKeys.CHANGELOG_RETAINED_TIME.find(values).orElse(snapshots.time()));
    return new RetentionOptions(
        snapshots,
        changelogs,
        CommitKeys.EXPIRE_LIMIT.read(values),
        CommitKeys.TAG_DEFAULT_RETAINED.find(values).orElse(null));
  }

  /** Whether changelogs outlive their snapshots. */
  public boolean decouplesChangelogs() {
    return changelogs.min() > snapshots.min()
        || changelogs.max() > snapshots.max()
        || changelogs.time().compareTo(snapshots.time()) > 0;
  }
}
