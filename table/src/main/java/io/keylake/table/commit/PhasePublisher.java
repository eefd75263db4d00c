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

package io.keylake.table.commit;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.SnapshotStore;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes one snapshot of a commit, trying again when others come first. One instance serves one
 * snapshot of one request, on one thread.
 */
final class PhasePublisher {
  private static final Logger LOG = LoggerFactory.getLogger(PhasePublisher.class);

  /** The parts of a committer that publishing needs. */
  record Tools(
      CommitTable table,
      CommitEnvironment environment,
      PhasePlanner planner,
      OwnCommits ownCommits,
      NewFiles newFiles) {}

  /** The snapshot, none when there was nothing to do, and the request as it was committed. */
  record Published(Optional<Snapshot> snapshot, CommitRequest request) {}

  private enum Outcome {
    PUBLISHED,
    LOST,
    /** It was published on top of a snapshot that a rollback dropped meanwhile, and taken back. */
    TAKEN_BACK,
    UNKNOWN
  }

  private record Try(Outcome outcome, Snapshot snapshot, @Nullable RuntimeException cause) {}

  private final Tools tools;
  private final OwnCommits.Phase phase;
  private final CommitRequest original;
  private CommitRequest current;
  private final Set<Location> replaced = new HashSet<>();

  /** The id of a try of which it is not known whether it happened or still may; 0 = none. */
  private long unknownId;

  /** Whether the files of any try may be named by a snapshot nobody has seen. */
  private boolean everUnknown;

  /** Whether a snapshot was published and taken back, so that somebody may have seen it. */
  private boolean takenBack;

  PhasePublisher(Tools tools, OwnCommits.Phase phase, CommitRequest request) {
    this.tools = tools;
    this.phase = phase;
    this.original = request;
    this.current = request;
  }

  /** Whether it may be that the snapshot was published though {@link #publish} threw. */
  boolean outcomeIsUnknown() {
    return unknownId > 0 || takenBack;
  }

  /** Whether files of this commit may be named by a snapshot that was not seen. */
  boolean filesMayBeNamed() {
    return everUnknown;
  }

  Published publish() {
    Published published;
    try {
      published = tryUntilPublished();
    } catch (CommitConflictException | UncheckedIOException e) {
      if (!everUnknown) {
        Set<Location> rewritten = filesOf(current);
        rewritten.removeAll(filesOf(original));
        tools.newFiles().delete(rewritten);
      }
      throw e;
    }
    if (!everUnknown) {
      tools.newFiles().delete(replaced);
    }
    return published;
  }

  private Published tryUntilPublished() {
    CommitEnvironment.Backoff backoff =
        tools.environment().backoff(tools.table().options().commit());
    long first = tools.table().snapshots().latestId().orElse(0);
    long searched = tools.ownCommits().firstSearched(original, first);
    RuntimeException cause = null;
    do {
      try {
        Snapshot latest = tools.table().snapshots().latest().orElse(null);
        long latestId = latest == null ? 0 : latest.id();
        Optional<Snapshot> own =
            tools
                .ownCommits()
                .find(current.user(), current.identifier(), phase, searched, latestId);
        if (own.isPresent()) {
          return earlier(own.get());
        }
        if (phase == OwnCommits.Phase.WRITE && tools.ownCommits().isFenced(current)) {
          return repeated();
        }
        searched = Math.max(searched, latestId);
        unknownId = latestId >= unknownId ? 0 : unknownId;
        PhasePlanner.Plan plan = tools.planner().plan(current, phase, latest);
        adopt(plan.request());
        if (plan.isNothing()) {
          return new Published(Optional.empty(), current);
        }
        Try tried = tryOnce(plan.changes(), latest);
        cause = tried.cause() == null ? cause : tried.cause();
        if (tried.outcome() == Outcome.PUBLISHED) {
          unknownId = 0;
          return new Published(Optional.of(tried.snapshot()), current);
        }
      } catch (UncheckedIOException e) {
        if (unknownId == 0) {
          throw e;
        }
        cause = e;
      }
    } while (backoff.awaitNextTry());
    throw exhausted(backoff.retries(), cause);
  }

  /** The commit has happened: by a try whose outcome was unknown, or by an earlier run. */
  private Published earlier(Snapshot own) {
    unknownId = 0;
    boolean isRepeated =
        phase == OwnCommits.Phase.WRITE && !everUnknown && !tools.planner().adds(own, current);
    if (isRepeated) {
      repeated();
      return new Published(Optional.of(own), current);
    }
    adopt(tools.planner().asCommitted(current, phase, own));
    return new Published(Optional.of(own), current);
  }

  /** What was written once more is not part of the table. */
  private Published repeated() {
    if (!everUnknown) {
      current
          .changes()
          .forEach(change -> tools.newFiles().delete(tools.newFiles().written(change)));
    }
    return new Published(Optional.empty(), current);
  }

  /**
   * Goes on with a request whose files were given new sequence numbers, or that lost compactions.
   */
  private void adopt(CommitRequest planned) {
    if (!planned.equals(current)) {
      replaced.addAll(filesOf(current));
      replaced.removeAll(filesOf(planned));
      current = planned;
    }
  }

