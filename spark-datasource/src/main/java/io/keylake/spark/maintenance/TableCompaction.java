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

package io.keylake.spark.maintenance;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.compaction.CompactedBucket;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.compaction.VectorIndexes;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.CompactionRequest.Strategy;
import io.keylake.spark.maintenance.sorting.SortJob;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.table.LakeTable;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitResult;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.scan.StagedFiles;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.classic.SparkSession;

/**
 * Compacts a table by Spark jobs.
 *
 * <ol>
 *   <li>Rows that other engines have staged in a postpone table are moved into buckets first, by
 *       {@link StagedMove}.
 *   <li>Partitions are worked on in batches whose files the driver can hold; each batch is planned,
 *       carried out by one job, and committed as one snapshot. Most tables are one batch.
 *   <li>A bucket whose files another commit took away meanwhile is planned again from the newest
 *       snapshot, {@value #REDOS} times, and then left as it is. Rows that others add are never in
 *       the way.
 *   <li>When a job fails or is cancelled, its tasks are waited for, and every file that has the
 *       job's name is deleted. When it succeeds, what an executor that died meanwhile had written
 *       is left to orphan removal.
 * </ol>
 *
 * <p>Lives on the driver, for one thread. Pinned by {@code CompactProcedureSparkTest}.
 */
public final class TableCompaction {
  static final int REDOS = 3;

  private final SparkSession session;
  private final TableName name;
  private final LakeTable table;
  private final Clock clock;
  private final Ids ids;
  private final TableCommitter committer;
  private final CompactionTally tally = new CompactionTally();

  /** Whether the buckets were looked at before: files that were moved may still have vectors. */
  private boolean isSecondLook;

  /**
   * A compaction.
   *
   * @param name the table as users know it
   * @param table the table, with the options of the call over its own
   * @throws io.keylake.format.errors.UnsupportedTableException when the table cannot be written
   */
  public TableCompaction(
      SparkSession session, TableName name, LakeTable table, Clock clock, Ids ids) {
    this.session = session;
    this.name = name;
    this.table = table;
    this.clock = clock;
    this.ids = ids;
    this.committer = table.committer(CommitEnvironment.system());
  }

  /**
   * Compacts.
   *
   * @throws io.keylake.format.errors.CommitConflictException when storage does not say whether a
   *     commit happened
   */
  public CompactionSummary run(CompactionRequest request) {
    Optional<Snapshot> newest = table.storage().snapshots().latest();
    if (newest.isEmpty()) {
      return tally.summary();
    }
    if (table.bucketMode() instanceof BucketMode.Postpone
        && request.strategy() != Strategy.VECTORS) {
      moveStagedRows(newest.get(), request);
      newest = table.storage().snapshots().latest();
    }
    BucketPlans planner = new BucketPlans(table, request, clock);
    try (JobLabels labels =
        new JobLabels(session.sparkContext(), "keylake-compact-" + ids.next())) {
      for (Set<BinaryRow> batch :
          PartitionBatches.of(table.storage(), newest.orElseThrow(), request.partitions())) {
        compact(planner, batch, request, labels);
        if (request.strategy() == Strategy.VECTORS && request.execution() == Execution.RUN) {
          isSecondLook = true;
          compact(planner, batch, request, labels);
          isSecondLook = false;
        }
      }
    }
    return tally.summary();
  }

  /** Rows that are staged go into buckets first. */
  private void moveStagedRows(Snapshot snapshot, CompactionRequest request) {
    Map<BinaryRow, List<DataFile>> staged =
        StagedFiles.of(table.storage(), snapshot, partition -> true);
    request
        .idleTime()
        .ifPresent(idle -> staged.values().removeIf(files -> !IdleTime.isIdle(files, idle, clock)));
    Set<BinaryRow> chosen = new HashSet<>(request.partitions().chosen(staged.keySet()));
    if (chosen.isEmpty()) {
      return;
    }
    if (request.execution() == Execution.DRY_RUN) {
      staged.keySet().retainAll(chosen);
      staged.values().forEach(tally::stagedRows);
      return;
    }
    StagedMove.Place place =
        new StagedMove.Place(
            name.text(),
            table.storage(),
            table.schema(),
            table.options(),
            TaskConfiguration.hadoop(table.storage().io()));
    StagedMove.Moved moved = new StagedMove(session.sparkContext(), place, ids).all(chosen);
    tally.stagedRows(moved.files());
    tally.movedRows(moved.written());
    tally.dropped(moved.partitionsDropped());
  }

