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

import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.options.CompactionKeys;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.ScanKeys.Mode;
import io.keylake.table.options.TimeTravelOptions;
import io.keylake.table.scan.TimeTravel;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Where a query without a checkpoint starts.
 *
 * <ol>
 *   <li>Where its consumer is, if it has one with progress and does not ignore it;
 *   <li>else at the range of a stream of changes, {@code startingVersion}, {@code
 *       startingTimestamp};
 *   <li>else as {@code scan.mode} and the options that belong to it say. Without any of these:
 *       {@code scan.timestamp-millis} and {@code scan.timestamp} mean from-timestamp, {@code
 *       scan.snapshot-id}, {@code scan.tag-name} and {@code scan.version} from-snapshot, {@code
 *       scan.file-creation-time-millis} from-file-creation-time, nothing latest-full.
 * </ol>
 *
 * <p>Rule source: table format, start of streams. Pinned by {@code StreamSourceSparkTest}.
 */
final class StreamStart {
  private static final String LATEST = "latest";

  private final StreamTarget target;
  private final StreamHistory history;
  private final StreamErrors errors;
  private final Map<String, String> values;
  private final ZoneId zone;

  /**
   * The start of a query.
   *
   * @param zone of timestamps in text form
   */
  StreamStart(StreamTarget target, StreamHistory history, ZoneId zone) {
    this.target = target;
    this.history = history;
    this.errors = history.errors();
    this.values = target.options().asMap();
    this.zone = zone;
  }

  /** The place. */
  StreamPosition position() {
    OptionalLong progress = progress();
    if (progress.isPresent()) {
      return after(progress.getAsLong() - 1);
    }
    Optional<StreamView.Range> range = target.view().range();
    if (range.isPresent()) {
      return ofRange(range.get());
    }
    Optional<String> version = ScanKeys.STARTING_VERSION.find(values);
    Optional<String> timestamp = ScanKeys.STARTING_TIMESTAMP.find(values);
    TimeTravelOptions travel = target.options().timeTravel();
    if (version.isEmpty() && timestamp.isEmpty()) {
      return ofMode(travel);
    }
    if ((version.isPresent() && timestamp.isPresent())
        || !travel.isLatest()
        || ScanKeys.MODE.isSet(values)) {
      throw errors.invalidStart(
          "more than one option chooses the start. Keep one of startingVersion,"
              + " startingTimestamp and the scan options.");
    }
    return version.isPresent()
        ? ofVersion(version.get())
        : ofTime(TimeTravel.millis(timestamp.orElseThrow(), zone));
  }

  private OptionalLong progress() {
    StreamOptions options = new StreamOptions(target);
    Optional<String> consumer = options.consumer();
    return consumer.isPresent() && options.followsConsumer()
        ? target.storage().consumers().nextSnapshot(consumer.get())
        : OptionalLong.empty();
  }

  private StreamPosition ofRange(StreamView.Range range) {
    Long version = range.fromVersion();
    if (version != null) {
      return existing(version, Long.toString(version));
    }
    Long millis = range.fromMillis();
    return millis == null ? ofMode(target.options().timeTravel()) : ofTime(millis);
  }

  private StreamPosition ofVersion(String text) {
    if (text.equalsIgnoreCase(LATEST)) {
      return latest();
    }
    boolean isNumber = text.matches("[0-9]{1,18}");
    boolean isTag = target.storage().tags().find(text).isPresent();
    if (!isTag && !isNumber) {
      throw errors.noVersion(text, history.earliestId(), newest());
    }
    long id = isTag ? new TimeTravel(target.storage()).byTag(text).id() : Long.parseLong(text);
    return existing(id, text);
  }

  /** Before a snapshot whose changes are kept, or behind the newest one. */
  private StreamPosition existing(long id, String text) {
    long oldest = history.earliestId().orElse(1);
    long newest = history.latestId();
    if (id < oldest || id > newest + 1) {
      throw errors.noVersion(text, history.earliestId(), newest());
    }
    return after(id - 1);
  }

  private OptionalLong newest() {
    long newest = history.latestId();
    return newest == 0 ? OptionalLong.empty() : OptionalLong.of(newest);
  }

