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

package io.keylake.table.changes;

import io.keylake.format.snapshot.Snapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Times of commits that rise strictly although clocks of writers differ: a commit counts as made at
 * least a millisecond after the one before it. Only a few snapshots before the first one asked for
 * are looked at, so that the cost does not grow with the table's history. Not for use by many
 * threads.
 */
final class CommitTimes {
  /** Clocks go wrong for a while, not for ever. */
  private static final int LOOK_BACK = 8;

  private final LongFunction<Optional<Snapshot>> snapshots;
  private @Nullable Known last;

  private record Known(Snapshot snapshot, long timeMillis) {}

  CommitTimes(LongFunction<Optional<Snapshot>> snapshots) {
    this.snapshots = snapshots;
  }

  /** When a snapshot counts as committed. */
  long of(Snapshot snapshot) {
    Known known = last;
    if (known != null && known.snapshot().equals(snapshot)) {
      return known.timeMillis();
    }
    Deque<Snapshot> before = new ArrayDeque<>();
    long time = Long.MIN_VALUE;
    for (long id = snapshot.id() - 1; id >= Math.max(1, snapshot.id() - LOOK_BACK); id--) {
      Optional<Snapshot> earlier = snapshots.apply(id);
      if (earlier.isEmpty()) {
        break;
      }
      if (known != null && known.snapshot().equals(earlier.get())) {
        time = known.timeMillis();
        break;
      }
      before.push(earlier.get());
    }
    for (Snapshot earlier : before) {
      time = after(time, earlier);
    }
    time = after(time, snapshot);
    last = new Known(snapshot, time);
    return time;
  }

  private static long after(long time, Snapshot snapshot) {
    return time == Long.MIN_VALUE
        ? snapshot.timeMillis()
        : Math.max(time + 1, snapshot.timeMillis());
  }
}
