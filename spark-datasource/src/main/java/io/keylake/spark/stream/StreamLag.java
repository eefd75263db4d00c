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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How far a query is behind the table. Each snapshot is looked at once, at most {@link #PER_CALL}
 * at a time; where more are waiting, they are taken to be like those that are known. For one
 * thread.
 */
final class StreamLag {
  /** Snapshots that are planned for the sake of metrics each time. */
  static final int PER_CALL = 32;

  private final StreamHistory history;
  private final SnapshotPlans plans;
  private final Map<Long, WorkSize> sizes = new HashMap<>();

  StreamLag(StreamHistory history, SnapshotPlans plans) {
    this.history = history;
    this.plans = plans;
  }

  /** The metrics of a query that has read up to {@code position}. */
  Map<String, String> after(StreamPosition position) {
    WorkSize rest = position.isInside() ? rest(position) : WorkSize.NONE;
    long first = position.snapshotId() + 1;
    long waiting = Math.max(0, history.latestId() - first + 1);
    WorkSize known = WorkSize.NONE;
    long counted = 0;
    int planned = 0;
    while (counted < waiting && planned < PER_CALL) {
      long id = first + counted;
      WorkSize size = sizes.get(id);
      if (size == null) {
        Optional<Snapshot> snapshot = history.find(id);
        if (snapshot.isEmpty()) {
          break;
        }
        size = plans.changes(snapshot.get()).size();
        sizes.put(id, size);
        planned++;
      }
      known = known.plus(size);
      counted++;
    }
    sizes.keySet().removeIf(id -> id < first);
    double more = counted == 0 ? 1 : (double) waiting / counted;
    return Map.of(
        "snapshotsBehind", Long.toString(waiting + (position.isInside() ? 1 : 0)),
        "filesBehind", Long.toString(rest.files() + Math.round(known.files() * more)),
        "rowsBehind", Long.toString(rest.rows() + Math.round(known.rows() * more)),
        "bytesBehind", Long.toString(rest.bytes() + Math.round(known.bytes() * more)));
  }

  private WorkSize rest(StreamPosition position) {
    Optional<Snapshot> snapshot =
        position.isInFull() ? history.version(position) : history.find(position.snapshotId());
    if (snapshot.isEmpty()) {
      return WorkSize.NONE;
    }
    PlannedSnapshot planned =
        position.isInFull() ? plans.version(snapshot.get()) : plans.changes(snapshot.get());
    return planned.sizeFrom((int) Math.min(position.index(), planned.pieces().size()));
  }
}