  private StreamPosition ofMode(TimeTravelOptions travel) {
    Mode mode = ScanKeys.MODE.read(values);
    boolean hasFileTime = ScanKeys.FILE_CREATION_TIME.isSet(values);
    if (mode == Mode.DEFAULT) {
      mode = modeOf(travel, hasFileTime);
    }
    if (hasFileTime != (mode == Mode.FROM_FILE_CREATION_TIME)) {
      throw errors.invalidStart(
          "'scan.file-creation-time-millis' belongs to 'scan.mode' = 'from-file-creation-time'.");
    }
    return switch (mode) {
      case DEFAULT, LATEST_FULL, FULL, FROM_FILE_CREATION_TIME ->
          history.latest().map(StreamPosition::before).orElseGet(StreamPosition::beginning);
      case LATEST -> latest();
      case COMPACTED_FULL ->
          compacted().map(StreamPosition::before).orElseGet(StreamPosition::beginning);
      case FROM_TIMESTAMP -> ofTime(millis(travel));
      case FROM_SNAPSHOT -> {
        long oldest = history.earliestId().orElse(1);
        long id = snapshotId(travel);
        if (id > history.latestId() + 1) {
          throw errors.noVersion(Long.toString(id), history.earliestId(), newest());
        }
        yield after(Math.max(id, oldest) - 1);
      }
      case FROM_SNAPSHOT_FULL -> StreamPosition.before(snapshot(travel));
      case FROM_CREATION_TIMESTAMP, INCREMENTAL ->
          throw errors.invalidStart(
              "'scan.mode' = '"
                  + ScanKeys.MODE.print(mode)
                  + "' is not supported by streams. Use 'from-timestamp', 'from-snapshot' or"
                  + " 'latest-full'.");
    };
  }

  private static Mode modeOf(TimeTravelOptions travel, boolean hasFileTime) {
    if (travel.timestampMillis() != null || travel.timestamp() != null) {
      return Mode.FROM_TIMESTAMP;
    }
    if (!travel.isLatest()) {
      return Mode.FROM_SNAPSHOT;
    }
    return hasFileTime ? Mode.FROM_FILE_CREATION_TIME : Mode.LATEST_FULL;
  }

  private StreamPosition latest() {
    return history.latest().map(StreamPosition::after).orElseGet(StreamPosition::beginning);
  }

  private long millis(TimeTravelOptions travel) {
    Long millis = travel.timestampMillis();
    if (millis != null) {
      return millis;
    }
    String text = travel.timestamp();
    if (text == null) {
      throw errors.invalidStart(
          "'scan.mode' = 'from-timestamp' needs 'scan.timestamp-millis' or 'scan.timestamp'.");
    }
    return TimeTravel.millis(text, zone);
  }

  private long snapshotId(TimeTravelOptions travel) {
    Long id = travel.snapshotId();
    return id == null ? snapshot(travel).id() : id;
  }

  private Snapshot snapshot(TimeTravelOptions travel) {
    if (travel.isLatest()) {
      throw errors.invalidStart(
          "'scan.mode' = 'from-snapshot' and 'from-snapshot-full' need 'scan.snapshot-id',"
              + " 'scan.tag-name' or 'scan.version'.");
    }
    return new TimeTravel(target.storage()).choose(travel, zone).orElseThrow();
  }

  /** Behind the last snapshot that was committed before a point in time. */
  private StreamPosition ofTime(long millis) {
    Optional<Snapshot> before = target.storage().snapshots().findAtOrBefore(millis - 1);
    if (before.isPresent()) {
      return StreamPosition.after(before.get());
    }
    long oldest = history.earliestId().orElse(1);
    long oldestLive = target.storage().snapshots().earliestId().orElse(1);
    long first =
        LongStream.range(oldest, oldestLive)
            .filter(
                id -> history.find(id).filter(found -> found.timeMillis() >= millis).isPresent())
            .findFirst()
            .orElse(oldestLive);
    return after(first - 1);
  }

  private StreamPosition after(long id) {
    return id == 0
        ? StreamPosition.beginning()
        : history.find(id).map(StreamPosition::after).orElseGet(() -> StreamPosition.after(id));
  }

  /**
   * The newest version that compaction has made, or else the newest one. Where full compactions
   * come every so many commits, one of those.
   */
  private Optional<Snapshot> compacted() {
    Optional<Snapshot> latest = history.latest();
    if (latest.isEmpty()) {
      return latest;
    }
    Optional<Integer> every = CompactionKeys.FULL_DELTA_COMMITS.find(values);
    boolean onlyFull =
        every.isPresent()
            || target.options().merge().changelogProducer() == ChangelogProducer.FULL_COMPACTION;
    int multiple = every.orElse(1);
    List<Long> ids = target.storage().snapshots().ids();
    for (int i = ids.size() - 1; i >= 0; i--) {
      Optional<Snapshot> found = target.storage().snapshots().find(ids.get(i));
      boolean isWanted =
          found.isPresent()
              && found.get().commitKind() == CommitKind.COMPACT
              && (!onlyFull
                  || found.get().commitIdentifier() == Snapshot.BATCH_IDENTIFIER
                  || found.get().commitIdentifier() % multiple == 0);
      if (isWanted) {
        return found;
      }
    }
    return latest;
  }
}