  private void compact(
      BucketPlans planner, Set<BinaryRow> partitions, CompactionRequest request, JobLabels labels) {
    Set<BucketPlans.Bucket> wanted = Set.of();
    for (int round = 0; ; round++) {
      Optional<Snapshot> snapshot = table.storage().snapshots().latest();
      if (snapshot.isEmpty()) {
        return;
      }
      BucketPlans.Planned planned = planner.plan(snapshot.get(), partitions);
      List<CompactionPlan> plans = planned.plans();
      if (round == 0) {
        tally.checked(isSecondLook ? 0 : planned.buckets());
      } else {
        Set<BucketPlans.Bucket> again = wanted;
        plans = plans.stream().filter(plan -> again.contains(BucketPlans.Bucket.of(plan))).toList();
      }
      if (plans.isEmpty()) {
        return;
      }
      if (request.execution() == Execution.DRY_RUN) {
        plans.forEach(tally::planned);
        return;
      }
      if (round > REDOS) {
        tally.dropped(plans.size());
        return;
      }
      labels.describe(description(round, plans.size(), planned.buckets()));
      wanted = carryOut(snapshot.get(), planner.sliced(plans), request);
      if (wanted.isEmpty()) {
        return;
      }
    }
  }

  private String description(int round, int buckets, int looked) {
    String what = "compact " + name.text() + ": " + buckets + " of " + looked + " buckets";
    return round == 0 ? what : what + ", again after other commits, try " + (round + 1);
  }

  /** Carries plans out and commits; the buckets that other commits were in the way of. */
  private Set<BucketPlans.Bucket> carryOut(
      Snapshot snapshot, List<CompactionPlan> plans, CompactionRequest request) {
    CompactionSpec spec = spec(plans);
    VectorIndexes indexes = new VectorIndexes(spec, environment());
    PlanJob job = job(spec, plans, request);
    String user = table.newCommitUser(ids);
    List<BucketChange> changes = List.of();
    boolean isDone = false;
    try {
      List<List<StepResult>> results = job.run();
      changes = changes(plans, results, indexes);
      CommitResult result = committer.commit(CommitRequest.batch(user, changes).basedOn(snapshot));
      isDone = true;
      return count(plans, results, result);
    } finally {
      if (!isDone && changes.isEmpty()) {
        Uninterrupted.run(
            () -> {
              indexes.discard();
              job.discard();
            });
      } else if (!isDone) {
        CommitRequest failed = CommitRequest.batch(user, changes).basedOn(snapshot);
        Uninterrupted.run(() -> committer.abort(failed));
      }
    }
  }

  private PlanJob job(CompactionSpec spec, List<CompactionPlan> plans, CompactionRequest request) {
    TableLayout layout = table.storage().layout();
    return request
        .order()
        .<PlanJob>map(
            order ->
                new SortJob(
                    session,
                    new JobFiles(
                        spec,
                        layout,
                        TaskConfiguration.hadoop(table.storage().io()),
                        JobIds.of(ids)),
                    order,
                    table.options(),
                    plans))
        .orElseGet(
            () ->
                new StepJob(
                    session.sparkContext(),
                    spec,
                    plans,
                    layout,
                    TaskConfiguration.hadoop(table.storage().io()),
                    ids));
  }

  private static List<BucketChange> changes(
      List<CompactionPlan> plans, List<List<StepResult>> results, VectorIndexes indexes) {
    List<BucketChange> changes = new ArrayList<>();
    for (int i = 0; i < plans.size(); i++) {
      CompactionPlan plan = plans.get(i);
      changes.add(
          new BucketChange(
              plan.partition(),
              plan.bucket(),
              plan.totalBuckets(),
              FileChanges.NONE,
              CompactedBucket.changes(plan, results.get(i), indexes)));
    }
    return changes;
  }

  private Set<BucketPlans.Bucket> count(
      List<CompactionPlan> plans, List<List<StepResult>> results, CommitResult result) {
    Set<BucketPlans.Bucket> dropped = new HashSet<>();
    for (BucketChange change : result.dropped()) {
      dropped.add(new BucketPlans.Bucket(change.partition(), change.bucket()));
    }
    for (int i = 0; i < plans.size(); i++) {
      if (!dropped.contains(BucketPlans.Bucket.of(plans.get(i)))) {
        tally.done(plans.get(i), results.get(i));
      }
    }
    return dropped;
  }

  private CompactionSpec spec(List<CompactionPlan> plans) {
    return CompactionSpec.of(
            table.name(),
            table.schema(),
            table.options(),
            table.storage().schemas()::load,
            plans,
            table.compactionPlanner(clock).expiry())
        .withChangelog(table.options());
  }

  private StepEnvironment environment() {
    return new StepEnvironment(
        table.storage().layout().root(),
        table.branch(),
        HadoopFileIO.of(TaskConfiguration.hadoop(table.storage().io())),
        ids,
        clock,
        1,
        StopCheck.NEVER);
  }
}
