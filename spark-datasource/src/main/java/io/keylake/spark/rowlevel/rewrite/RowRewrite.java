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

package io.keylake.spark.rowlevel.rewrite;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.write.WriteTarget;
import io.keylake.spark.write.change.StatementCounts;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitResult;
import io.keylake.table.commit.TableCommitter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits what a statement wrote when some of it are overrides: rows that stand for their keys
 * whatever the table holds. Lives on the driver, for one statement and one thread.
 *
 * <ol>
 *   <li>The sections that hold keys of overrides are merged with these into files of the top level
 *       by a Spark job, and all that is committed as one snapshot, together with the records of the
 *       statement. Rows do not expire by that.
 *   <li>Where every write compacts level 0 (deletion vectors, engine first-row, changelog producer
 *       lookup) the records of buckets that have overrides are merged, too; elsewhere they are
 *       committed as files of level 0.
 *   <li>Where a compaction has replaced files meanwhile, the rewrite is done again on the newest
 *       snapshot, {@value #TRIES} times in all. Any other conflict is the statement's.
 *   <li>Files of overrides, and of records that were merged, are deleted in the end; after a
 *       failure everything is, unless the outcome of the commit is unknown.
 * </ol>
 *
 * <p>Pinned by {@code RowRewriteOracleTest}.
 */
public final class RowRewrite {
  static final int TRIES = 5;

  private static final Logger LOG = LoggerFactory.getLogger(RowRewrite.class);

  private final WriteTarget target;
  private final TableCommitter committer;
  private final SectionPlans sections;
  private final SectionJob job;

  /**
   * A rewrite of rows of {@code target}.
   *
   * @param ids name new files
   * @param clock tells when they were made
   */
  public RowRewrite(
      SparkContext spark, WriteTarget target, TableCommitter committer, Ids ids, Clock clock) {
    this.target = target;
    this.committer = committer;
    this.sections = new SectionPlans(target);
    this.job = new SectionJob(spark, target, ids, clock);
  }

  /**
   * Rewrites the files that hold keys of the overrides and commits everything as one snapshot.
   * {@link CommitRequest.Check#KEYS_UNCHANGED} is always among the checks; it looks at the keys of
   * overrides and records, not at rewritten files. The snapshot tells {@link
   * StatementCounts#ROWS_COPIED} besides the properties of the request.
   *
   * @param request the records that the statement wrote, one change per bucket; its base is the
   *     snapshot that the statement has read
   * @param overrides files of rows that stand for their keys, as {@code written.added} of one
   *     change per bucket, with counts of deletes; never committed themselves. Other parts of these
   *     changes, such as hash indexes, are committed
   * @throws CommitConflictException when another commit changed rows of the keys, or the outcome is
   *     unknown
   */
  public RewriteResult commit(CommitRequest request, List<BucketChange> overrides) {
    boolean readsLevelZero = !target.options().merge().lookupMode();
    IncomingFiles incoming =
        IncomingFiles.of(
            request.changes(),
            overrides,
            readsLevelZero ? IncomingFiles.Records.STAY : IncomingFiles.Records.MERGED);
    Set<CommitRequest.Check> checks = new HashSet<>(request.checks());
    checks.add(CommitRequest.Check.KEYS_UNCHANGED);
    List<CommitRequest.KeyGuard> guards = new ArrayList<>(request.guards());
    guards.addAll(incoming.guards());
    CommitRequest guarded =
        request.withChecks(checks).guarding(guards).withChanges(incoming.rest());
    committer.abort(request.withChanges(incoming.compactions()));
    List<BucketChange> merged = incoming.buckets().stream().map(b -> b.asChange()).toList();
    boolean isDone = false;
    try {
      RewriteResult result = commit(guarded, incoming);
      isDone = true;
      return result;
    } finally {
      if (isDone) {
        Uninterrupted.run(() -> merged.forEach(this::delete));
      } else {
        List<BucketChange> all = new ArrayList<>(request.changes());
        all.addAll(merged);
        Uninterrupted.run(() -> committer.abort(request.withChanges(all)));
      }
    }
  }

  private RewriteResult commit(CommitRequest request, IncomingFiles incoming) {
    for (int round = 1; ; round++) {
      Snapshot snapshot = target.storage().snapshots().latest().orElse(null);
      if (snapshot != null) {
        committer.checkKeys(request, snapshot);
      }
      List<BucketChange> rewritten = job.run(sections.of(snapshot, incoming));
      boolean isDone = false;
      try {
        RewriteResult result = commit(request, incoming, rewritten);
        isDone = true;
        return result;
      } catch (CommitConflictException e) {
        if (round == TRIES || !isCompactedSince(snapshot, e)) {
          throw e;
        }
        LOG.info(
            "Files of {} were compacted while rows were rewritten; doing it again: {}",
            target.name().text(),
            e.getMessage());
      } finally {
        if (!isDone) {
          Uninterrupted.run(() -> committer.abort(request.withChanges(rewritten)));
        }
      }
    }
  }

  private RewriteResult commit(
      CommitRequest request, IncomingFiles incoming, List<BucketChange> rewritten) {
    long written =
        rewritten.stream()
            .flatMap(change -> change.written().added().stream())
            .mapToLong(DataFile::rowCount)
            .sum();
    long copied = Math.max(0, written - incoming.rows());
    Map<String, String> properties = new HashMap<>(request.properties());
    properties.put(StatementCounts.ROWS_COPIED, Long.toString(copied));
    CommitResult result =
        committer.commit(request.withChanges(incoming.with(rewritten)).withProperties(properties));
    return new RewriteResult(result, copied);
  }

  /** Whether a compaction that was committed after {@code snapshot} may be what was in the way. */
  private boolean isCompactedSince(@Nullable Snapshot snapshot, CommitConflictException conflict) {
    if (snapshot == null || conflict.condition() != Condition.KEYLAKE_CONCURRENT_MODIFICATION) {
      return false;
    }
    long latest = target.storage().snapshots().latestId().orElse(0);
    return LongStream.rangeClosed(snapshot.id() + 1, latest)
        .mapToObj(id -> target.storage().snapshots().find(id))
        .anyMatch(found -> found.filter(s -> s.commitKind() == CommitKind.COMPACT).isPresent());
  }

  /** Deletes files that no snapshot names. */
  private void delete(BucketChange change) {
    for (DataFile file : change.written().added()) {
      List<Location> places = new ArrayList<>();
      places.add(sections.addresses().dataFile(change.partition(), change.bucket(), file));
      for (String extra : file.extraFiles()) {
        places.add(
            sections.addresses().extraFile(change.partition(), change.bucket(), file, extra));
      }
      for (Location place : places) {
        try {
          target.storage().io().delete(place);
        } catch (UncheckedIOException e) {
          LOG.warn("Cannot delete {}; it is left to the removal of orphans", place, e);
        }
      }
    }
  }
}
