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

package io.keylake.spark.maintenance.rescale;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.Ids;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.maintenance.CompactionRequest.Execution;
import io.keylake.spark.maintenance.JobLabels;
import io.keylake.spark.maintenance.PartitionBatches;
import io.keylake.spark.maintenance.StepJob;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitResult;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.RescalePlanner;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanPlanner;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Changes the number of buckets of partitions while others write to the table.
 *
 * <ol>
 *   <li>Rows move as they are stored: a key's row is the one that a full compaction would write,
 *       with its sequence number. No merge function sees it as a new row, so counts, sums and
 *       sketches stay, and rows that come late are judged as before.
 *   <li>A commit replaces exactly the files that were read. When others have changed a partition
 *       meanwhile, the others are committed without it. Rows that were only added to it are moved
 *       after, which takes as long as writing them did; compactions do not matter. After any other
 *       change it is moved once more. After {@value #ROUNDS} rounds the call fails; partitions that
 *       are done stay so.
 *   <li>Other writers' commits check the number of buckets of each partition, so none that began
 *       before puts rows into buckets that are no longer valid.
 *   <li>Partitions are worked on in batches whose files the driver can hold.
 * </ol>
 *
 * <p>Lives on the driver, for one thread. Pinned by {@code RescaleSparkTest}.
 */
public final class TableRescale {
  /** The name of the operation in the property {@link Snapshot#OPERATION}. */
  public static final String OPERATION = "RESCALE";

  static final int ROUNDS = 12;

  private final SparkContext spark;
  private final TableName name;
  private final LakeTable table;
  private final Clock clock;
  private final Ids ids;
  private final TableCommitter committer;
  private final ScanPlanner scans;
  private final RescalePlanner planner;
  private RescaleSummary summary = RescaleSummary.NOTHING;

  /**
   * A change of the number of buckets.
   *
   * @param name the table as users know it
   * @throws io.keylake.format.errors.UnsupportedTableException when the table cannot be written
   */
  public TableRescale(SparkContext spark, TableName name, LakeTable table, Clock clock, Ids ids) {
    this.spark = spark;
    this.name = name;
    this.table = table;
    this.clock = clock;
    this.ids = ids;
    this.committer = table.committer(CommitEnvironment.system());
    this.scans = table.planner().ofEveryLevel();
    this.planner =
        new RescalePlanner(
            table.schema(), table.options(), table.addresses(), table.storage().schemas()::load);
  }

  /**
   * Changes the partitions' number of buckets, where it is another one.
   *
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when others kept changing the
   *     same partitions; KEYLAKE_COMMIT_OUTCOME_UNKNOWN when storage does not say whether a commit
   *     happened
   */
  public RescaleSummary run(RescaleRequest request) {
    Optional<Snapshot> newest = table.storage().snapshots().latest();
    if (newest.isEmpty()) {
      return summary;
    }
    try (JobLabels labels = new JobLabels(spark, "keylake-rescale-" + ids.next())) {
      for (Set<BinaryRow> batch :
          PartitionBatches.of(table.storage(), newest.get(), request.partitions())) {
        summary = summary.withChecked(batch.size());
        try (Batch work = new Batch(batch, request, labels)) {
          work.run();
        }
      }
    }
    return summary;
  }

  private Map<BinaryRow, List<BucketFiles>> held(Snapshot snapshot, Set<BinaryRow> partitions) {
    Map<BinaryRow, List<BucketFiles>> held = new HashMap<>();
    for (BucketFiles bucket : scans.buckets(snapshot, partitions, StatsProjection.SKIP)) {
      held.computeIfAbsent(bucket.partition(), partition -> new ArrayList<>()).add(bucket);
    }
    return held;
  }

  private CommitRequest request(List<BucketChange> changes, @Nullable Snapshot base) {
    return CommitRequest.batch(table.newCommitUser(ids), changes)
        .basedOn(base)
        .withProperties(Map.of(Snapshot.OPERATION, OPERATION));
  }

  private void discard(Collection<MovingPartition> partitions) {
    List<BucketChange> additions =
        partitions.stream().flatMap(partition -> partition.additions().stream()).toList();
    if (!additions.isEmpty()) {
      committer.abort(request(additions, null));
    }
  }

  /** Some partitions that are worked on together; what is not committed at its end is deleted. */
  private final class Batch implements AutoCloseable {
    private final RescaleRequest wish;
    private final JobLabels labels;
    private final Map<BinaryRow, MovingPartition> moving = new LinkedHashMap<>();
    private Set<BinaryRow> open;
    private @Nullable Snapshot base;
    private @Nullable CommitRequest attempt;

    Batch(Set<BinaryRow> partitions, RescaleRequest wish, JobLabels labels) {
      this.open = partitions;
      this.wish = wish;
      this.labels = labels;
    }

    void run() {
      for (int round = 0; !open.isEmpty(); round++) {
        Optional<Snapshot> latest = table.storage().snapshots().latest();
        if (latest.isEmpty()) {
          return;
        }
        if (round == ROUNDS) {
          throw conflict();
        }
        Map<BinaryRow, List<CompactionPlan>> plans = plan(latest.get());
        if (wish.execution() == Execution.DRY_RUN) {
          moving.values().forEach(partition -> summary = summary.plus(partition.planned()));
          return;
        }
        labels.describe(description(round));
        move(plans);
        open = commit(latest.get());
        base = latest.get();
      }
    }

    private String description(int round) {
      String what =
          "rescale " + name.text() + " to " + wish.buckets() + " buckets: " + moving.size();
      return what + (round == 0 ? " partitions" : " partitions, round " + (round + 1));
    }

    /** Plans what is left to do as of a snapshot. */
    private Map<BinaryRow, List<CompactionPlan>> plan(Snapshot latest) {
      Map<BinaryRow, List<BucketFiles>> held = held(latest, open);
      Snapshot before = base;
      LaterFiles later =
          before == null
              ? null
              : LaterFiles.between(table.storage(), before, latest, moving.keySet());
      Map<BinaryRow, List<CompactionPlan>> plans = new LinkedHashMap<>();
      for (BinaryRow partition : open) {
        List<BucketFiles> buckets = held.getOrDefault(partition, List.of());
        if (buckets.stream().allMatch(bucket -> bucket.totalBuckets() == wish.buckets())) {
          forget(partition);
        } else {
          plans.put(partition, plan(partition, buckets, later));
        }
      }
      return plans;
    }

    private List<CompactionPlan> plan(
        BinaryRow partition, List<BucketFiles> buckets, @Nullable LaterFiles later) {
      MovingPartition known = moving.get(partition);
      Optional<List<BucketFiles>> added =
          known == null || later == null ? Optional.empty() : later.of(partition);
      if (known == null || added.isEmpty()) {
        forget(partition);
        moving.put(partition, new MovingPartition(buckets, wish.buckets()));
        return planner.all(buckets, wish.buckets());
      }
      known.hold(buckets);
      return planner.later(added.get(), wish.buckets(), known.nextSequenceNumber());
    }

    private void forget(BinaryRow partition) {
      MovingPartition known = moving.remove(partition);
      if (known != null) {
        discard(List.of(known));
      }
    }

    /** Carries plans out by one job. */
    private void move(Map<BinaryRow, List<CompactionPlan>> plans) {
      List<CompactionPlan> all = plans.values().stream().flatMap(List::stream).toList();
      if (all.isEmpty()) {
        return;
      }
      CompactionSpec spec =
          CompactionSpec.of(
              table.name(),
              table.schema(),
              table.options(),
              table.storage().schemas()::load,
              all,
              table.compactionPlanner(clock).expiry());
      StepJob job =
          new StepJob(
              spark,
              spec,
              all,
              table.storage().layout(),
              TaskConfiguration.hadoop(table.storage().io()),
              ids);
      List<List<StepResult>> results = List.of();
      try {
        results = job.run();
      } finally {
        if (results.isEmpty()) {
          Uninterrupted.run(job::discard);
        }
      }
      int next = 0;
      for (Map.Entry<BinaryRow, List<CompactionPlan>> entry : plans.entrySet()) {
        int end = next + entry.getValue().size();
        MovingPartition partition = moving.get(entry.getKey());
        if (partition != null) {
          partition.moved(entry.getValue(), results.subList(next, end));
        }
        next = end;
      }
    }

    /** Commits those partitions that nobody has touched; the others. */
    private Set<BinaryRow> commit(Snapshot snapshot) {
      Set<BinaryRow> touched = new LinkedHashSet<>();
      while (touched.size() < moving.size()) {
        List<MovingPartition> ready =
            moving.values().stream().filter(p -> !touched.contains(p.partition())).toList();
        CommitRequest request =
            request(
                ready.stream().flatMap(partition -> partition.replacement().stream()).toList(),
                snapshot);
        try {
          attempt = request;
          done(ready, committer.commit(request));
          attempt = null;
          break;
        } catch (CommitConflictException e) {
          if (e.condition() != Condition.KEYLAKE_CONCURRENT_MODIFICATION) {
            throw e;
          }
          attempt = null;
          if (!touched.addAll(touched(ready))) {
            throw e;
          }
        }
      }
      summary = summary.withRedone(touched.size());
      return touched;
    }

    private void done(List<MovingPartition> partitions, CommitResult result) {
      Long id = result.snapshots().stream().map(Snapshot::id).max(Long::compare).orElse(null);
      summary = summary.plus(new RescaleSummary(0, 0, 0, 0, 0, 0, 0, 0, 0, id));
      for (MovingPartition partition : partitions) {
        summary = summary.plus(partition.summary());
        moving.remove(partition.partition());
      }
    }

    private Set<BinaryRow> touched(List<MovingPartition> partitions) {
      Set<BinaryRow> all = new LinkedHashSet<>();
      partitions.forEach(partition -> all.add(partition.partition()));
      Map<BinaryRow, List<BucketFiles>> held =
          table
              .storage()
              .snapshots()
              .latest()
              .map(snapshot -> held(snapshot, all))
              .orElse(Map.of());
      Set<BinaryRow> touched = new LinkedHashSet<>();
      for (MovingPartition partition : partitions) {
        if (!partition.holds(held.getOrDefault(partition.partition(), List.of()))) {
          touched.add(partition.partition());
        }
      }
      return touched;
    }

    private CommitConflictException conflict() {
      BinaryRowCodec codec = BinaryRowCodec.of(table.schema().partitionType());
      return new CommitConflictException(
          Condition.KEYLAKE_CONCURRENT_MODIFICATION,
          "Cannot change the number of buckets of table "
              + name.text()
              + " to "
              + wish.buckets()
              + ": other commits changed the same partitions "
              + ROUNDS
              + " times meanwhile, of "
              + open.size()
              + " partitions one is "
              + codec.decode(open.iterator().next())
              + ". Partitions that are done stay so. Call it again when there are fewer writers.");
    }

    /** Deletes what was not committed. */
    @Override
    public void close() {
      CommitRequest unclear = attempt;
      if (unclear != null) {
        Uninterrupted.run(() -> committer.abort(unclear));
      } else if (!moving.isEmpty()) {
        Uninterrupted.run(() -> discard(moving.values()));
      }
    }
  }
}
