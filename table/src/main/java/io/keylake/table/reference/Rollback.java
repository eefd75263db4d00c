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

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.SnapshotStore;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Makes an older version of a branch its newest one.
 *
 * <ol>
 *   <li>The hint of the newest snapshot is set first, then later snapshots are deleted from the
 *       newest to the oldest, then later long-lived changelogs, then tags of later snapshots. Ids
 *       are used again.
 *   <li>A version whose snapshot has expired, but that a tag keeps, gets its snapshot file back
 *       before anything is deleted.
 *   <li>A consumer that would read a later snapshot next is set back to the one after the version.
 *   <li>Schemas stay: the table keeps its newest columns.
 *   <li>Data, index and manifest files of the dropped snapshots are not deleted here: a reader may
 *       be reading them, a writer may be about to be refused because of them. They are orphan files
 *       afterwards.
 *   <li>A run that stops in between leaves a version of the table that exists; running it again
 *       completes it. A commit that ends meanwhile on top of a dropped snapshot is taken back by
 *       whoever sees it first: the committer, which looks at what it stands on, or this class,
 *       which looks again.
 * </ol>
 *
 * <p>Rule source: table format, rollback; rules 3 and 6 are our own. Pinned by {@code
 * RollbackTest}.
 */
public final class Rollback {
  private static final int MAX_ROUNDS = 20;

  private final TableStorage storage;
  private final Snapshot target;

  private Rollback(TableStorage storage, Snapshot target) {
    this.storage = storage;
    this.target = target;
  }

  /**
   * What a rollback does.
   *
   * @param from id of the newest snapshot before it
   * @param to id of the newest snapshot after it
   * @param snapshots number of snapshots deleted
   * @param changelogs number of long-lived changelogs deleted
   * @param tags names of the tags deleted
   * @param consumers names of the consumers set back
   */
  public record Outcome(
      long from,
      long to,
      int snapshots,
      int changelogs,
      List<String> tags,
      List<String> consumers) {
    /** Copies the lists. */
    public Outcome {
      tags = List.copyOf(tags);
      consumers = List.copyOf(consumers);
    }
  }

  /** A rollback to a snapshot that exists or that a tag keeps. */
  public static Rollback to(TableStorage storage, Snapshot target) {
    return new Rollback(storage, target);
  }

  /**
   * The snapshot that a text names: a tag, or a snapshot id.
   *
   * @throws InvalidRequestException KEYLAKE_VERSION_NOT_FOUND when there is none,
   *     KEYLAKE_INVALID_REQUEST when a tag has the name of another snapshot's id
   */
  public static Snapshot version(TableStorage storage, String version) {
    Optional<Tag> tag = storage.tags().find(version);
    boolean digits = !version.isEmpty() && version.chars().allMatch(c -> c >= '0' && c <= '9');
    Optional<Snapshot> snapshot =
        digits && version.length() <= 18
            ? storage.snapshots().find(Long.parseLong(version))
            : Optional.empty();
    if (tag.isPresent() && snapshot.isPresent() && !isSame(tag.get().snapshot(), snapshot.get())) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Table "
              + storage.name()
              + " has a snapshot "
              + version
              + " and a tag '"
              + version
              + "' of snapshot "
              + tag.get().snapshot().id()
              + ". Say which one is meant: snapshot => "
              + version
              + " or tag => '"
              + version
              + "'.");
    }
    return tag.map(Tag::snapshot)
        .or(() -> snapshot)
        .orElseThrow(
            () -> {
              InvalidRequestException none = storage.snapshots().notFound("Version " + version);
              return new InvalidRequestException(
                  Condition.KEYLAKE_VERSION_NOT_FOUND,
                  none.getMessage() + " Its tags: " + storage.tags().names() + ".");
            });
  }

  /** What {@link #run} would do now. */
  public Outcome planned() {
    List<Long> ids = storage.snapshots().ids();
    long newest = ids.isEmpty() ? target.id() : ids.get(ids.size() - 1);
    List<String> tags = new ArrayList<>();
    storage.tags().all().stream().filter(this::isLater).map(Tag::name).forEach(tags::add);
    return new Outcome(
        newest,
        target.id(),
        (int) ids.stream().filter(id -> id > target.id()).count(),
        (int) storage.changelogs().ids().stream().filter(id -> id > target.id()).count(),
        tags,
        laterConsumers());
  }

  /** A tag goes when its snapshot is later, or has the id of the version but other content. */
  private boolean isLater(Tag tag) {
    return tag.snapshot().id() > target.id()
        || tag.snapshot().id() == target.id() && !isSame(tag.snapshot(), target);
  }

  private List<String> laterConsumers() {
    return storage.consumers().all().entrySet().stream()
        .filter(consumer -> consumer.getValue() > target.id() + 1)
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Rolls back.
   *
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when others keep committing on
   *     top of dropped snapshots
   */
  public Outcome run() {
    Outcome planned = planned();
    SnapshotStore snapshots = storage.snapshots();
    restore(snapshots);
    snapshots.writeLatestHint(target.id());
    Set<String> dropped = new HashSet<>();
    int deleted = 0;
    List<Long> later = doomed(snapshots, dropped);
    for (int round = 0; !later.isEmpty(); round++) {
      if (round == MAX_ROUNDS) {
        throw new CommitConflictException(
            Condition.KEYLAKE_CONCURRENT_MODIFICATION,
            "Others keep committing to table "
                + storage.name()
                + " on top of the snapshots that were dropped. Stop its writers and run the"
                + " rollback again.");
      }
      for (long id : later) {
        snapshots.delete(id);
        deleted++;
      }
      later = doomed(snapshots, dropped);
    }
    storage.changelogs().deleteAfter(target.id());
    planned.tags().forEach(storage.tags()::delete);
    planned.consumers().forEach(consumer -> storage.consumers().write(consumer, target.id() + 1));
    return new Outcome(
        planned.from(),
        planned.to(),
        deleted,
        planned.changelogs(),
        planned.tags(),
        planned.consumers());
  }

  /** Gives a version that only a tag keeps its snapshot file. */
  private void restore(SnapshotStore snapshots) {
    Optional<Snapshot> found = snapshots.find(target.id());
    if (found.isPresent() && !isSame(found.get(), target)) {
      snapshots.delete(target.id());
    }
    if (found.filter(snapshot -> isSame(snapshot, target)).isEmpty()) {
      OptionalLong earliest = snapshots.earliestId();
      snapshots.publish(target);
      if (earliest.isEmpty() || earliest.getAsLong() > target.id()) {
        snapshots.writeEarliestHint(target.id());
      }
    }
  }

  /**
   * The ids to delete, newest first: in the first round all later ones, whose content is noted in
   * {@code dropped}; afterwards only those that belong to them: the same content, or no snapshot
   * before it. Others were committed on top of the version.
   */
  private List<Long> doomed(SnapshotStore snapshots, Set<String> dropped) {
    boolean first = dropped.isEmpty();
    List<Long> ids = new ArrayList<>();
    long last = target.id();
    for (Snapshot snapshot : snapshots.all()) {
      if (snapshot.id() > target.id()) {
        boolean isNew =
            !first && snapshot.id() == last + 1 && !dropped.contains(snapshot.deltaManifestList());
        if (isNew) {
          last = snapshot.id();
        } else {
          dropped.add(snapshot.deltaManifestList());
          ids.add(snapshot.id());
        }
      }
    }
    Collections.reverse(ids);
    return ids;
  }

  private static boolean isSame(Snapshot one, Snapshot other) {
    return one.id() == other.id() && one.deltaManifestList().equals(other.deltaManifestList());
  }
}
