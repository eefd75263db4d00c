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
import io.keylake.format.errors.TableException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.commit.CommitResult.Compaction;
import io.keylake.table.expiry.AutomaticExpiry;
import io.keylake.table.expiry.HistoryTable;
import io.keylake.table.fence.EarlierCommits;
import io.keylake.table.options.support.WriteSupport;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what tasks wrote into snapshots.
 *
 * <ol>
 *   <li>A snapshot appears by creating its file if and only if it does not exist. Whoever loses
 *       starts again from the newest snapshot, with pauses, a bounded number of times.
 *   <li>When the outcome of a try is unknown, the snapshots since then are searched for this commit
 *       (user, identifier and phase) before the next try; nothing the try wrote is deleted.
 *   <li>A commit that is repeated with the same user and identifier is applied once, also when its
 *       snapshot has expired meanwhile, see {@link io.keylake.table.fence.FenceStore}. The new
 *       files of the repetition are deleted.
 *   <li>The written part comes first, as APPEND or OVERWRITE, then the compacted part, as COMPACT.
 *       When another commit is in the way of the compaction of some buckets, their new files are
 *       deleted, the others are committed, and the commit has succeeded; see {@link
 *       CommitResult#dropped()}.
 *   <li>An empty write makes no snapshot (or, for streams, one that records the identifier).
 *   <li>The hint of the newest snapshot is written after the snapshot; a failure there is no
 *       failure of the commit.
 *   <li>Then what has had its time expires, see {@link AutomaticExpiry}; that fails no commit
 *       either.
 * </ol>
 *
 * <p>Safe for use by many threads. Rule source: table format, commit protocol; decision "commit =
 * create-if-absent, then read back". Pinned by {@code TableCommitterTest} and {@code
 * CommitFaultTest}.
 */
public final class TableCommitter {
  private static final Logger LOG = LoggerFactory.getLogger(TableCommitter.class);

  private record CommitId(String user, long identifier) {}

  private final CommitTable table;
  private final PhasePublisher.Tools tools;
  private final Set<CommitId> unknownOutcomes = ConcurrentHashMap.newKeySet();

  /** A committer that cannot rewrite sequence numbers: it fails where that would be needed. */
  public TableCommitter(CommitTable table, CommitEnvironment environment) {
    this(table, environment, null);
  }

  /**
   * A committer.
   *
   * @param rebase rewrites sequence numbers of rows whose keys others have written meanwhile; null
   *     = the commit fails then
   * @throws io.keylake.format.errors.UnsupportedTableException when the table has an option that
   *     this version does not support for writing
   */
  public TableCommitter(
      CommitTable table, CommitEnvironment environment, @Nullable SequenceRebase rebase) {
    WriteSupport.check(table.schema(), table.name());
    this.table = table;
    this.tools =
        new PhasePublisher.Tools(
            table,
            environment,
            new PhasePlanner(table, rebase, environment.ids()),
            new OwnCommits(table.storage()),
            new NewFiles(table));
  }

  /**
   * Commits. A compaction that another commit is in the way of makes no failure, not even when the
   * request holds nothing else: the result names the changes that were dropped.
   *
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when another commit is in the
   *     way of what was written: nothing is committed, the caller should {@link #abort};
   *     KEYLAKE_COMMIT_OUTCOME_UNKNOWN when it cannot be learned whether the commit happened
   */
  public CommitResult commit(CommitRequest request) {
    CommitResult result = commitOnly(request);
    result
        .newest()
        .ifPresent(
            newest ->
                new AutomaticExpiry(
                        new HistoryTable(table.storage(), table.schema(), table.options()),
                        tools.environment().clock())
                    .run(newest.id(), this::dropPartitions));
    return result;
  }

  private void dropPartitions(List<BinaryRow> expired) {
    CommitResult dropped =
        commitOnly(
            CommitRequest.batch(tools.environment().ids().next(), List.of())
                .overwriting(OverwriteScope.partitions(expired))
                .withProperties(Map.of(Snapshot.OPERATION, "EXPIRE PARTITIONS")));
    LOG.info(
        "{} partitions of {} had lived long enough and were dropped by snapshot {}",
        expired.size(),
        table.name(),
        dropped.newest().map(Snapshot::id).orElse(0L));
  }

  private CommitResult commitOnly(CommitRequest request) {
    if (!tools.planner().hasWrite(request)) {
      return compact(request, request, List.of());
    }
    PhasePublisher.Published written =
        publish(request, new PhasePublisher(tools, OwnCommits.Phase.WRITE, request));
    return compact(request, written.request(), written.snapshot().stream().toList());
  }

