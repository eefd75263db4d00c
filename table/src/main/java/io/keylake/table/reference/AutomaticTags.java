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

package io.keylake.table.reference;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.TableOptions;
import io.keylake.table.reference.TagOptions.Creation;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tags that a table makes by itself.
 *
 * <ol>
 *   <li>By period: the first snapshot whose time, less the delay, has reached the end of the next
 *       period gets the tag of the period before the one it is in. While there is no such tag the
 *       oldest snapshot gets one at once. Time is that of the commit, or the watermark. A period
 *       without commits has no tag, unless they are completed: then its tag names the next
 *       snapshot.
 *   <li>Batch: the newest snapshot gets the tag {@code batch-write-<day of the commit>}, or of the
 *       name that an option gives, replacing one of the day.
 *   <li>When there are more of these tags than are to be kept, the oldest go. Tags made by hand
 *       neither count nor go.
 *   <li>They are kept as long as {@code tag.default-time-retained} says.
 * </ol>
 *
 * <p>Rule source: table format, automatic tags; behaviour of the reference implementation 1.4.2
 * (the first tag). Pinned by {@code AutomaticTagsTest}.
 */
public final class AutomaticTags {
  private static final String BATCH_PREFIX = "batch-write-";

  private final TableStorage storage;
  private final TagOptions options;
  private final Clock clock;

  /**
   * The tags that a table makes by itself.
   *
   * @param clock tells the time and the zone of creation
   */
  public AutomaticTags(TableStorage storage, TableOptions options, Clock clock) {
    this.storage = storage;
    this.options = TagOptions.of(options);
    this.clock = clock;
  }

  /** What was done. */
  public record Outcome(List<Tag> created, List<String> deleted) {
    static final Outcome NOTHING = new Outcome(List.of(), List.of());

    /** Copies the lists. */
    public Outcome {
      created = List.copyOf(created);
      deleted = List.copyOf(deleted);
    }
  }

  /** When tags are made. */
  public Creation creation() {
    return options.creation();
  }

