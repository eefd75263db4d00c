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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.changes.ChangeRange.Basis;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Turns bounds that users give into ranges of ids. What is no bound, or outside of what is kept, is
 * a KEYLAKE_VERSION_NOT_FOUND that names what there is; an end before the start is a
 * KEYLAKE_INVALID_REQUEST. For one thread.
 *
 * <ol>
 *   <li>A version is a snapshot id, or the name of a tag, which wins.
 *   <li>A range that starts behind a version starts with the next id; that one may be to come.
 *   <li>A time stands for the commits from, or up to, it. A range that ends in the future ends with
 *       the newest commit; one that starts after the newest commit is refused, and so is one that
 *       starts before the oldest kept commit when commits before it have expired.
 * </ol>
 *
 * <p>Pinned by {@code ChangeBoundsTest}.
 */
public final class ChangeBounds {
  private final ChangeLog log;
  private final TableStorage storage;
  private final long newest;

  /**
   * Bounds in the history of a table.
   *
   * @param newest the newest snapshot that is seen; null when there is none
   */
  public ChangeBounds(ChangeLog log, TableStorage storage, @Nullable Snapshot newest) {
    this.log = log;
    this.storage = storage;
    this.newest = newest == null ? 0 : newest.id();
  }

  /**
   * A bound.
   *
   * @param value a version as text, or a time in microseconds since the epoch
   * @param bound whether it belongs to the range
   */
  public record End<T>(T value, Bound bound) {}

  /**
   * The commits between two versions.
   *
   * @param end null: up to the newest
   */
  public ChangeRange versions(End<String> start, @Nullable End<String> end) {
    long from = version(start.value());
    long first = start.bound() == Bound.INCLUSIVE ? from : from + 1;
    long to = end == null ? newest : version(end.value());
    if (from > newest) {
      throw outside("Version " + from, "has not been committed yet");
    }
    if (to > newest) {
      throw outside("Version " + to, "has not been committed yet");
    }
    if (to < from && end != null) {
      throw reversed("version " + start.value(), "version " + end.value());
    }
    long last = end == null || end.bound() == Bound.INCLUSIVE ? to : to - 1;
    ChangeRange range = new ChangeRange(first, last, Basis.COMMITTED);
    checkKept(range);
    return range;
  }

  /**
   * The commits between two times, in microseconds since the epoch.
   *
   * @param end null: up to the newest
   */
  public ChangeRange timestamps(End<Long> start, @Nullable End<Long> end) {
    if (end != null && end.value() < start.value()) {
      throw reversed(utc(start.value()), utc(end.value()));
    }
    List<Snapshot> kept = kept();
    long first = newest + 1;
    long last = newest;
    long time = Long.MIN_VALUE;
    for (Snapshot snapshot : kept) {
      time = Math.max(time + 1, TimeUnit.MILLISECONDS.toMicros(log.timeMillis(snapshot)));
      if (first > newest && isFrom(time, start)) {
        first = snapshot.id();
      }
      if (end != null && last == newest && !isUpTo(time, end)) {
        last = snapshot.id() - 1;
      }
    }
    checkStart(start, kept, first, time);
    return new ChangeRange(first, last, Basis.COMMITTED);
  }

  private void checkStart(End<Long> start, List<Snapshot> kept, long first, long newestMicros) {
    if (kept.isEmpty() || start.value() > newestMicros) {
      throw outside(
          "A commit of %s UTC or later".formatted(utc(start.value())), "has not been made yet");
    }
    Snapshot oldest = kept.get(0);
    if (first == oldest.id() && oldest.id() > 1 && micros(oldest) > start.value()) {
      throw missing(
          "The changes of table %s of %s UTC have expired. The oldest version available is %d of %s UTC, the newest %d. Start there or later."
              .formatted(
                  storage.name(), utc(start.value()), oldest.id(), utc(micros(oldest)), newest));
    }
  }

  /** Every commit whose changes can still be told. */
  public ChangeRange everything(ChangeRules rules) {
    return new ChangeRange(log.firstTold(newest, rules), newest, Basis.COMMITTED);
  }

