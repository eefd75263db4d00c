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
import io.keylake.spark.stream.StreamPosition.Phase;
import io.keylake.table.options.ScanKeys.OnExpired;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Goes from snapshot to snapshot: what follows a position, and how far a trigger goes. The same
 * steps are taken again when a batch is planned, also after a restart. For one thread.
 */
final class StreamSteps {
  private final StreamHistory history;
  private final StreamSchema schema;
  private final SnapshotPlans plans;
  private final OnExpired onExpired;
  private final boolean keepsCommitsWhole;

  StreamSteps(
      StreamTarget target, StreamOptions options, StreamHistory history, SnapshotPlans plans) {
    this.history = history;
    this.plans = plans;
    this.schema = new StreamSchema(target, history.errors());
    this.onExpired = options.onExpired();
    this.keepsCommitsWhole = target.view().keepsCommitsWhole();
  }

  /**
   * Pieces of one snapshot that follow each other.
   *
   * @param of the snapshot
   * @param from index of the first piece
   * @param to index behind the last one
   */
  record Range(PlannedSnapshot of, int from, int to) {
    List<WorkPiece> pieces() {
      return of.pieces().subList(from, to);
    }
  }

  /**
   * What follows a position: the rest of its snapshot, or the next one.
   *
   * @param last id of the last snapshot that is looked at
   */
  Optional<Range> next(StreamPosition position, long last) {
    if (position.isInside()) {
      PlannedSnapshot planned = inside(position);
      int from = Math.toIntExact(position.index());
      if (planned.pieces().size() < from
          || (from > 0
              && !planned.pieces().isEmpty()
              && !planned.fingerprint().equals(position.plan()))) {
        throw history.errors().planChanged(position);
      }
      return Optional.of(new Range(planned, from, planned.pieces().size()));
    }
    long id = position.nextSnapshot();
    return id > last ? Optional.empty() : Optional.of(whole(following(id, last)));
  }

  private static Range whole(PlannedSnapshot planned) {
    return new Range(planned, 0, planned.pieces().size());
  }

  private PlannedSnapshot inside(StreamPosition position) {
    Optional<Snapshot> found =
        position.phase() == Phase.FULL
            ? history.version(position)
            : history.find(position.snapshotId());
    if (found.isEmpty()) {
      return lost(position.snapshotId(), position.manifestList(), position.phase());
    }
    schema.check(found.get());
    return position.phase() == Phase.FULL ? plans.version(found.get()) : plans.changes(found.get());
  }

  private PlannedSnapshot following(long id, long last) {
    Optional<Snapshot> found = history.find(id);
    if (found.isPresent()) {
      schema.check(found.get());
      return plans.changes(found.get());
    }
    if (onExpired == OnExpired.LATEST) {
      String list = history.find(last).map(Snapshot::deltaManifestList).orElse("");
      return new PlannedSnapshot(last, list, Phase.CHANGES, List.of());
    }
    return lost(id, "", Phase.CHANGES);
  }

  /** Nothing is left of an expired snapshot, if the query may go on at all. */
  private PlannedSnapshot lost(long id, String manifestList, Phase phase) {
    OptionalLong earliest = history.earliestId();
    if (onExpired == OnExpired.ERROR) {
      throw history.errors().expired(id, earliest);
    }
    long before = Math.max(id, earliest.orElse(id + 1) - 1);
    return new PlannedSnapshot(before, before == id ? manifestList : "", phase, List.of());
  }

  /**
   * Where a trigger ends that starts at a position. A version is read to its end before changes are
   * read.
   *
   * @param last id of the last snapshot that is looked at
   */
  StreamPosition end(StreamPosition start, long last, Admission admission) {
    StreamPosition position = start;
    while (true) {
      Optional<Range> next = next(position, last);
      if (next.isEmpty()) {
        return position;
      }
      Range range = next.get();
      int to = admitted(range, admission);
      if (to == range.from() && to < range.to()) {
        return position;
      }
      position = range.of().behind(to);
      boolean isVersionRead = range.of().phase() == Phase.FULL && !range.pieces().isEmpty();
      if (to < range.to() || isVersionRead) {
        return position;
      }
    }
  }

  private int admitted(Range range, Admission admission) {
    if (keepsCommitsWhole) {
      boolean isTaken =
          range.pieces().isEmpty() || admission.admits(range.of().sizeFrom(range.from()));
      return isTaken ? range.to() : range.from();
    }
    int to = range.from();
    while (to < range.to() && admission.admits(range.of().pieces().get(to).size())) {
      to++;
    }
    return to;
  }

  /** The pieces between two positions. */
  List<Range> between(StreamPosition start, StreamPosition end) {
    List<Range> ranges = new ArrayList<>();
    StreamPosition position = start;
    while (!position.equals(end)) {
      Optional<Range> next = next(position, end.snapshotId());
      if (next.isEmpty()) {
        return ranges;
      }
      Range range = next.get();
      boolean isLast =
          range.of().snapshotId() == end.snapshotId() && range.of().phase() == end.phase();
      if (isLast && end.isInside()) {
        ranges.add(cut(range, end));
        return ranges;
      }
      ranges.add(range);
      position = range.of().behind(range.to());
      if (isLast) {
        return ranges;
      }
    }
    return ranges;
  }

  private Range cut(Range range, StreamPosition end) {
    int to = Math.toIntExact(end.index());
    boolean isLost = range.of().pieces().isEmpty() && onExpired != OnExpired.ERROR;
    if (isLost) {
      return range;
    }
    if (to < range.from()
        || to > range.to()
        || (to > 0 && !range.of().fingerprint().equals(end.plan()))) {
      throw history.errors().planChanged(end);
    }
    return new Range(range.of(), range.from(), to);
  }
}