  /**
   * Refuses a name by hand that the table gives by itself.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_REQUEST
   */
  public void checkByHand(String name) {
    if (options.creation() != Creation.NONE && isAutomatic(name)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "'"
              + name
              + "' is a name that table "
              + storage.name()
              + " gives to tags by itself ('"
              + CommitKeys.TAG_AUTOMATIC_CREATION.name()
              + "' = '"
              + options.creation().text()
              + "'). Choose another name.");
    }
  }

  private boolean isAutomatic(String name) {
    return switch (options.creation()) {
      case NONE -> false;
      case PROCESS_TIME, WATERMARK -> options.periods().begin(name).isPresent();
      case BATCH -> name.startsWith(BATCH_PREFIX) || name.equals(options.batchName());
    };
  }

  /** The tag that the table made before the one of this name; empty when there is none. */
  public Optional<Tag> before(Tag tag) {
    Tag before = null;
    for (Tag made : automatic()) {
      if (made.snapshot().id() < tag.snapshot().id()) {
        before = made;
      }
    }
    return Optional.ofNullable(before);
  }

  /** Makes the tags that are due. */
  public Outcome createDue() {
    return switch (options.creation()) {
      case NONE -> Outcome.NOTHING;
      case PROCESS_TIME, WATERMARK -> byPeriod(null);
      case BATCH -> afterBatch();
    };
  }

  /**
   * The same, and by the time of commits also the tag of the period that ended last, of the newest
   * snapshot, where nothing was committed since.
   */
  public Outcome createNow() {
    return options.creation() == Creation.PROCESS_TIME ? byPeriod(clock.instant()) : createDue();
  }

  private Outcome afterBatch() {
    Optional<Snapshot> latest = storage.snapshots().latest();
    if (latest.isEmpty()) {
      return Outcome.NOTHING;
    }
    String fixed = options.batchName();
    String name = fixed == null ? BATCH_PREFIX + day(latest.get()) : fixed;
    Tag made = create(name, latest.get());
    return new Outcome(List.of(made), fixed == null ? retain() : List.of());
  }

  private LocalDate day(Snapshot snapshot) {
    return LocalDate.ofInstant(Instant.ofEpochMilli(snapshot.timeMillis()), processZone());
  }

  private ZoneId processZone() {
    ZoneId zone = options.processZone();
    return zone == null ? clock.getZone() : zone;
  }

  private Outcome byPeriod(@Nullable Instant now) {
    Optional<Snapshot> latest = storage.snapshots().latest();
    if (latest.isEmpty()) {
      return Outcome.NOTHING;
    }
    List<Tag> before = automatic();
    Progress progress = new Progress(before);
    Optional<LocalDateTime> newest = time(latest.get());
    if (newest.isPresent() && progress.isDue(newest.get())) {
      for (Snapshot snapshot : storage.snapshots().all()) {
        if (snapshot.id() > progress.snapshotId) {
          time(snapshot).ifPresent(time -> progress.offer(snapshot, time));
        }
      }
    }
    if (now != null) {
      progress.offer(latest.get(), LocalDateTime.ofInstant(now, processZone()));
    }
    return new Outcome(progress.created, progress.created.isEmpty() ? List.of() : retain());
  }

  /** The tags so far that the table has made, oldest snapshot first. */
  private List<Tag> automatic() {
    List<Tag> tags = new ArrayList<>(storage.tags().all());
    tags.removeIf(tag -> !isAutomatic(tag.name()));
    tags.sort(Comparator.comparingLong((Tag tag) -> tag.snapshot().id()).thenComparing(Tag::name));
    return tags;
  }

  private Optional<LocalDateTime> time(Snapshot snapshot) {
    if (options.creation() == Creation.PROCESS_TIME) {
      Instant committed = Instant.ofEpochMilli(snapshot.timeMillis());
      return Optional.of(LocalDateTime.ofInstant(committed, processZone()));
    }
    Long mark = snapshot.watermark();
    return mark == null || mark == Long.MIN_VALUE
        ? Optional.empty()
        : Optional.of(LocalDateTime.ofInstant(Instant.ofEpochMilli(mark), options.watermarkZone()));
  }

  /** How far tags have been made. */
  private final class Progress {
    private final List<Tag> created = new ArrayList<>();
    private long snapshotId;

    /** The period whose tag comes next; null = whichever. */
    private @Nullable LocalDateTime next;

    private Progress(List<Tag> tags) {
      if (!tags.isEmpty()) {
        Tag last = tags.get(tags.size() - 1);
        snapshotId = last.snapshot().id();
        next = options.periods().begin(last.name()).map(options.periods()::next).orElse(null);
      }
    }

    private boolean isDue(LocalDateTime time) {
      LocalDateTime awaited = next;
      return awaited == null
          || !time.minus(options.delay()).isBefore(options.periods().next(awaited));
    }

    private void offer(Snapshot snapshot, LocalDateTime time) {
      if (!isDue(time)) {
        return;
      }
      LocalDateTime finished = options.periods().before(time);
      LocalDateTime awaited = next;
      LocalDateTime period = options.completes() && awaited != null ? awaited : finished;
      do {
        created.add(create(options.periods().name(period), snapshot));
        period = options.periods().next(period);
        next = period;
      } while (options.completes() && !period.isAfter(finished) && isDue(time));
      snapshotId = snapshot.id();
    }
  }

  private Tag create(String name, Snapshot snapshot) {
    Duration retained = options.retained();
    LocalDateTime created = retained == null ? null : LocalDateTime.now(clock);
    Tag tag = new Tag(name, snapshot, created, retained);
    storage.tags().write(tag);
    if (options.marksSuccess()) {
      storage.tags().markSuccess(name, clock.millis());
    }
    return tag;
  }

  /** Deletes the oldest tags above the number that is kept; their names. */
  private List<String> retain() {
    Integer max = options.maxRetained();
    if (max == null) {
      return List.of();
    }
    List<Tag> tags = automatic();
    List<String> oldest =
        tags.subList(0, Math.max(0, tags.size() - max)).stream().map(Tag::name).toList();
    oldest.forEach(storage.tags()::delete);
    return oldest;
  }
}