  private Set<Location> filesOf(CommitRequest request) {
    Set<Location> files = new HashSet<>();
    request.changes().forEach(change -> files.addAll(tools.newFiles().all(change)));
    return files;
  }

  private Try tryOnce(PhaseChanges changes, @Nullable Snapshot latest) {
    SnapshotWriter writer = new SnapshotWriter(tools.table(), tools.environment());
    boolean nobodyRefersToIt = true;
    try {
      Snapshot snapshot = writer.write(latest, current, changes);
      nobodyRefersToIt = false;
      Try tried = standing(publish(snapshot), latest);
      nobodyRefersToIt = tried.outcome() == Outcome.LOST;
      return tried;
    } catch (UnsupportedTableException e) {
      nobodyRefersToIt = true;
      throw e;
    } finally {
      if (nobodyRefersToIt) {
        tools.newFiles().delete(writer.written());
      }
    }
  }

  private Try publish(Snapshot snapshot) {
    long unknownBefore = unknownId;
    boolean everBefore = everUnknown;
    unknownId = snapshot.id();
    everUnknown = true;
    RuntimeException failure = null;
    Outcome outcome;
    try {
      boolean published =
          tools.table().snapshots().publish(snapshot) == FileIO.Publication.PUBLISHED;
      outcome = published ? Outcome.PUBLISHED : readBack(snapshot);
    } catch (UncheckedIOException | CommitConflictException e) {
      failure = e;
      outcome = readBack(snapshot);
    } catch (UnsupportedTableException e) {
      unknownId = unknownBefore;
      everUnknown = everBefore;
      throw e;
    }
    if (outcome != Outcome.UNKNOWN) {
      unknownId = unknownBefore;
      everUnknown = everBefore;
    }
    if (outcome == Outcome.PUBLISHED) {
      writeHint(snapshot);
    }
    return new Try(outcome, snapshot, failure);
  }

  /**
   * Takes a new snapshot back when the one below it is no longer part of the table: a rollback
   * dropped it while this commit was under way. What it names is not deleted, since somebody may
   * have seen it. One that others have built upon already stays.
   */
  private Try standing(Try tried, @Nullable Snapshot below) {
    if (tried.outcome() != Outcome.PUBLISHED || below == null) {
      return tried;
    }
    long id = tried.snapshot().id();
    SnapshotStore snapshots = tools.table().snapshots();
    try {
      if (!isDropped(below) || snapshots.find(id + 1).isPresent()) {
        return tried;
      }
    } catch (UncheckedIOException e) {
      LOG.warn("Cannot tell what snapshot {} stands on: {}", id, e.getMessage());
      return tried;
    }
    LOG.warn(
        "Snapshot {} of {} stood on one that a rollback dropped: it is taken back",
        id,
        tools.table().name());
    everUnknown = true;
    try {
      snapshots.delete(id);
      snapshots.deleteLatestHint();
      takenBack = true;
      return new Try(Outcome.TAKEN_BACK, tried.snapshot(), tried.cause());
    } catch (UncheckedIOException e) {
      unknownId = id;
      return new Try(Outcome.UNKNOWN, tried.snapshot(), e);
    }
  }

  /** A snapshot that is gone while older ones exist has not expired. */
  private boolean isDropped(Snapshot below) {
    SnapshotStore snapshots = tools.table().snapshots();
    Optional<Snapshot> now = snapshots.find(below.id());
    return now.isPresent()
        ? !isSame(now.get(), below)
        : snapshots.ids().stream().anyMatch(other -> other < below.id());
  }

  /** Looks who has the id that we tried to take. */
  private Outcome readBack(Snapshot snapshot) {
    try {
      return tools
          .table()
          .snapshots()
          .find(snapshot.id())
          .map(found -> isSame(found, snapshot) ? Outcome.PUBLISHED : Outcome.LOST)
          .orElse(Outcome.UNKNOWN);
    } catch (UncheckedIOException e) {
      LOG.warn("Cannot read back snapshot {}: {}", snapshot.id(), e.getMessage());
      return Outcome.UNKNOWN;
    }
  }

  private static boolean isSame(Snapshot found, Snapshot ours) {
    return found.deltaManifestList().equals(ours.deltaManifestList());
  }

  private void writeHint(Snapshot snapshot) {
    try {
      tools.table().snapshots().writeLatestHint(snapshot.id());
    } catch (UncheckedIOException e) {
      LOG.warn("Cannot write the hint of snapshot {}: {}", snapshot.id(), e.getMessage());
    }
  }

  private CommitConflictException exhausted(int retries, @Nullable RuntimeException cause) {
    if (unknownId > 0) {
      return new CommitConflictException(
          Condition.KEYLAKE_COMMIT_OUTCOME_UNKNOWN,
          "Storage does not say whether snapshot "
              + unknownId
              + " of table "
              + tools.table().name()
              + " was committed by "
              + current.user()
              + ". Nothing was deleted. When storage works again, look for that user in the"
              + " snapshots of the table before running the statement again.",
          cause);
    }
    return new CommitConflictException(
        Condition.KEYLAKE_CONCURRENT_MODIFICATION,
        "Cannot commit to table "
            + tools.table().name()
            + ": other commits came first in all "
            + (retries + 1)
            + " tries. Run the statement again, or raise 'commit.max-retries'.",
        cause);
  }
}