  /**
   * Commits what was compacted, after {@code made} committed what was written. Files of a
   * compaction that nobody is in the way of, but that storage fails to take, stay: if the request
   * is repeated it may be committed yet.
   */
  private CommitResult compact(CommitRequest original, CommitRequest current, List<Snapshot> made) {
    boolean mergesManifests = current.empty() == CommitRequest.EmptyWrite.MERGES_MANIFESTS;
    if (compactions(current).isEmpty() && !mergesManifests) {
      return result(original, current, made, Optional.empty());
    }
    PhasePublisher publisher = new PhasePublisher(tools, OwnCommits.Phase.COMPACT, current);
    try {
      PhasePublisher.Published compacted = publish(current, publisher);
      return result(original, compacted.request(), made, compacted.snapshot());
    } catch (TableException | UncheckedIOException e) {
      if (made.isEmpty()) {
        throw e;
      }
      LOG.warn(
          "Rows were committed to {}, their compaction was not: {}", table.name(), e.getMessage());
      return publisher.filesMayBeNamed()
          ? new CommitResult(made, Compaction.UNKNOWN, List.of())
          : new CommitResult(made, Compaction.DROPPED, compactions(original));
    }
  }

  private static List<BucketChange> compactions(CommitRequest request) {
    return request.changes().stream().filter(change -> !change.compacted().isEmpty()).toList();
  }

  private static CommitResult result(
      CommitRequest original,
      CommitRequest committed,
      List<Snapshot> made,
      Optional<Snapshot> compaction) {
    List<BucketChange> dropped = new ArrayList<>();
    for (int i = 0; i < original.changes().size(); i++) {
      BucketChange change = original.changes().get(i);
      if (!change.compacted().isEmpty() && committed.changes().get(i).compacted().isEmpty()) {
        dropped.add(change);
      }
    }
    List<Snapshot> all = new ArrayList<>(made);
    compaction.ifPresent(all::add);
    if (compaction.isPresent()) {
      return new CommitResult(all, Compaction.COMMITTED, dropped);
    }
    return new CommitResult(all, dropped.isEmpty() ? Compaction.NONE : Compaction.DROPPED, dropped);
  }

  /**
   * Fails as {@link #commit} would when another commit has changed rows that the request relies on,
   * see {@link CommitRequest.Check#KEYS_UNCHANGED}, as of {@code latest}: before work is done that
   * would be lost.
   *
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION
   */
  public void checkKeys(CommitRequest request, Snapshot latest) {
    tools.planner().checkKeys(request, latest);
  }

  /**
   * Deletes the files that a job made, after its tasks failed or {@link #commit} threw. Nothing is
   * deleted when any part of the commit happened, may have happened, or cannot be looked up.
   */
  public void abort(CommitRequest request) {
    if (unknownOutcomes.contains(new CommitId(request.user(), request.identifier()))) {
      return;
    }
    try {
      if (happened(request)) {
        return;
      }
    } catch (UncheckedIOException e) {
      LOG.warn("Cannot tell whether a commit to {} happened; its files stay", table.name(), e);
      return;
    }
    NewFiles files = tools.newFiles();
    request.changes().forEach(change -> files.delete(files.all(change)));
  }

  private boolean happened(CommitRequest request) {
    long latest = table.snapshots().latestId().orElse(0);
    long from = tools.ownCommits().firstSearched(request, latest);
    return Arrays.stream(OwnCommits.Phase.values())
        .map(phase -> find(request, phase, from, latest))
        .anyMatch(Optional::isPresent);
  }

  private Optional<Snapshot> find(
      CommitRequest request, OwnCommits.Phase phase, long after, long upTo) {
    return tools.ownCommits().find(request.user(), request.identifier(), phase, after, upTo);
  }

  private PhasePublisher.Published publish(CommitRequest request, PhasePublisher publisher) {
    try {
      return publisher.publish();
    } finally {
      if (publisher.outcomeIsUnknown()) {
        unknownOutcomes.add(new CommitId(request.user(), request.identifier()));
      }
    }
  }

  /**
   * The identifier of the newest commit of a user: a streaming job that starts again has committed
   * everything up to it.
   */
  public OptionalLong newestIdentifier(String user) {
    return new EarlierCommits(table.storage()).newestIdentifier(user);
  }
}