  /**
   * The snapshots behind one version up to another, as the format's own readers count.
   *
   * @param start excluded; the one before the oldest is allowed
   */
  public ChangeRange landedBetween(long start, long end) {
    if (end < start) {
      throw reversed("version " + start, "version " + end);
    }
    if (end > newest) {
      throw outside("Version " + end, "has not been committed yet");
    }
    if (start < 0) {
      throw missing(
          "Version %d of table %s cannot be. Versions start at 1."
              .formatted(start, storage.name()));
    }
    ChangeRange range = new ChangeRange(start + 1, end, Basis.LANDED);
    checkKept(range);
    return range;
  }

  /**
   * The snapshots behind one time up to another, as the format's own readers count, milliseconds
   * since the epoch; nothing when both are the same or nothing was committed between.
   */
  public ChangeRange landedBetweenTimes(long startMillis, long endMillis) {
    if (endMillis < startMillis) {
      throw reversed(
          utc(TimeUnit.MILLISECONDS.toMicros(startMillis)),
          utc(TimeUnit.MILLISECONDS.toMicros(endMillis)));
    }
    List<Snapshot> kept = kept();
    long first = kept.isEmpty() ? 1 : kept.get(0).id();
    long last = first - 1;
    for (Snapshot snapshot : kept) {
      if (snapshot.timeMillis() <= startMillis) {
        first = snapshot.id() + 1;
      }
      if (snapshot.timeMillis() <= endMillis) {
        last = snapshot.id();
      }
    }
    return new ChangeRange(first, last, Basis.LANDED);
  }

  /** The id of a version in text form. */
  public long version(String text) {
    Optional<Tag> tag = text.isEmpty() ? Optional.empty() : storage.tags().find(text);
    if (tag.isPresent()) {
      return tag.get().snapshot().id();
    }
    boolean digits =
        !text.isEmpty() && text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits) {
      List<String> tags = storage.tags().names();
      throw missing(
          "'%s' is no version of table %s: it is neither a snapshot id nor the name of a tag. %s %s"
              .formatted(
                  text,
                  storage.name(),
                  available(),
                  tags.isEmpty() ? "It has no tags." : "Its tags: " + tags + "."));
    }
    return Long.parseLong(text);
  }

  private void checkKept(ChangeRange range) {
    if (!range.isEmpty()) {
      log.load(range.first());
    }
  }

  /** All snapshots whose changes are kept, up to the newest one that is seen. */
  private List<Snapshot> kept() {
    List<Snapshot> live = storage.snapshots().all();
    long firstLive = live.isEmpty() ? Long.MAX_VALUE : live.get(0).id();
    List<Snapshot> all = new ArrayList<>();
    for (long id : storage.changelogs().ids()) {
      if (id < firstLive) {
        storage.changelogs().find(id).ifPresent(all::add);
      }
    }
    all.addAll(live);
    all.removeIf(snapshot -> snapshot.id() > newest);
    return all;
  }

  private static long micros(Snapshot snapshot) {
    return TimeUnit.MILLISECONDS.toMicros(snapshot.timeMillis());
  }

  private static boolean isFrom(long micros, End<Long> start) {
    return start.bound() == Bound.INCLUSIVE ? micros >= start.value() : micros > start.value();
  }

  private static boolean isUpTo(long micros, End<Long> end) {
    return end.bound() == Bound.INCLUSIVE ? micros <= end.value() : micros < end.value();
  }

  private InvalidRequestException reversed(String start, String end) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "The changes of table %s cannot be read from %s to %s, which is before it. Exchange the bounds."
            .formatted(storage.name(), start, end));
  }

  private InvalidRequestException outside(String what, String how) {
    return missing("%s of table %s %s. %s".formatted(what, storage.name(), how, available()));
  }

  private String available() {
    OptionalLong earliest = log.earliestId();
    return earliest.isEmpty() || newest == 0
        ? "The table has no versions."
        : "The oldest version available is %d, the newest %d."
            .formatted(earliest.getAsLong(), newest);
  }

  private static InvalidRequestException missing(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_VERSION_NOT_FOUND, message);
  }

  private static String utc(long micros) {
    return LocalDateTime.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC)
        .toString();
  }
}
