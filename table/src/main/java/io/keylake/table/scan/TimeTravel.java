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

package io.keylake.table.scan;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.options.TimeTravelOptions;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Chooses the version of a table that a statement reads. A version that does not exist is a {@code
 * KEYLAKE_VERSION_NOT_FOUND} that names those that do. Immutable.
 *
 * <p>Rule source: table behaviour, batch time travel; pinned by {@code TimeTravelTest}.
 */
public final class TimeTravel {
  private static final String WATERMARK_PREFIX = "watermark-";
  private static final DateTimeFormatter LOCAL_TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendPattern("[' ']['T']")
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .toFormatter();

  private final TableStorage storage;

  /** Choices among the versions of a table. */
  public TimeTravel(TableStorage storage) {
    this.storage = storage;
  }

  /**
   * The version that options choose; empty for the newest of a table without snapshots.
   *
   * @param zone of timestamps in text form
   */
  public Optional<Snapshot> choose(TimeTravelOptions options, ZoneId zone) {
    Long id = options.snapshotId();
    if (id != null) {
      return Optional.of(bySnapshotId(id));
    }
    String tag = options.tag();
    if (tag != null) {
      return Optional.of(byTag(tag));
    }
    String version = options.version();
    if (version != null) {
      return Optional.of(byVersion(version));
    }
    Long millis = options.timestampMillis();
    if (millis != null) {
      return Optional.of(atTimestamp(millis));
    }
    String timestamp = options.timestamp();
    return timestamp == null
        ? storage.snapshots().latest()
        : Optional.of(atTimestamp(millis(timestamp, zone)));
  }

  /** The snapshot of this id. */
  public Snapshot bySnapshotId(long id) {
    return storage.snapshots().load(id);
  }

  /** The snapshot that a tag names. */
  public Snapshot byTag(String tag) {
    return storage.tags().find(tag).map(Tag::snapshot).orElseThrow(() -> noTag("Tag " + tag));
  }

  /**
   * The snapshot of a version in text form: a tag of this name, or else {@code watermark-<n>}, or
   * else a snapshot id.
   */
  public Snapshot byVersion(String version) {
    Optional<Tag> tag = storage.tags().find(version);
    if (tag.isPresent()) {
      return tag.get().snapshot();
    }
    OptionalLong watermark =
        version.startsWith(WATERMARK_PREFIX)
            ? number(version.substring(WATERMARK_PREFIX.length()))
            : OptionalLong.empty();
    if (watermark.isPresent()) {
      return byWatermark(watermark.getAsLong());
    }
    OptionalLong id = number(version);
    if (id.isPresent()) {
      return bySnapshotId(id.getAsLong());
    }
    throw noTag("Version " + version);
  }

  /** The oldest snapshot whose watermark has reached {@code watermark}. */
  public Snapshot byWatermark(long watermark) {
    return storage
        .snapshots()
        .findByWatermark(watermark)
        .orElseThrow(() -> storage.snapshots().notFound("A snapshot of watermark " + watermark));
  }

  /** The newest snapshot that was committed at or before a point in time. */
  public Snapshot atTimestamp(long timeMillis) {
    return storage
        .snapshots()
        .findAtOrBefore(timeMillis)
        .orElseThrow(() -> nothingBefore(timeMillis));
  }

  /** Milliseconds of a date, or a date and time, in the zone. */
  public static long millis(String timestamp, ZoneId zone) {
    String text = timestamp.trim();
    try {
      LocalDateTime local =
          text.length() <= 10
              ? LocalDate.parse(text).atStartOfDay()
              : LocalDateTime.parse(text, LOCAL_TIME);
      return local.atZone(zone).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "'%s' is no timestamp. Write it like 2024-01-31 or 2024-01-31 12:30:00.123"
              .formatted(timestamp),
          e);
    }
  }

  private static OptionalLong number(String text) {
    boolean digits =
        !text.isEmpty() && text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
  }

  private InvalidRequestException noTag(String what) {
    List<String> tags = storage.tags().names();
    InvalidRequestException snapshots = storage.snapshots().notFound(what);
    return new InvalidRequestException(
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        snapshots.getMessage() + (tags.isEmpty() ? " It has no tags." : " Its tags: " + tags));
  }

  private InvalidRequestException nothingBefore(long timeMillis) {
    List<Snapshot> all = storage.snapshots().all();
    String earliest =
        all.isEmpty() ? "" : " The oldest is of %s UTC.".formatted(utc(all.get(0).timeMillis()));
    InvalidRequestException snapshots =
        storage.snapshots().notFound("A snapshot of %s UTC or before".formatted(utc(timeMillis)));
    return new InvalidRequestException(
        Condition.KEYLAKE_VERSION_NOT_FOUND, snapshots.getMessage() + earliest);
  }

  private static LocalDateTime utc(long millis) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }
}
