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

package io.keylake.spark.read.changes;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Tag;
import io.keylake.format.snapshot.TagStore;
import io.keylake.spark.changelog.ChangeSpec;
import io.keylake.table.changes.ChangeBounds;
import io.keylake.table.changes.ChangeLog;
import io.keylake.table.changes.ChangeRange;
import io.keylake.table.changes.ChangeRules;
import io.keylake.table.changes.CommitChanges;
import io.keylake.table.changes.IncrementalOptions;
import io.keylake.table.changes.IncrementalOptions.Pair;
import io.keylake.table.changes.IncrementalOptions.Tags;
import io.keylake.table.changes.Source;
import io.keylake.table.options.TableOptions;
import io.keylake.table.reference.AutomaticTags;
import io.keylake.table.scan.TimeTravel;
import java.time.Clock;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A part of the history as the format's own options choose it.
 *
 * <ol>
 *   <li>Two tags, and the mode {@code diff}, compare two versions: a plain read gives the rows of
 *       the later one that the earlier one does not have, the audit log also those that are gone.
 *   <li>Everything else gives the rows of the chosen files with their kinds, in the order of
 *       commits.
 * </ol>
 *
 * <p>Rule source: table format, incremental reads; in deviation from it versions are compared
 * exactly, and rows of a key come in the order of commits. Pinned by {@code IncrementalReadTest}.
 *
 * @param options what was asked for
 * @param zone of times in text form
 */
public record IncrementalExtent(IncrementalOptions options, ZoneId zone) implements ChangeExtent {
  private static final Set<ChangeKind> NEW_ROWS =
      Set.copyOf(EnumSet.of(ChangeKind.INSERT, ChangeKind.UPDATE_AFTER));
  private static final Set<ChangeKind> NEW_AND_DELETED_ROWS =
      Set.copyOf(EnumSet.of(ChangeKind.INSERT, ChangeKind.UPDATE_AFTER, ChangeKind.DELETE));

  @Override
  public List<CommitChanges> commits(ChangeTarget target, ChangeLog log, LongPredicate wanted) {
    ChangeBounds bounds = new ChangeBounds(log, target.storage(), target.newest());
    TagStore tags = target.storage().tags();
    String autoTag = options.toAutoTag();
    if (autoTag != null) {
      return toAutoTag(target, log, autoTag);
    }
    Pair times = options.betweenTimes();
    if (times != null) {
      return changes(
          target, log, bounds.landedBetweenTimes(millis(times.start()), millis(times.end())));
    }
    Pair ids = options.between();
    if (ids == null) {
      throw new IllegalStateException("No part of the history is chosen");
    }
    Optional<Tag> start = tags.find(ids.start());
    Optional<Tag> end = tags.find(ids.end());
    if (start.isPresent() && end.isPresent() && options.tags() == Tags.COMPARED) {
      return compared(log, start.get().snapshot(), end.get().snapshot());
    }
    return changes(
        target, log, bounds.landedBetween(bounds.version(ids.start()), bounds.version(ids.end())));
  }

  private List<CommitChanges> toAutoTag(ChangeTarget target, ChangeLog log, String name) {
    Tag tag =
        target
            .storage()
            .tags()
            .find(name)
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        Condition.KEYLAKE_VERSION_NOT_FOUND,
                        "Tag %s of table %s does not exist. Its tags: %s."
                            .formatted(
                                name, target.name().text(), target.storage().tags().names())));
    Optional<Tag> before =
        new AutomaticTags(target.storage(), TableOptions.of(target.schema()), Clock.systemUTC())
            .before(tag);
    return before
        .map(earlier -> compared(log, earlier.snapshot(), tag.snapshot()))
        .orElse(List.of());
  }

  private static List<CommitChanges> compared(
      ChangeLog log, @Nullable Snapshot before, Snapshot after) {
    if (before != null && after.id() < before.id()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Changes cannot be read from version %d to version %d, which is before it. Exchange the bounds."
              .formatted(before.id(), after.id()));
    }
    return log.between(before, after).stream().toList();
  }

  private List<CommitChanges> changes(ChangeTarget target, ChangeLog log, ChangeRange range) {
    if (range.isEmpty()) {
      return List.of();
    }
    return switch (options.mode()) {
      case AUTO -> range.commits(log, ChangeRules.stream(target.conf().options()));
      case DELTA -> range.commits(log, ChangeRules.delta());
      case CHANGELOG -> range.commits(log, ChangeRules.changelog());
      case DIFF ->
          compared(
              log,
              range.first() == 1 ? null : target.storage().snapshots().load(range.first() - 1),
              target.storage().snapshots().load(range.last()));
    };
  }

  /** A time in milliseconds, or as local date and time. */
  private long millis(String text) {
    boolean digits = text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits ? Long.parseLong(text) : TimeTravel.millis(text, zone);
  }

  @Override
  public Set<ChangeKind> kinds(ChangeForm form, List<CommitChanges> commits) {
    if (commits.stream().noneMatch(commit -> commit.source() == Source.DIFFERENCE)) {
      return ChangeSpec.ALL_KINDS;
    }
    return form == ChangeForm.ROWS ? NEW_ROWS : NEW_AND_DELETED_ROWS;
  }

  @Override
  public String describe(TableOptions tableOptions) {
    Pair ids = options.between();
    Pair times = options.betweenTimes();
    String of =
        ids != null
            ? "versions (" + ids.start() + ", " + ids.end() + "]"
            : times != null
                ? "times (" + times.start() + ", " + times.end() + "]"
                : "automatic tag " + options.toAutoTag();
    return "incremental read of " + of + ", mode=" + options.mode();
  }
}
